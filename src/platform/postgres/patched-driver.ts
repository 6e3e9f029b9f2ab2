/**
 * Checks that postgres.js has our patches (patches/). Without them, it may write outside a transaction after
 * it has lost the transaction's connection. An install without scripts silently leaves the patches out.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const patchedVersion = '3.4.9'
// Hash of the patched sources. A test fails when a patch changes and this does not; patches/README.md says
// what to do.
const patchedHash = '9f53ab5b8919461758e356bdbde678cfa7e31313514588b4cbbdb0d6473b74ce'

/** One hash over all modules of a folder. It also detects a patch applied in part, or an older one. */
export function hashModules(folder: string): string {
  const hash = createHash('sha256')
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  for (const name of names.sort()) {
    // Git may check out patches with CRLF, which then appear in the patched files.
    hash.update(`${name}\n${readFileSync(path.join(folder, name), 'utf8').replaceAll('\r', '')}\n`)
  }
  return hash.digest('hex')
}

/**
 * Checks the modules in this folder, which is `src` of postgres.js.
 * @throws when they are not patched; the message says what to do.
 */
export function refuseUnpatchedModules(folder: string): void {
  if (hashModules(folder) === patchedHash) return
  const { version } = JSON.parse(readFileSync(path.join(folder, '..', 'package.json'), 'utf8'))
  throw new Error(
    version === patchedVersion
      ? `postgres.js ${version} is installed without the patches of this service: run \`npx patch-package\`, or \`npm ci\` without --ignore-scripts`
      : `postgres.js ${version} is installed, and this service needs ${patchedVersion} with its patches: run \`npm ci\` without --ignore-scripts`,
  )
}

let isPatched = false

/** Refuses to start with a postgres.js that is not patched. */
export function refuseUnpatchedDriver(): void {
  if (isPatched) return
  refuseUnpatchedModules(path.dirname(fileURLToPath(import.meta.resolve('postgres'))))
  isPatched = true
}
