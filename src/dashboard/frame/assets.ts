/**
 * The files that pages of the dashboard load. The address of a file has a hash of its content in the query,
 * so that a browser may cache the file. A process ignores the hash and serves its own version of the file,
 * because during an upgrade the page may come from a process of another version.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectPath } from '../../platform/project/paths.ts'

/**
 * The folder with the project's own files, and the folder with the files that the build makes: the parts of the design
 * system, and the style sheet that places timeslots in the calendar. A folder that does not exist is left out.
 */
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

/** The address of a file, with its hash if the file is in one of the asset folders. */
export function assetUrl(name: string): string {
  const hash = hashes.get(name)
  return `/dashboard/assets/${name}${hash ? `?v=${hash}` : ''}`
}

/**
 * Whether a browser may cache the response without revalidation: the address has the hash of the file that
 * this process serves.
 */
export function isLasting(url: string): boolean {
  return url === assetUrl(path.posix.basename(url.split('?', 1)[0]!)) && url.includes('?')
}
