/**
 * Stores results: latest.json has the latest results of every part, and latest.md and latest.svg are made
 * from it. A run of some parts keeps the others, each with its own machine and commit.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { drawBars } from './chart.ts'
import type { Machine } from './machine.ts'
import { type Findings, formatCell, isMet, type Row, type Table, type Target } from './report.ts'

export type PartResult = Findings & {
  part: string
  shows: string
  machine: Machine
  /** Length of each measurement. */
  seconds: number
  /** Why the part ended early; null when it did not. */
  failure: string | null
}

/**
 * Adds the results to those in `folder`, in the order of `parts`. A part during which the machine was not quiet keeps
 * its old result.
 */
export async function saveResults(
  folder: string,
  parts: string[],
  fresh: PartResult[],
): Promise<PartResult[]> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, 'latest.json')
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as PartResult[]
  const byName = new Map(
    [...kept, ...fresh.filter(({ notQuiet }) => notQuiet.length === 0)].map((result) => [
      result.part,
      result,
    ]),
  )
  const results = parts.flatMap((part) => byName.get(part) ?? [])
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  await writeFile(path.join(folder, 'latest.md'), writeMarkdown(results))
  const charts = results.flatMap((result) => result.charts)
  await writeFile(path.join(folder, 'latest.svg'), drawBars(charts, machineLines(results).join('; ')))
  return results
}

const marks = ['<!-- latest results: written by npm run bench -->', '<!-- end of latest results -->'] as const

/** Writes the table of targets between its marks in a document. */
export async function updateDocument(file: string, results: PartResult[]): Promise<void> {
  const text = await readFile(file, 'utf8')
  const [from, to] = marks.map((mark) => text.indexOf(mark)) as [number, number]
  if (from < 0 || to < from) throw new Error(`${file} has no place for the results`)
  const body = `${machineLines(results).join('  \n')}\n\n${writeTargets(results)}`
  await writeFile(file, `${text.slice(0, from + marks[0].length)}\n${body}\n${text.slice(to)}`)
}

function writeMarkdown(results: PartResult[]): string {
  const parts = results.map(({ part, shows, seconds, failure, tables, checks, notes }) =>
    [
      `## ${part}`,
      `${shows} ${formatCell(seconds)} s for each measurement.`,
      failure && `**It ended early: ${failure}**`,
      ...tables.map(({ title, rows }) => `### ${title}\n\n${writeTable({ title, rows })}`),
      checks
        .map(({ name, holds, detail }) => `- ${holds ? 'holds' : '**does not hold**'}: ${name} (${detail})`)
        .join('\n'),
      notes.map((note) => `- ${note}`).join('\n'),
    ]
      .filter(Boolean)
      .join('\n\n'),
  )
  const head = `# Latest results\n\n${machineLines(results).join('  \n')}\n\n${writeTargets(results)}\n![chart](latest.svg)\n`
  return `${[head, ...parts].join('\n\n')}\n`
}

function machineLines(results: PartResult[]): string[] {
  const lines = new Map<string, string[]>()
  for (const { part, machine } of results) {
    const { date, commit, processors, memoryGigabytes, node, postgres, redis } = machine
    const stores = `Node ${node}, PostgreSQL ${postgres}, Redis ${redis}`
    const line = `${date}, commit ${commit}, ${processors}, ${memoryGigabytes} GB, ${stores}`
    lines.set(line, [...(lines.get(line) ?? []), part])
  }
  return [...lines].map(([line, parts]) => (lines.size > 1 ? `${parts.join(', ')}: ${line}` : line))
}

function writeTargets(results: PartResult[]): string {
  const rows = results.flatMap(({ part, targets }) => targets.map((target) => targetRow(part, target)))
  return rows.length > 0 ? writeTable({ title: '', rows }) : ''
}

function targetRow(part: string, target: Target): Row {
  const [sign, required] = 'atLeast' in target ? ['≥', target.atLeast] : ['≤', target.atMost]
  const { name, measured, unit, aim = null } = target
  const bound = (value: number | null) => (value === null ? '' : `${sign} ${formatCell(value)} ${unit}`)
  return {
    part,
    target: name,
    wanted: bound(required),
    aim: bound(aim),
    measured: `${formatCell(measured)} ${unit}`,
    '': verdictOf(target, required),
  }
}

/** If nothing is required, missing the aim is not a pass. */
function verdictOf(target: Target, required: number | null): string {
  if (isMet(target, 'aim')) return 'aim reached'
  if (!isMet(target)) return '**missed**'
  return required === null ? 'aim missed' : 'pass'
}

function writeTable({ rows }: Table): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => columns.map((column) => formatCell(row[column] ?? null)))
  const alignment = columns.map((column) =>
    rows.some((row) => typeof row[column] === 'number') ? '--:' : '---',
  )
  return `${[columns, alignment, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
