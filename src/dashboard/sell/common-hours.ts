/** The most frequent opening hours of a list of timeslots, which the page shows only once. Pure. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Texts } from '../../languages/texts.ts'
import { dayAndTime, timeOf } from '../parts/slot-words.ts'

/**
 * The most frequent opening hours of the timeslots, in words. Null if a timeslot has a start time, or if no
 * two timeslots have the same hours.
 */
export function commonHours(t: Texts, slots: readonly Timeslot[]): string | null {
  const days = new Map<string, number>()
  for (const slot of slots) {
    if (!slot.openingHours) return null
    const hours = timeOf(t, slot)
    days.set(hours, (days.get(hours) ?? 0) + 1)
  }
  const [most] = [...days].sort(([, one], [, other]) => other - one)
  return most && most[1] > 1 ? most[0] : null
}

/** When a timeslot is, without its hours if they are the common ones. */
export function dayWithin(t: Texts, slot: Timeslot, common: string | null): string {
  if (common === null) return dayAndTime(t, slot)
  const hours = timeOf(t, slot)
  return hours === common ? t.day(slot.date) : `${t.day(slot.date)}, ${t.say('sell.slot.open', { hours })}`
}
