/** Where a timeslot was moved to, with the link to it. Pure. */
import type { MovedTimeslot } from '../../catalogue/timeslots/editing/move-queries.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Formats } from '../frame/formats.ts'
import { dayAndTime } from '../parts/slot-words.ts'

export function movedTo(formats: Formats, { toId, ...to }: MovedTimeslot): Markup {
  const place = { date: to.toDate, time: to.toTime, openingHours: to.toOpeningHours }
  return html`moved to <a href="/dashboard/calendar/timeslots/${toId}">${dayAndTime(formats, place)}</a>`
}
