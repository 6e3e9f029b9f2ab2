/** The bookings that a closure affects, and how it changes each. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { TimeslotClosure } from '../../sales/closure/model.ts'
import type { AffectedBooking } from '../../sales/closure/service.ts'
import { badge, table } from '../frame/layout.ts'
import { hereText } from '../parts/attendance.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { entryName } from './waitlist-views.ts'

/**
 * A warning if guests are checked in, because they may be on the trip already. Empty if no guest is checked in.
 * @param count the number of checked-in guests on the timeslots that will be closed.
 */
export function hereNotice(t: Texts, count: number): Markup {
  return count === 0 ? html`` : html`<p class="notice">${t.say('calendar.closure.here', { count })}</p>`
}

export function affectedTable(
  t: Texts,
  results: readonly TimeslotClosure[],
  bookings: readonly AffectedBooking[],
): Markup {
  const byId = new Map(results.map((result) => [result.timeslotId, result]))
  return table<AffectedBooking>(
    t.say('calendar.closure.bookings-table'),
    [
      {
        head: t.say('word.timeslot'),
        onCard: 'line',
        cell: ({ timeslotId }) => dayAndTime(t, byId.get(timeslotId)!),
      },
      { head: t.say('word.booking'), onCard: 'title', cell: ({ reference }) => bookingLink(reference) },
      { head: t.say('word.name'), onCard: 'name', cell: (booking) => entryName(t, booking) },
      {
        head: t.say('word.party'),
        onCard: 'side',
        cell: ({ participants }) => t.people(participants),
        numeric: true,
      },
      {
        head: t.say('calendar.closure.fate'),
        onCard: 'line',
        cell: (booking) =>
          html`${fateOf(booking, byId.get(booking.timeslotId)!, t)} ${booking.peopleHere > 0 ? badge(hereText(t, { PeopleHere: booking.peopleHere, Participants: booking.participants }), 'warn') : ''}`,
      },
    ],
    bookings,
  )
}

function fateOf(
  { status, hasEmail }: AffectedBooking,
  { result, movedTo }: TimeslotClosure,
  t: Texts,
): Markup {
  if (result !== 'closed') return html`${t.say('calendar.closure.fate.stays')}`
  if (status === 'held') return html`${t.say('calendar.closure.fate.held')}`
  if (status === 'waitlisted') return html`${t.say('calendar.closure.fate.waited')}`
  const told = hasEmail ? '' : badge(t.say('calendar.closure.fate.tell'), 'warn')
  return movedTo
    ? html`${t.say('calendar.closure.fate.moves', { when: dayAndTime(t, movedTo) })} ${told}`
    : html`${t.say('calendar.closure.fate.cancelled')} ${told}`
}
