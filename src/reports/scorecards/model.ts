/** Pure rules of scorecards: the buckets that answers are counted in, and what a histogram says of them. */
import { type ProblemSlug, problemTypes } from '../../http/problem-types.ts'

/** What partners' calls are counted for, by the name of the operation in the reference. */
export const countedOperations: Record<string, Operation> = {
  createBooking: 'book',
  cancelOwnBooking: 'cancel',
  octoReserve: 'book',
  octoCancelBooking: 'cancel',
  octoDeleteBooking: 'cancel',
}

/** What is counted besides for test keys: what a partner tries before it goes live. */
export const operationsOfTests: Record<string, Operation> = {
  listProducts: 'products',
  listDates: 'availability',
  listTimeslots: 'availability',
  listCalendar: 'availability',
  listDatesOfMany: 'availability',
  octoListProducts: 'products',
  octoGetProduct: 'products',
  octoCheckAvailability: 'availability',
  octoListCalendar: 'availability',
}
export type Operation = 'book' | 'cancel' | 'products' | 'availability'

/** How a call was answered: done now, told again under its Idempotency-Key, or the problem that refused it. */
export type CallOutcome = 'done' | 'replayed' | ProblemSlug

/** Upper bounds in milliseconds, whole; the last takes everything. What OTAs ask for, 1 s and 2 s, are among them. */
const bounds = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000,
  3_600_000,
]

/** The bucket of an answer that took so long. */
export function bucketOf(milliseconds: number): number {
  let index = 0
  while (milliseconds > bounds[index]! && index < bounds.length - 1) index++
  return bounds[index]!
}

/** How many calls of an operation were answered so, and within so many milliseconds (a bucket). */
export type Tally = { operation: Operation; outcome: CallOutcome; withinMs: number; calls: number }

export type OperationScore = {
  operation: Operation
  done: number
  replayed: number
  /** Most frequent first. */
  refusals: { slug: ProblemSlug; calls: number }[]
  /** Nothing when no call was decided. */
  times: Times | null
}

/** Each is at most the real one's upper neighbour among the bounds, in milliseconds; shares are of 1. */
export type Times = { p90: number; p95: number; withinOneSecond: number; withinTwoSeconds: number }

export function score(operation: Operation, tallies: readonly Tally[]): OperationScore {
  const ours = tallies.filter((tally) => tally.operation === operation)
  const callsBy = new Map<CallOutcome, number>()
  for (const { outcome, calls } of ours) callsBy.set(outcome, (callsBy.get(outcome) ?? 0) + calls)
  const refusals = [...callsBy].flatMap(([outcome, calls]) =>
    outcome === 'done' || outcome === 'replayed' ? [] : [{ slug: outcome, calls }],
  )
  return {
    operation,
    done: callsBy.get('done') ?? 0,
    replayed: callsBy.get('replayed') ?? 0,
    refusals: refusals.sort((one, other) => other.calls - one.calls),
    times: timesOf(ours.filter(({ outcome }) => isDecided(outcome))),
  }
}

/** What could not be read is refused at once, and would make the rest look better than it is. */
function isDecided(outcome: CallOutcome): boolean {
  if (outcome === 'done' || outcome === 'replayed') return true
  const { status } = problemTypes[outcome] ?? { status: 0 }
  return status === 409 || status >= 500
}

function timesOf(tallies: readonly Tally[]): Times | null {
  const all = tallies.reduce((sum, { calls }) => sum + calls, 0)
  if (all === 0) return null
  const sorted = tallies.toSorted((one, other) => one.withinMs - other.withinMs)
  const within = (milliseconds: number) =>
    sorted.filter(({ withinMs }) => withinMs <= milliseconds).reduce((sum, { calls }) => sum + calls, 0) / all
  const quantile = (share: number) => bounds.find((bound) => within(bound) >= share) ?? bounds.at(-1)!
  return {
    p90: quantile(0.9),
    p95: quantile(0.95),
    withinOneSecond: within(1000),
    withinTwoSeconds: within(2000),
  }
}
