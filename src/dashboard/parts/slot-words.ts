/** When timeslots are, in words: a start, or opening hours. Pure. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { Texts } from '../../languages/texts.ts'

/** Only all-day timeslots have `openingHours`. */
type TimeOfSlot = { time: string; openingHours?: OpeningPeriod[] | null | undefined }

/** `10:00`, or `10:00–13:00 and 14:30–18:00`. */
export function timeOf(t: Texts, { time, openingHours }: TimeOfSlot): string {
  if (!openingHours) return t.clock(time)
  return t.all(openingHours.map(({ opens, closes }) => `${t.clock(opens)}–${t.clock(closes)}`))
}

export function dayAndTime(t: Texts, slot: TimeOfSlot & { date: string }): string {
  return `${t.day(slot.date)}, ${timeOf(t, slot)}`
}
