/** What every part of the bench is: a name, what it shows, and how it runs. */
import type { Report } from './harness/report.ts'
import type { Workplace } from './harness/stores.ts'

export type Setting = {
  /** Tiny sizes: everything runs, and nothing is worth timing. */
  short: boolean
  /** Length of each measurement. */
  seconds: number
  workplace: Workplace
  report: Report
  say(line: string): void
}

export type Part = {
  name: string
  shows: string
  /** About how many seconds it takes in full, at so many for each measurement. */
  duration(seconds: number): number
  run(setting: Setting): Promise<void>
}
