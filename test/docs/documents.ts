/** Lists the documents of the project, and reads their text, anchors and commands. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { projectPath } from '../../src/platform/project/paths.ts'

/** Documents as paths from the root. The files of issue and pull request templates are not among them. */
export async function listDocuments(): Promise<string[]> {
  const folders = ['.', 'docs', 'bench', 'patches', 'clients']
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(projectPath(folder), { recursive: folder !== '.' && folder !== 'bench' }))
        .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
        .map((name) => path.join(folder, name)),
    ),
  )
  return names.flat().sort()
}

export const readDocument = (name: string) => readFile(projectPath(name), 'utf8')

/** The text without code blocks and inline code. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

/** The anchors of the headings, as GitHub makes them: the second heading with the same text gets `-1`. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  const bare = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
  for (const [, heading = ''] of bare.matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
    let free = anchor
    for (let count = 1; anchors.has(free); count++) free = `${anchor}-${count}`
    anchors.add(free)
  }
  return anchors
}

/** A block of commands for a shell. */
export type CommandBlock = {
  /** The second word of its fence, which says why the commands are not run; empty if they are run. */
  mark: string
  /** The paragraph above it. */
  above: string
  /** One string for each command, however many lines it has; without comments. */
  commands: string[]
}

export function commandBlocksOf(text: string): CommandBlock[] {
  const blocks = text.matchAll(/^( *)```sh(?: ([\w-]+))?\n([\s\S]*?)^\1```$/gm)
  return [...blocks].map(({ 1: indent = '', 2: mark = '', 3: block = '', index }) => {
    const above =
      text
        .slice(0, index)
        .trimEnd()
        .split(/\n\s*\n/)
        .at(-1) ?? ''
    return { mark, above, commands: commandsOf(block.split('\n').map((line) => line.slice(indent.length))) }
  })
}

function commandsOf(lines: readonly string[]): string[] {
  const commands: string[] = []
  let begun = ''
  for (const line of lines) {
    begun += `${begun && '\n'}${line.replace(/ {2,}#.*$/, '')}`
    if (/\\$/.test(begun) || isOpen(begun)) continue
    if (begun.trim() && !begun.startsWith('#')) commands.push(begun)
    begun = ''
  }
  return commands
}

/** Whether a quotation mark is not closed yet. */
function isOpen(text: string): boolean {
  let quote = ''
  for (const [mark] of text.replaceAll(/\\./g, '').matchAll(/['"]/g))
    if (!quote) quote = mark
    else if (quote === mark) quote = ''
  return quote !== ''
}
