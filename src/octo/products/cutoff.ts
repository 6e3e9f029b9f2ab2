/** The cancellation cut-off as OCTO writes it: how long before the start. Pure. */
import type { Product } from '../../catalogue/queries.ts'

const units = [
  { unit: 'day', minutes: 1440 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
] as const

export type Cutoff = { amount: number; unit: 'day' | 'hour' | 'minute'; text: string }

/** A number of minutes in the largest unit of time that divides it; 0 is "0 days". */
export function cutoffOf(totalMinutes: number): Cutoff {
  const { unit, minutes } = units.find((one) => totalMinutes % one.minutes === 0)!
  const amount = totalMinutes / minutes
  return { amount, unit, text: `${amount} ${unit}${amount === 1 ? '' : 's'}` }
}

/**
 * How long before the start a cancellation must be made to get a full refund. Without refund terms, this is
 * the cut-off of cancellations. If the terms have no full refund, it is the cut-off too, and `text` says that
 * not all is refunded.
 */
export function fullRefundCutoffOf({
  cancelCutoffMinutes,
  refundTerms,
}: Pick<Product, 'cancelCutoffMinutes' | 'refundTerms'>): Cutoff {
  const cutoff = cancelCutoffMinutes ?? 0
  // The terms are sorted by time, the longest first.
  const full = refundTerms.findLast(({ basisPoints }) => basisPoints === 10_000)
  if (full) return cutoffOf(Math.max(cutoff, full.hoursBefore * 60))
  const fullRefundCutoff = cutoffOf(cutoff)
  return refundTerms.length > 0
    ? { ...fullRefundCutoff, text: `${fullRefundCutoff.text}, not all is refunded` }
    : fullRefundCutoff
}
