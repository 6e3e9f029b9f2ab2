/**
 * The page that moves a timeslot. If the timeslot has bookings, holds or waitlist entries, the page says how
 * to move the bookings instead. Pure.
 */

import type { Timeslot, TimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { findMoveObstacle, type MoveObstacle } from '../../catalogue/timeslots/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { inputField } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { places } from '../parts/booking-words.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { hoursQuery } from './new-timeslot-views.ts'
import { calendarPath } from './range.ts'

export type GivenMove = { Date?: string; Time?: string }

type ShownMove = {
  slot: Timeslot
  /** Another timeslot of the product at the given date and time; null if there is none. */
  existing: TimeslotAt | null
  given: GivenMove
  faults: FormFaults
}

const labels = { Date: 'calendar.date', Time: 'calendar.time' } as const

export function movePage(session: Session, t: Texts, shown: ShownMove): Markup {
  const { slot, faults } = shown
  const reason = findMoveObstacle(slot)
  const week = calendarPath({ view: 'week', date: slot.date, productId: null })
  return html`<p class="no-print"><a href="/dashboard/calendar/timeslots/${slot.id}">${t.say('calendar.back')}</a> · <a href="${week}">${t.say('calendar.of-week')}</a></p>
<p><strong>${slot.productName}</strong>, ${dayAndTime(t, slot)}: ${places(t, slot.capacity)}</p>
${faultSummary(faults && inWords(faults, labelsOf(t)))}
${reason ? instead(reason, t, shown) : moveForm(session, t, shown)}`
}

function moveForm(session: Session, t: Texts, { slot, existing, given, faults }: ShownMove): Markup {
  const field = (name: keyof typeof labels, value: string) => ({
    ...{ label: t.say(labels[name]), name, value: given[name] ?? value, faults },
  })
  const isAllDay = slot.openingHours !== null
  const fields = html`${inputField(field('Date', slot.date), { type: 'date', required: true })}
${isAllDay ? '' : inputField(field('Time', slot.time), { type: 'time', required: true })}
${existing ? existingTimeslotNotice(t, existing) : ''}
<button>${t.say('calendar.move.button')}</button>
<p class="hint">${t.say(isAllDay ? 'calendar.move.about.all-day' : 'calendar.move.about')}${slot.scheduleId === null ? '' : ` ${t.say('calendar.move.schedule', { when: dayAndTime(t, slot) })}`}</p>`
  return postForm(session, `/dashboard/calendar/timeslots/${slot.id}/move`, fields)
}

/** Says that the product already has a timeslot at that date and time. */
function existingTimeslotNotice(t: Texts, { id, onSale }: TimeslotAt): Markup {
  const link = linkTo(`/dashboard/calendar/timeslots/${id}`)
  return html`<p>${markupOf(t, onSale ? 'calendar.move.there' : 'calendar.move.there.off-sale', { link })}</p>`
}

/**
 * The text that replaces the form. For a timeslot with bookings, holds or waitlist entries, it says how to move
 * the bookings with a closure. For a timeslot that has begun, or is closed and empty, it says why the timeslot
 * cannot be moved.
 */
function instead(reason: MoveObstacle, t: Texts, { slot, existing, given }: ShownMove): Markup {
  const { id, productId, capacity, booked, held, waiting, openingHours } = slot
  if (reason === 'begun' || reason === 'closed')
    return html`<p role="status">${t.say(`calendar.move.${reason}`)}</p>
<p><a class="button secondary" href="/dashboard/calendar/timeslots/${id}">${t.say('calendar.back')}</a></p>`
  const time = given.Time ?? slot.time
  // An all-day timeslot keeps its opening hours, which begin at its time.
  const place = {
    date: given.Date ?? slot.date,
    time,
    openingHours: time === slot.time ? openingHours : null,
  }
  const newTimeslotQuery = new URLSearchParams({
    ...{ ProductID: String(productId), Date: place.date, Time: place.time, Capacity: String(capacity) },
  })
  for (const hours of hoursQuery(place.openingHours)) newTimeslotQuery.append('Hours', hours)
  const closure = new URLSearchParams({ TimeslotID: String(id), Action: 'move' })
  if (existing) closure.set('Target', `${existing.date} ${existing.time}`)
  const isElsewhere = place.date !== slot.date || place.time !== slot.time
  const when = dayAndTime(t, existing ?? place)
  const make = linkTo(`/dashboard/calendar/timeslots/new?${newTimeslotQuery.toString()}`)
  return html`<p>${t.say('calendar.move.somebody', { booked, held, waiting })}</p>
<ol>
<li>${
    existing
      ? markupOf(t, 'calendar.move.existing', {
          ...{ when, link: linkTo(`/dashboard/calendar/timeslots/${existing.id}`) },
        })
      : isElsewhere
        ? markupOf(t, 'calendar.move.make-at', { when, link: make })
        : markupOf(t, 'calendar.move.make', { link: make })
  }</li>
<li>${markupOf(t, 'calendar.move.close', { link: linkTo(`/dashboard/calendar/closures?${closure.toString()}`) })}</li>
</ol>`
}

function linkTo(path: string) {
  return (words: Markup) => html`<a href="${path}">${words}</a>`
}

function labelsOf(t: Texts): Map<string, string> {
  return new Map(Object.entries(labels).map(([field, key]) => [field, t.say(key)]))
}
