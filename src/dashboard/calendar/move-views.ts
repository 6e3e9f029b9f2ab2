/** The page that moves a timeslot, and what to do with one that somebody is on. Pure. */

import type { Timeslot, TimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { type FixedReason, fixedBy } from '../../catalogue/timeslots/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { type FormFaults, faultSummary, inputField, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { places } from '../parts/booking-words.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { calendarPath } from './range.ts'

export type GivenMove = { Date?: string; Time?: string }

type ShownMove = {
  slot: Timeslot
  /** Another timeslot of the product that stands at the place that is given. */
  standing: TimeslotAt | null
  given: GivenMove
  faults: FormFaults
}

const labels = new Map([
  ['Date', 'Date'],
  ['Time', 'Time'],
])

export function movePage(session: Session, t: Texts, shown: ShownMove): Markup {
  const { slot, faults } = shown
  const reason = fixedBy(slot)
  const week = calendarPath({ view: 'week', date: slot.date, productId: null })
  return html`<p class="no-print"><a href="/dashboard/calendar/timeslots/${slot.id}">Back to the timeslot</a> · <a href="${week}">Calendar of that week</a></p>
<p><strong>${slot.productName}</strong>, ${dayAndTime(t, slot)}: ${places(t, slot.capacity)}</p>
${faultSummary(faults && inWords(faults, labels))}
${reason ? instead(reason, t, shown) : moveForm(session, t, shown)}`
}

function moveForm(session: Session, t: Texts, { slot, standing, given, faults }: ShownMove): Markup {
  const field = (name: 'Date' | 'Time', value: string) => ({
    ...{ label: labels.get(name)!, name, value: given[name] ?? value, faults },
  })
  const isAllDay = slot.openingHours !== null
  const fields = html`${inputField(field('Date', slot.date), { type: 'date', required: true })}
${isAllDay ? '' : inputField(field('Time', slot.time), { type: 'time', required: true })}
${standing ? atPlace(standing) : ''}
<button>Move the timeslot</button>
<p class="hint">Nobody is on it, so nobody is told. Its places${isAllDay ? ', opening hours' : ''} and prices stay the same.${slot.scheduleId === null ? '' : ` At ${dayAndTime(t, slot)} a closed timeslot stays: otherwise its schedule would make it again.`}</p>`
  return postForm(session, `/dashboard/calendar/timeslots/${slot.id}/move`, fields)
}

/** What the product has at the place already. */
function atPlace({ id, onSale }: TimeslotAt): Markup {
  return html`<p><a href="/dashboard/calendar/timeslots/${id}">A timeslot is there</a>${onSale ? '. Choose another date or time.' : ' that is not on sale. If it is closed and nobody is on it, this one takes its place.'}</p>`
}

/** Who is on a timeslot is moved by a closure, which shows first who that is and what they are told. */
function instead(reason: FixedReason, t: Texts, { slot, standing, given }: ShownMove): Markup {
  const { id, productId, capacity, booked, held, waiting } = slot
  if (reason === 'begun') return html`<p class="fault">It has begun, and cannot be moved.</p>`
  if (reason === 'closed')
    return html`<p class="fault">It is closed. Put it on sale again, and then move it.</p>`
  const { number } = t
  const people = `${number(booked)} booked, ${number(held)} held, ${number(waiting)} waiting`
  const place = { date: given.Date ?? slot.date, time: given.Time ?? slot.time }
  const made = new URLSearchParams({
    ...{ ProductID: String(productId), Date: place.date, Time: place.time, Capacity: String(capacity) },
  })
  const closure = new URLSearchParams({ TimeslotID: String(id), Action: 'move' })
  if (standing) closure.set('Target', `${standing.date} ${standing.time}`)
  const isElsewhere = place.date !== slot.date || place.time !== slot.time
  const where = isElsewhere ? ` on ${dayAndTime(t, place)}` : ''
  return html`<p>Somebody is on it: ${people}. So they are moved, and told, in two steps.</p>
<ol>
<li>${
    standing
      ? html`There is <a href="/dashboard/calendar/timeslots/${standing.id}">a timeslot${where}</a> already.`
      : html`<a href="/dashboard/calendar/timeslots/new?${made.toString()}">Make a timeslot${where}</a> with as many places.`
  }</li>
<li><a href="/dashboard/calendar/closures?${closure.toString()}">Close this one and move its bookings</a>. You see first who is moved and what they are told.</li>
</ol>`
}
