/** The results of a part, collected while it runs, so that a part that fails keeps its earlier results. */

export type Cell = string | number | null
export type Row = Record<string, Cell>
export type Table = { title: string; rows: Row[] }
/** A target and its result. It has either `atLeast` or `atMost`, which is null where only the aim counts. */
export type Target = { name: string; measured: number; unit: string; aim?: number } & (
  | { atLeast: number | null }
  | { atMost: number | null }
)
/** A condition that must hold on any machine: nothing oversold, nothing lost. */
export type Check = { name: string; holds: boolean; detail: string }
export type Bar = { label: string; value: number; ours: boolean }
export type Chart = { title: string; unit: string; bars: Bar[] }

export type Findings = {
  tables: Table[]
  targets: Target[]
  checks: Check[]
  charts: Chart[]
  notes: string[]
  /** Results that are not published because the machine was not quiet, with the reason. */
  notQuiet: string[]
}

export type Report = {
  findings: Findings
  row(table: string, row: Row): void
  target(target: Target): void
  check(name: string, holds: boolean, detail: string): void
  /** A bar of the chart with this title. The others are compared with the first bar of this service. */
  bar(chart: string, unit: string, bar: Bar): void
  note(text: string): void
  notQuiet(title: string, reason: string): void
}

export function createReport(say: (line: string) => void): Report {
  const findings: Findings = { tables: [], targets: [], checks: [], charts: [], notes: [], notQuiet: [] }
  return {
    findings,
    row(title, row) {
      const table = findings.tables.find((table) => table.title === title)
      if (table) table.rows.push(row)
      else findings.tables.push({ title, rows: [row] })
      say(`  ${Object.values(row).map(formatCell).join('  ')}`)
    },
    target: (target) => findings.targets.push(target),
    check(name, holds, detail) {
      findings.checks.push({ name, holds, detail })
      if (!holds) say(`  WRONG: ${name}: ${detail}`)
    },
    bar(title, unit, bar) {
      const chart = findings.charts.find((chart) => chart.title === title)
      if (chart) chart.bars.push(bar)
      else findings.charts.push({ title, unit, bars: [bar] })
    },
    note: (text) => findings.notes.push(text),
    notQuiet(title, reason) {
      findings.notQuiet.push(`${title}: ${reason}`)
      say(`  not quiet: ${title}: ${reason}`)
    },
  }
}

/** Whether a target was met; with `aim`, whether its aim was, if it has one. */
export function isMet(target: Target, bound: 'required' | 'aim' = 'required'): boolean {
  const most = 'atMost' in target
  const required = most ? target.atMost : target.atLeast
  const wanted = bound === 'aim' ? target.aim : required
  if (wanted === null || wanted === undefined) return bound === 'required'
  return most ? target.measured <= wanted : target.measured >= wanted
}

/** Three significant digits below a hundred, whole numbers with separators above. */
export function formatCell(cell: Cell): string {
  if (cell === null || Number.isNaN(cell)) return '–'
  if (typeof cell === 'string') return cell
  if (Number.isInteger(cell) || Math.abs(cell) >= 100) return Math.round(cell).toLocaleString('en-US')
  return String(Number(cell.toPrecision(3)))
}
