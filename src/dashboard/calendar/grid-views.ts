/**
 * A day or a week on a grid, with hours at the left and a column for each day. A phone shows a list of one
 * day instead. Pure.
 */

import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import { attributes } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import { unseen } from '../frame/text-tags.ts'
import { marksOf, type ProductBadge } from './marks.ts'
import { type Axis, axisOf, maxLanes, maxLanesOfWeek, type PlacedDay, placeDay } from './placing.ts'
import { calendarPath, daysOf } from './range.ts'
import type { ShownCalendar } from './shown.ts'
import { moreSlots, placeClasses, placedSlot, unplacedSlot } from './slot-views.ts'

type DayColumn = { day: string; slots: readonly Timeslot[]; placed: PlacedDay<Timeslot> }

export function grid(shown: ShownCalendar): Markup {
  const { view, slots, products, t } = shown
  const columns: DayColumn[] = daysOf(view).map((day) => {
    const own = slots.filter(({ date }) => date === day)
    return { day, slots: own, placed: placeDay(own, view.view === 'week' ? maxLanesOfWeek : undefined) }
  })
  const axis = axisOf(columns.map(({ placed }) => placed))
  const marks = marksOf(products)
  const hasAllDay = columns.some(({ placed }) => placed.allDay.length > 0)
  return html`${view.view === 'week' ? strip(shown) : ''}
${legend(shown, marks)}
<div class="scroller time-grid ${view.view}" role="region" aria-label="${t.say('calendar.grid')}" tabindex="0">
${clock(axis, hasAllDay, shown)}
${columns.map((column) => dayColumn(column, { axis, marks, shown }))}
</div>`
}

/** Links to the days of the week, for phones, which show one day at a time. */
function strip({ view, today, t }: ShownCalendar): Markup {
  const link = (date: string) => {
    const current = date === view.date ? 'date' : undefined
    const day = html`${shortFormats(t).weekday(date)} <strong>${Number(date.slice(8))}</strong>`
    return html`<a${attributes({ href: calendarPath({ ...view, date }), 'aria-current': current, class: date === today ? 'today' : undefined })}>${day}</a>`
  }
  return html`<nav class="strip no-print" aria-label="${t.say('calendar.week-days')}">${daysOf(view).map(link)}</nav>`
}

/** The letters and colour of each product that is shown. Empty with fewer than two products. */
function legend(
  { view, slots, products, t }: ShownCalendar,
  marks: ReadonlyMap<number, ProductBadge>,
): Markup {
  const isShown = new Set(slots.map(({ productId }) => productId))
  const shown = products.filter(({ id }) => isShown.has(id))
  if (view.productId !== null || shown.length < 2) return html``
  const item = ({ id, name }: { id: number; name: string }) =>
    html`<li><a class="${marks.get(id)!.colour}" href="${calendarPath({ ...view, productId: id })}"><span class="mark">${marks.get(id)!.mark}</span> ${name}</a></li>`
  return html`<ul class="legend no-print" aria-label="${t.say('calendar.products')}">${shown.map(item)}</ul>`
}

/** The hours at the left. Hidden from screen readers, because each timeslot has its time. */
function clock(axis: Axis, hasAllDay: boolean, { t }: ShownCalendar): Markup {
  const hour = (at: number) =>
    html`<span class="from-h${at}">${shortFormats(t).clock(`${String(at % 24).padStart(2, '0')}:00`)}</span>`
  const hours = axis ? Array.from({ length: axis.last - axis.first }, (_, index) => axis.first + index) : []
  return html`<div class="clock" aria-hidden="true"><span></span><span>${hasAllDay ? t.say('calendar.all-day') : ''}</span><div class="hours ${axisClasses(axis)}">${hours.map(hour)}</div></div>`
}

function axisClasses(axis: Axis): string {
  return axis ? `first-h${axis.first} last-h${axis.last}` : ''
}

type ColumnFrame = { axis: Axis; marks: ReadonlyMap<number, ProductBadge>; shown: ShownCalendar }

