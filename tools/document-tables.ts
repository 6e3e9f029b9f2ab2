/** The tables of documents that are made from the source: the environment variables, and the problem types. */
import { problemTypes } from '../src/http/problem-types.ts'
import { configSchema } from '../src/platform/config/config-schema.ts'

type Table = { document: string; head: string; rows: () => string[][] }

/** Each table is found in its document by its head. */
export const tables: readonly Table[] = [
  { document: 'configuration.md', head: '| variable | default | meaning |', rows: listVariables },
  { document: 'errors.md', head: '| `type` | status | what it means | what to do |', rows: listProblems },
]

/** The text with the rows below a head replaced. @throws when the text has no such head. */
export function replaceTable(text: string, { head, rows }: Pick<Table, 'head' | 'rows'>): string {
  const lines = text.split('\n')
  const first = lines.indexOf(head) + 2
  if (first < 2) throw new Error(`no table begins with ${head}`)
  const end = lines.findIndex((line, index) => index >= first && !line.startsWith('|'))
  const written = rows().map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
  return lines.toSpliced(first, (end < 0 ? lines.length : end) - first, ...written).join('\n')
}

function listVariables(): string[][] {
  return Object.entries(configSchema.properties).map(([name, schema]) => {
    const { default: value, description = '' } = schema as { default?: unknown; description?: string }
    return [`\`${name}\``, value === undefined ? '–' : `\`${value}\``, description]
  })
}

function listProblems(): string[][] {
  return Object.entries(problemTypes)
    .sort(([, one], [, other]) => one.status - other.status)
    .map(([slug, { status, meaning, remedy }]) => [`\`${slug}\``, String(status), meaning, remedy])
}
