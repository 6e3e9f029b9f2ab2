/** When timeslots are, in words: a start, or opening hours. Pure. */
import { hoursText, type OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { Formats } from '../frame/formats.ts'

/** `openingHours` are those of an all-day timeslot. */
type TimeOfSlot = { time: string; openingHours?: OpeningPeriod[] | null | undefined }

/** `10:00`, or `10:00–13:00 and 14:30–18:00`. */
export function timeOf(formats: Formats, { time, openingHours }: TimeOfSlot): string {
  return openingHours ? hoursText(openingHours, formats.time) : formats.time(time)
}

export function dayAndTime(formats: Formats, slot: TimeOfSlot & { date: string }): string {
  return `${formats.day(slot.date)}, ${timeOf(formats, slot)}`
}
