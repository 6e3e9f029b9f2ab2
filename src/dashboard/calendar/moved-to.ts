/** Where a timeslot was moved to, with the link to it. Pure. */
import type { MovedTimeslot } from '../../catalogue/timeslots/editing/move-queries.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { dayAndTime } from '../parts/slot-words.ts'

export function movedTo(t: Texts, { toId, ...to }: MovedTimeslot): Markup {
  const place = { date: to.toDate, time: to.toTime, openingHours: to.toOpeningHours }
  return html`moved to <a href="/dashboard/calendar/timeslots/${toId}">${dayAndTime(t, place)}</a>`
}
