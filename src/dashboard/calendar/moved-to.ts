/**
 * Says to which date and time a timeslot was moved, with a link to the timeslot there. The text
 * `calendar.moved` is a sentence, and `calendar.reopen.moved-to` is an item of a list. Pure.
 */
import type { MovedTimeslot } from '../../catalogue/timeslots/editing/move-queries.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { dayAndTime } from '../parts/slot-words.ts'

export function movedTo(
  t: Texts,
  key: 'calendar.moved' | 'calendar.reopen.moved-to',
  { toId, ...to }: MovedTimeslot,
): Markup {
  const place = { date: to.toDate, time: to.toTime, openingHours: to.toOpeningHours }
  return markupOf(t, key, {
    when: dayAndTime(t, place),
    link: (words) => html`<a href="/dashboard/calendar/timeslots/${toId}">${words}</a>`,
  })
}
