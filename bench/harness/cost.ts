/** The cost of requests: the processor time of each part involved. It depends little on other load of the machine. */
import { type MachineTicks, type Pids, readMachine, readParts } from './processor.ts'
import type { Row } from './report.ts'
import { spreadBy } from './rounds.ts'

/** Microseconds of processor time for each request, by part; empty if the system has no /proc. */
export type Cost = Record<string, number>

export type CostMeter = {
  /** The idle share of the processors since the start. */
  idleShare(): number
  /** The average cost of one request since the start; `requests` is how many there were. */
  costOf(requests: number): Cost
}

/** Counts from now on. */
export function startMeter(pids: Pids): CostMeter {
  const machine = readMachine()
  const before = readParts(pids)
  return {
    idleShare: () => shareIdle(machine, readMachine()),
    costOf(requests) {
      const after = readParts(pids)
      if (!before || !after) return {}
      return Object.fromEntries(
        Object.keys(pids).map((part) => [part, ((after[part]! - before[part]!) * 1000) / requests]),
      )
    },
  }
}

function shareIdle(before: MachineTicks | null, after: MachineTicks | null): number {
  return before && after ? (after.idle - before.idle) / (after.total - before.total) : Number.NaN
}

const parts = ['web', 'worker', 'PostgreSQL', 'Redis']

/**
 * Columns for a table, the same for all subjects. A part that is missing from `cost` has a dash; a part without
 * processes has 0.
 */
export function costColumns(results: readonly { cost: Cost }[]): Row {
  const columns = parts.map((part): [string, string] => [
    `${part} µs`,
    spreadBy(results, ({ cost }) => cost[part] ?? Number.NaN),
  ])
  return Object.fromEntries(columns)
}
