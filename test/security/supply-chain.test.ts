/** The checks of shipped packages find forbidden licences, unlisted packages, missing hashes and advisories. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import {
  type Bom,
  faultsOfAudit,
  faultsOfBom,
  faultsOfLock,
  withoutDevelopment,
} from '../supply-chain/checks.ts'

const kept = {
  'bom-ref': 'kept@1.0.0',
  name: 'kept',
  version: '1.0.0',
  licenses: [{ license: { id: 'MIT' } }],
}
const bom = (component: Partial<Bom['components'][number]>): Bom => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { name: 'service', version: '1.0.0' } },
  components: [{ ...kept, ...component }],
  dependencies: [],
})

t.test('a dependency that is not listed, and a licence that may not be shipped, are found', async (t) => {
  t.same(faultsOfBom(bom({}), { kept: '1.0.0' }), [])
  t.match(faultsOfBom(bom({}), { kept: '1.0.1' }), ['kept@1.0.1 is a dependency and is not listed'])
  t.match(faultsOfBom({ ...bom({}), bomFormat: 'SPDX' }, {}), [
    'the list of packages is not a CycloneDX document',
  ])
  for (const licenses of [
    [],
    [{ license: { id: 'AGPL-3.0-only' } }],
    [{ expression: 'MIT AND GPL-2.0-only' }],
    [{ expression: '(MIT OR ISC) AND (GPL-2.0-only)' }],
    [{ expression: '(GPL-2.0-only OR AGPL-3.0-only)' }],
  ])
    t.match(faultsOfBom(bom({ licenses }), {}), [/^kept may not be shipped/])
  t.same(
    faultsOfBom(bom({ licenses: [{ expression: '(MIT OR GPL-2.0-only)' }] }), {}),
    [],
    'one of the alternative licences is allowed',
  )
  t.same(faultsOfBom(bom({ name: 'jsonify', licenses: [] }), {}), [], 'jsonify is in the public domain')
})

t.test(
  'packages needed only for development are left out of the list, and those also needed elsewhere stay',
  async (t) => {
    const properties = [{ name: 'cdx:npm:package:development', value: 'true' }]
    const tool = { ...kept, 'bom-ref': 'tool@1.0.0', name: 'tool', properties }
    const needs = (ref: string, ...dependsOn: string[]) => ({ ref, dependsOn })
    const all = [needs('service@1.0.0', 'kept@1.0.0', 'tool@1.0.0'), needs('tool@1.0.0', 'kept@1.0.0')]
    const { components, dependencies } = withoutDevelopment({
      ...bom({}),
      components: [kept, tool],
      dependencies: all,
    })
    t.same(components, [kept])
    t.same(dependencies, [needs('service@1.0.0', 'kept@1.0.0')])
  },
)

t.test('a package without a hash, or with a fixed host, is found in the lock file', async (t) => {
  const integrity = 'sha512-x'
  const resolved = 'https://registry.example/kept.tgz'
  t.same(faultsOfLock({ packages: { '': {}, 'node_modules/kept': { integrity } } }), [])
  t.equal(faultsOfLock({ packages: { 'node_modules/kept': {} } }).length, 1)
  t.equal(faultsOfLock({ packages: { 'node_modules/kept': { integrity, resolved } } }).length, 1)
})

t.test(
  'an advisory of severity high or above is a failure, and a missing response differs from no advisory',
  async (t) => {
    const about = (severity: 'moderate' | 'high' | 'critical') => ({
      auditReportVersion: 2,
      vulnerabilities: { kept: { severity, range: '<1.0.1' } },
    })
    t.same(faultsOfAudit(about('moderate')), [])
    t.match(faultsOfAudit(about('high')), ['kept <1.0.1 has a vulnerability that is high'])
    t.equal(faultsOfAudit(about('critical'))?.length, 1)
    t.equal(faultsOfAudit({ message: '405 Method Not Allowed' }), null)
  },
)

t.test('every package with an install script is allowed or denied in package.json', async (t) => {
  const read = async (name: string) => JSON.parse(await readFile(projectPath(name), 'utf8'))
  const { packages }: { packages: Record<string, { hasInstallScript?: true }> } =
    await read('package-lock.json')
  const { allowScripts } = await read('package.json')
  // npm asks about every other package at each `npm ci`. The service itself has the empty path.
  const withScript = Object.keys(packages).filter((path) => path !== '' && packages[path]!.hasInstallScript)
  t.same(
    withScript.map((path) => path.replace(/^.*node_modules\//, '')).sort(),
    Object.keys(allowScripts).sort(),
  )
})
