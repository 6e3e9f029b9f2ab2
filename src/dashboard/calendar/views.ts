/** The calendar: a week or a day of timeslots and how full they are. Pure. */

import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import { addDays, mondayOf } from '../../platform/text/calendar.ts'
import type { Formats } from '../frame/formats.ts'
import { attributes, inputField, selectField } from '../frame/forms.ts'
import { badge, emptyState } from '../frame/layout.ts'
import { callsNotice } from '../parts/calls-notice.ts'
import { occupancy, sellPath, slotBadges } from '../parts/occupancy.ts'
import { timeOf } from '../parts/slot-words.ts'

export type CalendarView = { view: 'week' | 'day'; date: string; productId: number | null }

/** The first and the last day that a view shows. */
export function rangeOf({ view, date }: CalendarView): { from: string; to: string } {
  if (view === 'day') return { from: date, to: date }
  const from = mondayOf(date)
  return { from, to: addDays(from, 6) }
}

export function calendarPath({ view, date, productId }: CalendarView): string {
  const query = new URLSearchParams({ View: view, Date: date })
  if (productId !== null) query.set('ProductID', String(productId))
  return `/dashboard/calendar?${query}`
}

export type ShownCalendar = {
  view: CalendarView
  /** The account's date. */
  today: string
  timeZone: string
  slots: readonly Timeslot[]
  /** Whether there are more than are shown. */
  isCut: boolean
  products: readonly { id: number; name: string }[]
  /** How many customers of closed timeslots are to be called still. */
  openCalls: number
  formats: Formats
}

export function calendar(shown: ShownCalendar): Markup {
  const { view, slots, isCut, openCalls, formats } = shown
  const { from, to } = rangeOf(view)
  const days = view.view === 'day' ? [from] : [0, 1, 2, 3, 4, 5, 6].map((later) => addDays(from, later))
  const title = from === to ? formats.day(from) : `${formats.day(from)} – ${formats.day(to)}`
  return html`${filters(shown)}
${steps(shown)}
<div data-live id="calendar">
${callsNotice(openCalls, formats)}
<h2>${title}</h2>
${isCut ? html`<p class="fault">Only the first ${formats.number(slots.length)} timeslots are shown. Choose a product, or a day.</p>` : ''}
${slots.length === 0 ? emptyState(`No timeslots ${from === to ? 'on this day' : 'in this week'}.`) : ''}
<div class="days ${view.view}">${days.map((day) => oneDay(day, shown))}</div>
</div>`
}

function filters({ view, products }: ShownCalendar): Markup {
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  return html`<form method="get" action="/dashboard/calendar" class="filters no-print">
${selectField({ label: 'Show', name: 'View', value: view.view }, [
  { value: 'week', label: 'A week' },
  { value: 'day', label: 'A day' },
])}
${inputField({ label: 'Date', name: 'Date', value: view.date }, { type: 'date', required: true })}
${selectField({ label: 'Product', name: 'ProductID', value: view.productId }, [
  { value: '', label: 'All products' },
  ...choices,
])}
<button class="secondary">Show</button>
</form>`
}

function steps({ view, today }: ShownCalendar): Markup {
  const days = view.view === 'week' ? 7 : 1
  const at = (date: string) => calendarPath({ ...view, date })
  // Also of a week the one day: more is closed only by who says so.
  const closure = new URLSearchParams({ From: view.date, To: view.date })
  if (view.productId !== null) closure.set('ProductID', String(view.productId))
  const made = new URLSearchParams({ Date: view.date })
  if (view.productId !== null) made.set('ProductID', String(view.productId))
  return html`<div class="toolbar no-print">
<nav aria-label="Other dates" class="actions">
<a class="button secondary" rel="prev" href="${at(addDays(view.date, -days))}">Previous ${view.view}</a>
<a class="button secondary" href="${at(today)}">Today</a>
<a class="button secondary" rel="next" href="${at(addDays(view.date, days))}">Next ${view.view}</a>
</nav>
<p class="actions"><a class="button secondary" href="/dashboard/calendar/waitlist">Waitlist</a>
<a class="button secondary" href="/dashboard/calendar/feeds">Calendar links</a>
<a class="button secondary" href="/dashboard/calendar/timeslots/new?${made.toString()}">New timeslot</a>
<a class="button secondary" href="/dashboard/calendar/closures?${closure.toString()}">Weather closure</a></p>
</div>`
}

function oneDay(day: string, { view, today, slots, timeZone, formats }: ShownCalendar): Markup {
  const own = slots.filter(({ date }) => date === day)
  const sum = (part: (slot: Timeslot) => number) =>
    formats.number(own.reduce((total, slot) => total + part(slot), 0))
  const isClosed = own.length > 0 && own.every(({ status }) => status === 'closed')
  const name =
    view.view === 'day'
      ? html`Timeslots`
      : html`<a href="${calendarPath({ ...view, view: 'day', date: day })}">${formats.day(day)}</a>`
  return html`<section${attributes({ class: `day${own.length === 0 ? ' vacant' : ''}${isClosed ? ' closed' : ''}`, id: `day-${day}` })}>
<h3>${name} ${day === today ? badge('today', 'accent') : ''}</h3>
${own.length > 0 ? html`<p class="hint">${isClosed ? html`<strong>Closed</strong>, ${sum(({ booked }) => booked)} booked` : `${sum(({ booked }) => booked)} booked, ${sum(({ held }) => held)} held, ${sum(placesOf)} free`}</p>` : html`<p class="hint">No timeslots</p>`}
${dayActions(day, own)}
<ul>${own.map((slot) => oneSlot(slot, timeZone, formats))}</ul>
</section>
`
}

/** What is free of a timeslot that is not closed. */
function placesOf(slot: Timeslot): number {
  return slot.status === 'closed' ? 0 : freeOf(slot)
}

function dayActions(day: string, slots: readonly Timeslot[]): Markup {
  const coming = slots.filter(({ hasBegun }) => !hasBegun)
  const links = [
    coming.some(({ status }) => status === 'closed') &&
      html`<a href="/dashboard/calendar/reopen?Date=${day}">Reopen<span class="unseen"> ${day}</span></a>`,
    coming.some(({ status }) => status === 'open') &&
      html`<a href="/dashboard/calendar/closures?From=${day}&amp;To=${day}">Close<span class="unseen"> ${day}</span></a>`,
  ].filter((link) => link !== false)
  return links.length > 0 ? html`<p class="hint actions no-print">${links}</p>` : html``
}

function oneSlot(slot: Timeslot, timeZone: string, formats: Formats): Markup {
  return html`<li class="slot ${slot.onSale ? 'on-sale' : 'off-sale'} ${slot.status}">
<a href="/dashboard/calendar/timeslots/${slot.id}"><strong>${timeOf(formats, slot)}</strong> ${slot.productName}</a>
${occupancy(slot, formats)}
${slotBadges(slot, timeZone, formats)}
${slot.onSale ? sellLink(slot, formats) : ''}</li>
`
}

/** Of a full one too: the waitlist is joined there. */
function sellLink(slot: Timeslot, formats: Formats): Markup {
  const of = html`<span class="unseen"> ${timeOf(formats, slot)} ${slot.productName}</span>`
  return html`<p class="no-print"><a class="sell" href="${sellPath(slot)}">Sell${of}</a></p>`
}
