/** How long before the start a booking can be cancelled, as OCTO writes it. Pure. */

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
