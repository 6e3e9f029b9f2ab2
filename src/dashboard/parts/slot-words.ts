/** When timeslots are, in words: a start, or opening hours. Pure. */
import { hoursText, type OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { Texts } from '../../languages/texts.ts'

/** `openingHours` are those of an all-day timeslot. */
type TimeOfSlot = { time: string; openingHours?: OpeningPeriod[] | null | undefined }

/** `10:00`, or `10:00–13:00 and 14:30–18:00`. */
export function timeOf(t: Texts, { time, openingHours }: TimeOfSlot): string {
  return openingHours ? hoursText(openingHours, t.clock) : t.clock(time)
}

export function dayAndTime(t: Texts, slot: TimeOfSlot & { date: string }): string {
  return `${t.day(slot.date)}, ${timeOf(t, slot)}`
}
