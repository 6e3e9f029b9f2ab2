/** The cancellation cut-off as OCTO writes it: a time before the start. Pure. */
import type { Product } from '../../catalogue/queries.ts'

const units = [
  { unit: 'day', minutes: 1440 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
] as const

export type Cutoff = { amount: number; unit: 'day' | 'hour' | 'minute'; text: string }

/** An amount in the largest unit of time that divides it. */
export function cutoffOf(totalMinutes: number): Cutoff {
  const { unit, minutes } = units.find((one) => totalMinutes % one.minutes === 0)!
  const amount = totalMinutes / minutes
  return { amount, unit, text: `${amount} ${unit}${amount === 1 ? '' : 's'}` }
}

/**
 * The latest time at which a cancellation gets a full refund. For a product without full refunds: the latest time of a
 * cancellation, and the text says so.
 */
export function policyOf({
  cancelCutoffMinutes,
  refundTerms,
}: Pick<Product, 'cancelCutoffMinutes' | 'refundTerms'>): Cutoff {
  const cutoff = cancelCutoffMinutes ?? 0
  const full = refundTerms.find(({ basisPoints }) => basisPoints === 10_000)
  if (full) return cutoffOf(Math.max(cutoff, full.hoursBefore * 60))
  const policy = cutoffOf(cutoff)
  return refundTerms.length > 0 ? { ...policy, text: `${policy.text}, not all is refunded` } : policy
}
