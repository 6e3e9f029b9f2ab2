/**
 * Whether postgres.js is as patches/ makes it. Without the patches it can write outside of a transaction that it lost,
 * and an install without scripts leaves them out silently.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const patchedVersion = '3.4.9'
// Of the patched sources. A test fails when a patch changes and this does not; patches/README.md says what to do.
const patchedHash = '9f53ab5b8919461758e356bdbde678cfa7e31313514588b4cbbdb0d6473b74ce'

/** One hash over all modules of a folder. A hash also finds half a patch, and a patch from before the last change. */
export function hashModules(folder: string): string {
  const hash = createHash('sha256')
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  for (const name of names.sort()) {
    // Git may check patches out with CRLF, which then stands in what they add.
    hash.update(`${name}\n${readFileSync(path.join(folder, name), 'utf8').replaceAll('\r', '')}\n`)
  }
  return hash.digest('hex')
}

/** @throws a sentence with the way out, unless the modules in this folder, `src` of postgres.js, are the patched ones. */
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

/** Refuses the postgres.js that this process loads, unless it is the patched one. */
export function refuseUnpatchedDriver(): void {
  if (isPatched) return
  refuseUnpatchedModules(path.dirname(fileURLToPath(import.meta.resolve('postgres'))))
  isPatched = true
}
