/** How long before the start a booking can be cancelled, as OCTO writes it. Pure. */
import type { Product } from '../../catalogue/queries.ts'

const units = [
  { unit: 'day', minutes: 1440 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
] as const

export type Cutoff = { amount: number; unit: 'day' | 'hour' | 'minute'; text: string }

/** In the largest unit that divides it. */
export function cutoffOf(totalMinutes: number): Cutoff {
  const { unit, minutes } = units.find((one) => totalMinutes % one.minutes === 0)!
  const amount = totalMinutes / minutes
  return { amount, unit, text: `${amount} ${unit}${amount === 1 ? '' : 's'}` }
}

/**
 * Until when a booking can be cancelled and all of it is paid back. Where all of it never is, until when it can be
 * cancelled; the text says so.
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
