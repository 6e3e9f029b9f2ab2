/**
 * `npm run supply-chain`: lists the packages that the service contains. Writes the list to dist/sbom.cdx.json
 * (CycloneDX), and compares it with the manifest and the allowed licences. Checks the lock file, and asks the registry
 * for vulnerabilities. If the registry does not support audits, that is reported and is no failure.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { projectPath } from '../src/platform/project/paths.ts'
import {
  type Bom,
  faultsOfAudit,
  faultsOfBom,
  faultsOfLock,
  withoutDevelopment,
} from './supply-chain/checks.ts'

const run = promisify(execFile)

/** The JSON that npm prints, also with an exit code that reports problems. */
async function npm(...args: string[]) {
  const options = { cwd: projectPath(), maxBuffer: 2 ** 26 }
  const { stdout } = await run('npm', args, options).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error
    return { stdout: error.stdout }
  })
  return JSON.parse(stdout)
}

const readJson = async (name: string) => JSON.parse(await readFile(projectPath(name), 'utf8'))

const manifest = await readJson('package.json')
const listed: Bom = await npm(
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--package-lock-only',
)
// npm uses the name of its folder.
listed.metadata.component.name = manifest.name
const bom = withoutDevelopment(listed)
await writeFile(projectPath('dist', 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`)
const advisories = faultsOfAudit(await npm('audit', '--omit=dev', '--json', '--fetch-retries=1'))
const faults = [
  ...faultsOfBom(bom, manifest.dependencies),
  ...faultsOfLock(await readJson('package-lock.json')),
  ...(advisories ?? []),
]

const known = advisories
  ? 'no known vulnerability of severity high or above'
  : 'vulnerabilities NOT checked: the registry does not support audits'
process.stdout.write(
  `dist/sbom.cdx.json: ${bom.components.length} packages; ${advisories?.length ? 'see below' : known}\n`,
)
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
