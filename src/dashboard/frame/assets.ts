/**
 * The files that pages of the dashboard load. The name of each has a hash of its content, so that a browser may cache it until
 * it changes. A process serves its own file for every hash, because during an upgrade a page may come from another version.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectPath } from '../../platform/project/paths.ts'

/** The project's own files, and those that the build makes from the design system. */
export const assetFolders = [projectPath('assets'), projectPath('dist', 'assets')].filter((folder) =>
  existsSync(folder),
)

const hashes = new Map(
  assetFolders.flatMap((folder) =>
    readdirSync(folder).map((name) => [name, hashOf(path.join(folder, name))] as const),
  ),
)

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 12)
}

/** The address of a file, with its hash. */
export function assetUrl(name: string): string {
  const hash = hashes.get(name)
  return `/dashboard/assets/${name}${hash ? `?v=${hash}` : ''}`
}

/** Whether a browser may cache the file at an address, because its content never changes. */
export function isLasting(url: string): boolean {
  return url === assetUrl(path.posix.basename(url.split('?', 1)[0]!)) && url.includes('?')
}