function dayColumn(column: DayColumn, frame: ColumnFrame): Markup {
  const { day, slots, placed } = column
  const { axis, marks, shown } = frame
  const { view, today, now, t } = shown
  const isList = placed.lanes > maxLanes
  const isClosed = slots.length > 0 && slots.every(({ status }) => status === 'closed')
  const signs = [
    'day',
    ...(day === view.date ? ['chosen'] : []),
    ...(day === today ? ['is-today'] : []),
    ...(isClosed ? ['closed'] : []),
    ...(slots.length === 0 ? ['vacant'] : []),
    ...(placed.timed.some(({ isLine }) => isLine) ? ['busy'] : []),
    ...(placed.lanes > 0 && !isList ? [`most-lanes${placed.lanes}`] : []),
  ]
  const draw = { marks, shown }
  const timed = isList
    ? placed.timed.map(({ slot }) => unplacedSlot(slot, draw))
    : placed.timed.map((one) => placedSlot(one, draw))
  return html`<section class="${signs.join(' ')}" id="day-${day}" data-day="${day}">
${dayHead(column, isClosed, shown)}
<div class="all-day">${placed.allDay.length > 0 ? html`<ul>${placed.allDay.map((slot) => unplacedSlot(slot, draw))}</ul>` : ''}</div>
<div${attributes({ class: `timed ${isList ? 'as-list' : axisClasses(axis)}`, 'data-first': axis?.first, 'data-last': axis?.last })}>
${timed.length > 0 ? html`<ul>${timed}${placed.more.map((more) => moreSlots(more, day, draw))}</ul>` : ''}
${day === today && isOn(axis, now) ? html`<p class="now ${placeClasses('from', minuteOf(now))}">${unseen(html`${t.say('calendar.now')}`)}</p>` : ''}</div>
</section>
`
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function isOn(axis: Axis, now: string): boolean {
  return axis !== null && minuteOf(now) >= axis.first * 60 && minuteOf(now) < axis.last * 60
}

function dayHead({ day, slots }: DayColumn, isClosed: boolean, { view, today, t }: ShownCalendar): Markup {
  const sum = (part: (slot: Timeslot) => number) => slots.reduce((total, slot) => total + part(slot), 0)
  const name = shortFormats(t).day(day)
  const title =
    view.view === 'day'
      ? t.say('calendar.timeslots')
      : html`<a href="${calendarPath({ ...view, view: 'day', date: day })}">${name}</a>`
  const figures = isClosed
    ? markupOf(t, 'calendar.day.closed', { booked: sum(({ booked }) => booked) })
    : t.say('calendar.day.figures', {
        booked: sum(({ booked }) => booked),
        held: sum(({ held }) => held),
        free: sum(freeOnSale),
      })
  return html`<div class="head"><h3>${title}${day === today ? html` ${badge(t.say('calendar.is-today'), 'accent')}` : ''}</h3>
<p class="hint">${slots.length > 0 ? figures : t.say('calendar.day.none')}</p>
${dayActions(t, day, slots)}</div>`
}

/** How many places of a timeslot can still be sold. */
function freeOnSale(slot: Timeslot): number {
  return slot.onSale ? Math.max(freeOf(slot), 0) : 0
}

function dayActions(t: Texts, day: string, slots: readonly Timeslot[]): Markup {
  const coming = slots.filter(({ hasBegun }) => !hasBegun)
  const links = [
    coming.some(({ status }) => status === 'closed') &&
      html`<a href="/dashboard/calendar/reopen?Date=${day}">${markupOf(t, 'calendar.day.reopen', { day, unseen })}</a>`,
    coming.some(({ status }) => status === 'open') &&
      html`<a href="/dashboard/calendar/closures?From=${day}&amp;To=${day}">${markupOf(t, 'calendar.day.close', { day, unseen })}</a>`,
  ].filter((link) => link !== false)
  return links.length > 0 ? html`<p class="hint actions no-print">${links}</p>` : html``
}
