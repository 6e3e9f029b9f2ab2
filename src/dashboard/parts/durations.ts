/** Lengths of time as people write them: a number and a unit. Pure. */

const minutesIn = { minutes: 1, hours: 60, days: 1440 } as const

export type DurationUnit = keyof typeof minutesIn
export const durationUnits = Object.keys(minutesIn) as DurationUnit[]

/** Converts to minutes. The result may have a fraction, which the schema of the field then refuses. */
export function toMinutes(count: number, unit: DurationUnit): number {
  // 1.1 hours are 66 minutes, and not 66.00000000000001.
  return Math.round(count * minutesIn[unit] * 1e6) / 1e6
}

/**
 * Converts minutes to the largest unit in which the number is whole. 0 and fractions of a minute stay in
 * minutes.
 */
export function inLargestUnit(minutes: number): { count: number; unit: DurationUnit } {
  const whole = durationUnits.findLast((unit) => minutes !== 0 && minutes % minutesIn[unit] === 0)
  const unit = whole ?? 'minutes'
  return { count: minutes / minutesIn[unit], unit }
}

export function isDurationUnit(text: string | undefined): text is DurationUnit {
  return text !== undefined && Object.hasOwn(minutesIn, text)
}
