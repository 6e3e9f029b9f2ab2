/** Decides whether the machine was quiet: how much processor time programs used that do not belong to the benchmark. */
import { setTimeout as delay } from 'node:timers/promises'
import { type MachineTicks, readFamily, readMachine } from './processor.ts'

export type Look = MachineTicks & { own: number }
/** Shares of the time of all processors. */
export type Use = { others: number; stolen: number; idle: number }

/**
 * The most that other processes may use, and that the host may give to other machines (steal). Quiet rounds
 * of the same work differ by two or three percent, so more than five percent matters. /proc counts in
 * hundredths of a second, so a much smaller share could not be measured.
 */
export const maxTaken = 0.05
const beforeMs = 1000

/** Measures the machine. The load average does not help: it includes the benchmark. */
export type Watch = { look(): Look | null }

/** @param roots the processes of the benchmark, with all their descendants. */
export function createWatch(roots: readonly number[]): Watch {
  return {
    look() {
      const machine = readMachine()
      return machine && { ...machine, own: readFamily(roots) }
    },
  }
}

export function useBetween(before: Look, after: Look): Use {
  const total = after.total - before.total
  const share = (ticks: number) => (total > 0 ? Math.max(0, ticks) / total : 0)
  return {
    others: share(after.busy - before.busy - (after.own - before.own)),
    stolen: share(after.stolen - before.stolen),
    idle: share(after.idle - before.idle),
  }
}

/** Why the machine was not quiet; null when it was. */
export function findDisturbance({ others, stolen }: Use): string | null {
  const reasons = [
    others > maxTaken && `other processes used ${percent(others)} of the processors`,
    stolen > maxTaken && `the host took ${percent(stolen)}`,
  ].filter(Boolean)
  return reasons.length > 0 ? reasons.join(', ') : null
}

export const noProc = 'this machine has no /proc, so its other load is unknown'

/** Watches for a second in which nothing is measured. Returns why the machine was not quiet; null when it was. */
export async function watchBefore(watch: Watch): Promise<string | null> {
  return (await watchWhile(watch, () => delay(beforeMs))).disturbance
}

export async function watchWhile<Result>(
  { look }: Watch,
  work: () => Promise<Result>,
): Promise<{ result: Result; disturbance: string | null }> {
  const before = look()
  const result = await work()
  const after = look()
  return { result, disturbance: before && after ? findDisturbance(useBetween(before, after)) : noProc }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
