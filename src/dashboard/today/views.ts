/** A day's timeslots and their parties, on a screen to check them in and on paper as a manifest. Pure. */

import type { Question } from '../../catalogue/products/service.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import { addDays } from '../../platform/text/calendar.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { attendanceButtons } from '../bookings/detail-views.ts'
import type { Formats } from '../frame/formats.ts'
import { inputField } from '../frame/forms.ts'
import { badge, emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { textsFor } from '../parts/answers.ts'
import { attendanceBadge, channelBadge, partyName } from '../parts/booking-words.ts'
import { sellPath } from '../parts/occupancy.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { timeOf } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'

type DayView = {
  date: string
  today: string
  slots: readonly Timeslot[]
  parties: readonly BookingRecord[]
  questions: readonly Question[]
  isCut: boolean
}

export function dayView(session: Session, formats: Formats, day: DayView): Markup {
  const { date, today, slots, parties, isCut } = day
  return html`${picker(date, today)}
<div data-live id="day">
${totals(formats, slots, parties)}
${
  isCut
    ? html`<p class="fault">There is more on this day than fits on a page: <a href="/dashboard/bookings?From=${date}&amp;To=${date}&amp;Status=confirmed">all its bookings</a>.</p>`
    : ''
}
${slots.length === 0 ? emptyState('Nothing takes place on this day.') : ''}
${slots.map((slot) => slotSection(session, formats, day, slot))}
</div>`
}

function picker(date: string, today: string): Markup {
  const link = (day: string, text: string) =>
    html`<a class="button secondary" href="/dashboard/today?Date=${day}">${text}</a>`
  return html`<form method="get" action="/dashboard/today" class="filters no-print">
${link(addDays(date, -1), 'Day before')}
${date === today ? '' : link(today, 'Today')}
${link(addDays(date, 1), 'Day after')}
${inputField({ label: 'Day', name: 'Date', value: date }, { type: 'date', required: true })}
<button class="secondary">Show</button>
</form>`
}

function totals(formats: Formats, slots: readonly Timeslot[], parties: readonly BookingRecord[]): Markup {
  const count = (which: readonly BookingRecord[]) =>
    formats.number(which.reduce((sum, { Participants }) => sum + Participants, 0))
  const came = parties.filter(({ Attendance }) => Attendance === 'checked-in')
  const missing = parties.filter(({ Attendance }) => Attendance === 'no-show')
  const figures: [string, string][] = [
    ['Timeslots', formats.number(slots.length)],
    ['Parties', formats.number(parties.length)],
    ['People', count(parties)],
    ['Checked in', count(came)],
    ['No-shows', count(missing)],
  ]
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function slotSection(session: Session, formats: Formats, day: DayView, slot: Timeslot): Markup {
  const { id, productName, capacity, booked, held, waiting, status } = slot
  const time = timeOf(formats, slot)
  const parties = day.parties.filter(({ TimeslotID }) => TimeslotID === id)
  const figures = [
    `${formats.number(booked)} of ${formats.number(capacity)} booked`,
    held > 0 ? `${formats.number(held)} held` : '',
    status === 'closed' ? '' : `${formats.number(freeOf(slot))} free`,
    waiting > 0 ? `${formats.number(waiting)} waiting` : '',
  ]
  return html`<section class="slot" aria-labelledby="slot-${id}">
<h2 id="slot-${id}">${time} ${productName} ${status === 'closed' ? badge('Closed', 'bad') : ''}</h2>
<p class="hint">${figures.filter((text) => text !== '').join(', ')}
${slot.onSale && freeOf(slot) > 0 ? html`<a class="no-print" href="${sellPath(slot)}">Sell<span class="unseen"> ${time} ${productName}</span></a>` : ''}</p>
${
  parties.length === 0
    ? html`<p class="hint">No bookings.</p>`
    : html`<ul class="parties">${parties.map((party) => partyItem(session, formats, day, party))}</ul>`
}
</section>`
}

function partyItem(
  session: Session,
  formats: Formats,
  { date, questions }: DayView,
  party: BookingRecord,
): Markup {
  const { BookingReference, Customer, Attendance, Channel, Partner } = party
  const who = partyName(Customer)
  const action = `/dashboard/today/${BookingReference}/attendance`
  const fields = html`<input type="hidden" name="Date" value="${date}">`
  return html`<li id="party-${BookingReference}">
<span class="tick" aria-hidden="true"></span>
<div class="who"><strong>${who}</strong>, ${partyText(formats, party)} ${attendanceBadge(Attendance)}
<div class="hint">${bookingLink(BookingReference)}
${Customer.Phone ? html` · <a href="tel:${Customer.Phone}">${Customer.Phone}</a>` : ''}
<span class="no-print"> · ${totalText(formats, party)} · ${channelBadge(Channel)} ${Partner?.Name ?? ''}</span></div>
${party.Notes ? html`<div>${party.Notes}</div>` : ''}${answersThatMatter(questions, party)}</div>
<div class="attendance no-print">${attendanceButtons(session, { BookingReference, Attendance, who }, { action, fields })}</div>
</li>`
}

/** Who leads the party needs what the operator said is required to know. */
function answersThatMatter(questions: readonly Question[], { Answers }: BookingRecord): Markup {
  const answered = questions.flatMap(({ id, label, required }) => {
    const texts = required ? textsFor(Answers, id).filter((text) => text.trim() !== '') : []
    return texts.length > 0 ? [html`<li>${label} <strong>${texts.join(' · ')}</strong></li>`] : []
  })
  return answered.length > 0 ? html`<ul class="answers">${answered}</ul>` : html``
}
