/** What has to hold of the packages that the service is shipped with. Pure. */

/** The little of a CycloneDX document that is read here. */
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
 * Only what is shipped. npm's own `--omit dev` also leaves out what a package for development needs besides, such as
 * `pg`, which would be missed in the list.
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

/** Permissive ones, which ask for no more than to be named. */
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

/** Packages whose licence npm cannot name, with what they say themselves. */
const known: Record<string, string> = { jsonify: 'Public Domain' }

/** What is wrong with the list, given the dependencies that the manifest pins. */
export function faultsOfBom(bom: Bom, dependencies: Record<string, string>): string[] {
  if (bom.bomFormat !== 'CycloneDX' || !bom.specVersion) return ['it is no CycloneDX document']
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

/** What an SPDX expression such as `(MIT OR Apache-2.0)` lets choose from; any other stays whole. */
function choicesOf(expression: string): string[] {
  const choices = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return choices.includes(' AND ') ? [expression] : choices.split(' OR ')
}

type Lock = {
  packages: Record<string, { integrity?: string; resolved?: string; link?: boolean; inBundle?: boolean }>
}

/** Packages that the lock file does not hold to the hash of their contents, or takes from one certain host. */
export function faultsOfLock({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(
      ([path, { integrity, resolved, inBundle }]) => path !== '' && !inBundle && (!integrity || resolved),
    )
    .map(([path]) => `${path} is not held to a hash alone in package-lock.json`)
}

type Severity = 'info' | 'low' | 'moderate' | 'high' | 'critical'
type Report = {
  auditReportVersion?: number
  message?: string
  vulnerabilities?: Record<string, { severity: Severity; range: string }>
}

/** What the registry says is known to be wrong, from high on; null when it has not answered the question. */
export function faultsOfAudit({ auditReportVersion, vulnerabilities = {} }: Report): string[] | null {
  if (auditReportVersion === undefined) return null
  return Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity, range }]) => `${name} ${range} has a vulnerability that is ${severity}`)
}
