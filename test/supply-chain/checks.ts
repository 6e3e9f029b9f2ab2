/** Rules for the packages that are shipped with the service. */

/** The parts of a CycloneDX document that are read here. */
export type Bom = {
  bomFormat?: string
  specVersion?: string
  metadata: { component: { name: string; version: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
type Component = {
  'bom-ref': string
  name: string
  version: string
  licenses?: Licence[]
  properties?: { name: string; value: string }[]
}
type Licence = { license?: { id?: string; name?: string }; expression?: string }

/**
 * Keeps only shipped packages. `npm --omit dev` also omits packages that both the service and a development package
 * need, such as `pg`, which would then be missing in the list.
 */
export function withoutDevelopment(bom: Bom): Bom {
  const components = bom.components.filter(
    ({ properties = [] }) => !properties.some(({ name, value }) => name === development && value === 'true'),
  )
  const shipped = new Set(components.map((component) => component['bom-ref']))
  const known = (ref: string) => shipped.has(ref)
  const own = `${bom.metadata.component.name}@${bom.metadata.component.version}`
  const dependencies = bom.dependencies
    .filter(({ ref }) => ref === own || known(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(known) }))
  return { ...bom, components, dependencies }
}

const development = 'cdx:npm:package:development'

/** Permissive licences, which require only a notice. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]

/** Packages whose licence npm cannot name, with the licence that they state. */
const known: Record<string, string> = { jsonify: 'Public Domain' }

/** The faults of the list, given the dependencies that the manifest pins. */
export function faultsOfBom(bom: Bom, dependencies: Record<string, string>): string[] {
  if (bom.bomFormat !== 'CycloneDX' || !bom.specVersion)
    return ['the list of packages is not a CycloneDX document']
  const listed = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
  const missing = Object.entries(dependencies)
    .map(([name, version]) => `${name}@${version}`)
    .filter((one) => !listed.has(one))
  const unlicensed = bom.components.filter((one) => !isAllowed(one))
  return [
    ...missing.map((one) => `${one} is a dependency and is not listed`),
    ...unlicensed.map(
      ({ name, licenses }) => `${name} may not be shipped: ${JSON.stringify(licenses ?? 'no licence')}`,
    ),
  ]
}

function isAllowed({ name, licenses = [] }: Component): boolean {
  if (Object.hasOwn(known, name)) return true
  const ids = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '')
  return ids.length > 0 && ids.every((id) => choicesOf(id).some((choice) => allowed.includes(choice)))
}

/**
 * The licences that an SPDX expression such as `(MIT OR Apache-2.0)` lets one choose from. Any other text is one
 * licence.
 */
function choicesOf(expression: string): string[] {
  const choices = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return choices.includes(' AND ') ? [expression] : choices.split(' OR ')
}

type Lock = {
  packages: Record<string, { integrity?: string; resolved?: string; link?: boolean; inBundle?: boolean }>
}

/** Packages that have no hash of their contents in the lock file, or that name a fixed host. */
export function faultsOfLock({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(
      ([path, { integrity, resolved, inBundle }]) => path !== '' && !inBundle && (!integrity || resolved),
    )
    .map(([path]) => `${path} must have a hash and no fixed host in package-lock.json`)
}

type Severity = 'info' | 'low' | 'moderate' | 'high' | 'critical'
type Report = {
  auditReportVersion?: number
  message?: string
  vulnerabilities?: Record<string, { severity: Severity; range: string }>
}

/** Vulnerabilities of severity high or above that the registry reports; null if the response is not a report. */
export function faultsOfAudit({ auditReportVersion, vulnerabilities = {} }: Report): string[] | null {
  if (auditReportVersion === undefined) return null
  return Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity, range }]) => `${name} ${range} has a vulnerability that is ${severity}`)
}
