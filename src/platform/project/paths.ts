/** Finds the project's own files, both from the sources and from the build. */
import { existsSync } from 'node:fs'
import path from 'node:path'

function findRoot(from: string): string {
  return existsSync(path.join(from, 'package.json')) ? from : findRoot(path.dirname(from))
}

const root = findRoot(import.meta.dirname)

/** The absolute path of a file, given its path from the project's root. */
export function projectPath(...parts: string[]): string {
  return path.join(root, ...parts)
}
