/**
 * Pure rules of scorecards: the buckets in which response times are counted, and the statistics of a
 * histogram.
 */
import { type ProblemSlug, problemTypes } from '../../http/problem-types.ts'

/** The partner operations that are counted for live and test keys, by operation ID. */
export const countedOperations: Record<string, Operation> = {
  createBooking: 'book',
  cancelOwnBooking: 'cancel',
  octoReserve: 'book',
  octoCancelBooking: 'cancel',
  octoDeleteBooking: 'cancel',
}

/** The operations that are counted only for test keys: what a partner tries before it goes live. */
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

/**
 * The outcome of a request: done now, replayed for its Idempotency-Key or OCTO uuid, or the problem that
 * refused it.
 */
export type RequestOutcome = 'done' | 'replayed' | ProblemSlug

/**
 * Upper limits in milliseconds; the last bucket has no limit. They include 1 s and 2 s, the limits that OTAs
 * set.
 */
const bounds = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000,
  3_600_000,
]

/** The upper limit of the bucket of a response time. The last bucket also has all longer times. */
export function bucketOf(milliseconds: number): number {
  let index = 0
  while (milliseconds > bounds[index]! && index < bounds.length - 1) index++
  return bounds[index]!
}

/** How many requests of an operation had this outcome, within this many milliseconds (a bucket). */
export type Tally = { operation: Operation; outcome: RequestOutcome; withinMs: number; calls: number }

export type OperationScore = {
  operation: Operation
  done: number
  replayed: number
  /** Most frequent first. */
  refusals: { slug: ProblemSlug; calls: number }[]
  /** Null if no request succeeded, got 409, or failed with a status of 500 or more. */
  times: Times | null
}

/**
 * `p90` and `p95`: the upper limits, in milliseconds, of the buckets that contain these quantiles.
 * `withinOneSecond` and `withinTwoSeconds`: shares from 0 to 1.
 */
export type Times = { p90: number; p95: number; withinOneSecond: number; withinTwoSeconds: number }

export function score(operation: Operation, tallies: readonly Tally[]): OperationScore {
  const ours = tallies.filter((tally) => tally.operation === operation)
  const callsBy = new Map<RequestOutcome, number>()
  for (const { outcome, calls } of ours) callsBy.set(outcome, (callsBy.get(outcome) ?? 0) + calls)
  const refusals = [...callsBy].flatMap(([outcome, calls]) =>
    outcome === 'done' || outcome === 'replayed' ? [] : [{ slug: outcome, calls }],
  )
  return {
    operation,
    done: callsBy.get('done') ?? 0,
    replayed: callsBy.get('replayed') ?? 0,
    refusals: refusals.sort((one, other) => other.calls - one.calls),
    times: timesOf(ours.filter(({ outcome }) => isTimed(outcome))),
  }
}

/**
 * Whether the response time is part of the statistics. Client errors except 409 are not: they are sent at
 * once, and would make the times look better than they are.
 */
function isTimed(outcome: RequestOutcome): boolean {
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
