/** When a booking begins, or while it is open, in the words of a language. Pure. */
import { type OpeningHoursField, toPeriods } from '../../catalogue/opening-hours.ts'
import type { Texts } from '../../languages/texts.ts'

/** `at 10:00`; of an all-day booking `open 09:00–17:00`, during which its customer may arrive. */
export function startWords(
  t: Texts,
  { Time, OpeningHours }: { Time: string; OpeningHours?: OpeningHoursField | undefined },
): string {
  const hours = toPeriods(OpeningHours)
  return hours ? t.say('when.open', { hours: t.hours(hours) }) : t.say('when.time', { time: t.time(Time) })
}
