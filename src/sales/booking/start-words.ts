/** The start time of a booking, or the opening hours of an all-day booking, as text in a language. Pure. */
import { type OpeningHoursField, toPeriods } from '../../catalogue/opening-hours.ts'
import type { Texts } from '../../languages/texts.ts'

/** `at 10:00`; for an all-day booking `open 09:00–17:00`, the hours in which its customer may arrive. */
export function startWords(
  t: Texts,
  { Time, OpeningHours }: { Time: string; OpeningHours?: OpeningHoursField | undefined },
): string {
  const hours = toPeriods(OpeningHours)
  return hours ? t.say('when.open', { hours: t.hours(hours) }) : t.say('when.time', { time: t.time(Time) })
}
