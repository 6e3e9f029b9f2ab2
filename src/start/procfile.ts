/** Reads the Procfile, so that `npm start` runs the same commands as a deployment. */
import { readFile } from 'node:fs/promises'
import { projectPath } from '../platform/project/paths.ts'
import type { Command } from './children.ts'

/** The commands of these process types, in this order. @throws when one is missing. */
export async function readProcfile(names: string[]): Promise<Command[]> {
  const text = await readFile(projectPath('Procfile'), 'utf8')
  const lines = new Map([...text.matchAll(/^([\w-]+):\s*(.+)$/gm)].map(([, name, line]) => [name, line]))
  return names.map((name) => {
    const line = lines.get(name)
    if (!line) throw new Error(`the Procfile has no ${name}`)
    return { name, line }
  })
}
