/** A part of the benchmark: its name, what it shows, and how it runs. */
import type { Report } from './harness/report.ts'
import type { Entrant } from './harness/rounds.ts'
import type { Workplace } from './harness/stores.ts'

export type Setting = {
  /** Tiny sizes: everything runs, and times do not matter. */
  short: boolean
  /** Length of each measurement. */
  seconds: number
  workplace: Workplace
  /** Further stores, for what must not share a database; closed at the end of the part. */
  openWorkplace(name: string, bringUp?: (databaseUrl: string) => Promise<unknown>): Promise<Workplace>
  /**
   * Measures the subjects in alternation, round after round, and reports how many rounds were quiet.
   * @returns the results of each subject, one for each quiet round; for each round if too few were quiet.
   */
  alternate<Result>(title: string, entrants: readonly Entrant<Result>[]): Promise<Map<string, Result[]>>
  report: Report
  say(line: string): void
}

export type Part = {
  name: string
  shows: string
  /** Quiet rounds, if not the usual three. */
  rounds?: number
  /**
   * The approximate seconds of a full run, with this many seconds for each measurement and this many rounds.
   */
  duration(seconds: number, rounds: number): number
  run(setting: Setting): Promise<void>
}
