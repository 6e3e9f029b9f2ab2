/** What every part of the bench is: a name, what it shows, and how it runs. */
import type { Report } from './harness/report.ts'
import type { Entrant } from './harness/rounds.ts'
import type { Workplace } from './harness/stores.ts'

export type Setting = {
  /** Tiny sizes: everything runs, and nothing is worth timing. */
  short: boolean
  /** Length of each measurement. */
  seconds: number
  workplace: Workplace
  /** Another workplace, for what must not meet in one database; closed at the end of the part. */
  openWorkplace(name: string, bringUp?: (databaseUrl: string) => Promise<unknown>): Promise<Workplace>
  /**
   * Measures the entrants in turn, round after round, and reports how many rounds were quiet.
   * @returns the results of each entrant, one for each round.
   */
  alternate<Result>(title: string, entrants: readonly Entrant<Result>[]): Promise<Map<string, Result[]>>
  report: Report
  say(line: string): void
}

export type Part = {
  name: string
  shows: string
  /** Quiet rounds, where they are not the usual three. */
  rounds?: number
  /** About how many seconds it takes in full, at so many for each measurement, and so many rounds. */
  duration(seconds: number, rounds: number): number
  run(setting: Setting): Promise<void>
}
