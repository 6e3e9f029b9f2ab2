/** Runs one part: opens its stores, checks whether the machine is quiet, and collects the results. */
import type { Machine } from './harness/machine.ts'
import { stopEverything } from './harness/processes.ts'
import { createWatch, type Watch, watchBefore, watchWhile } from './harness/quiet.ts'
import { createReport, type Report } from './harness/report.ts'
import type { PartResult } from './harness/results.ts'
import { alternate, type Entrant, leastQuiet, type RoundsOptions } from './harness/rounds.ts'
import { openWorkplace, type Stores, type Workplace } from './harness/stores.ts'
import type { Part } from './part.ts'

export type Plan = {
  stores: Stores
  machine: Machine
  short: boolean
  seconds: number
  /** Quiet rounds, if not the number that the part requests. */
  rounds: number | null
  say(line: string): void
}

const defaultRounds = 3

export function roundsOf(part: Part, { short, rounds }: Pick<Plan, 'short' | 'rounds'>): number {
  return short ? 1 : (rounds ?? part.rounds ?? defaultRounds)
}

/** Runs a part. If it fails, the result has the reason, and everything that was measured before. */
export async function measure(part: Part, plan: Plan): Promise<PartResult> {
  const { stores, machine, short, seconds, say } = plan
  const report = createReport(say)
  const watch = createWatch([process.pid, ...Object.values(stores.pids).flat()])
  const workplaces: Workplace[] = []
  const open = async (...wanted: [string, ((url: string) => Promise<unknown>)?]) => {
    const workplace = await openWorkplace(stores, ...wanted)
    workplaces.push(workplace)
    return workplace
  }
  const work = async () => {
    const rounds = createRounds(report, roundsOf(part, plan), short ? null : watch)
    await part.run({
      short,
      seconds,
      report,
      say,
      openWorkplace: open,
      workplace: await open(part.name),
      alternate: rounds.alternate,
    })
    return rounds.tell()
  }
  let failure: string | null = null
  try {
    const { result: told, disturbance } = await watchWhile(watch, work)
    if (told) report.note(told)
    // A part that was not measured in rounds must be quiet as a whole.
    else if (disturbance && !short) report.notQuiet(part.name, disturbance)
  } catch (error) {
    failure = (error as Error).message
    say(`  FAILED: ${(error as Error).stack}`)
  } finally {
    if (!short) await stopEverything()
    for (const workplace of workplaces) await workplace.close()
  }
  return { part: part.name, shows: part.shows, machine, seconds, failure, ...report.findings }
}

/** @param watch null in short runs, which do not check whether the machine is quiet. */
function createRounds(report: Report, rounds: number, watch: Watch | null) {
  const told: string[] = []
  // Without /proc, no round is known to be quiet, so repeating does not help.
  const maxRounds = watch?.look() ? 2 * rounds : rounds
  const options: RoundsOptions = watch
    ? { rounds, maxRounds, before: () => watchBefore(watch), during: (work) => watchWhile(watch, work) }
    : { rounds, maxRounds, before: async () => null, during: unwatched }
  return {
    async alternate<Result>(title: string, entrants: readonly Entrant<Result>[]) {
      const { results, quiet, of, disturbances } = await alternate(entrants, options)
      told.push(`${title} ${quiet} of ${of}`)
      if (watch && quiet < leastQuiet) {
        const [first, ...others] = disturbances
        const more = others.length > 0 ? `, and ${others.length} more` : ''
        report.notQuiet(
          title,
          `${quiet} of ${of} rounds were quiet (${first ?? 'no more were wanted'}${more})`,
        )
      }
      return results
    },
    /** null when nothing was measured in rounds. */
    tell: () =>
      told.length > 0
        ? `Figures are medians of the quiet rounds, with the lowest and the highest. Quiet rounds: ${told.join('; ')}.`
        : null,
  }
}

async function unwatched<Result>(work: () => Promise<Result>) {
  return { result: await work(), disturbance: null }
}
