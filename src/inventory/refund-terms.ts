/** How much is paid back for a cancelled booking. Pure. */
import { percentOf } from '../platform/text/money.ts'

/**
 * Until `hoursBefore` hours before the start, `basisPoints` hundredths of a percent of the total are paid
 * back.
 */
export type RefundStep = { basisPoints: number; hoursBefore: number }

const hourMs = 3_600_000

/**
 * The part of a total that is paid back for a cancellation, by the first step whose time has not passed; 0 if
 * there is no such step.
 * @param msBefore the milliseconds until the start; negative after the start.
 * @param steps in descending order of `hoursBefore`.
 */
export function refundOf(steps: readonly RefundStep[], totalMinor: bigint, msBefore: number): bigint {
  const step = steps.find(({ hoursBefore }) => msBefore >= hoursBefore * hourMs)
  return step ? percentOf(totalMinor, step.basisPoints) : 0n
}
