/** What is paid back of a booking that is cancelled. Pure. */
import { percentOf } from '../platform/text/money.ts'

/** So many hundredths of a percent are paid back until so many hours before the start. */
export type RefundStep = { basisPoints: number; hoursBefore: number }

const hourMs = 3_600_000

/**
 * What of a total is paid back so many milliseconds before the start, which are negative after it: what the first step
 * says whose time has not passed, or nothing.
 * @param steps the one that is longest before the start first.
 */
export function refundOf(steps: readonly RefundStep[], totalMinor: bigint, msBefore: number): bigint {
  const step = steps.find(({ hoursBefore }) => msBefore >= hoursBefore * hourMs)
  return step ? percentOf(totalMinor, step.basisPoints) : 0n
}
