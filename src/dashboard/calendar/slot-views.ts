/** A timeslot in the calendar: its time, product, occupancy and special states. Pure. */

import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import { attributes } from '../frame/forms.ts'
import { unseen } from '../frame/text-tags.ts'
import { joinPath, occupancyBar, sellPath, slotBadges } from '../parts/occupancy.ts'
import { timeOf } from '../parts/slot-words.ts'
import type { ProductBadge } from './marks.ts'
import type { MoreTimeslots, Placed } from './placing.ts'
import { calendarPath } from './range.ts'
import type { ShownCalendar } from './shown.ts'

type Draw = { marks: ReadonlyMap<number, ProductBadge>; shown: ShownCalendar }

/** The CSS classes that put an edge of a box at a minute, counted from midnight. */
export function placeClasses(edge: 'from' | 'to', minute: number): string {
  return `${edge}-h${Math.floor(minute / 60)} ${edge}-m${minute % 60}`
}

const unmarked: ProductBadge = { mark: '', colour: 'hue0' }

export function placedSlot(placed: Placed<Timeslot>, draw: Draw): Markup {
  if (placed.isHidden) return oneSlot(placed.slot, 'in-more', draw)
  const isLow = placed.isLine || placed.toMinute - placed.fromMinute < twoLinesMinutes
  return oneSlot(placed.slot, `${isLow ? 'low ' : ''}${placeOf(placed)}`, draw)
}

/** A timeslot whose box has fewer minutes than this shows its name and its occupancy in one line. */
const twoLinesMinutes = 45

function placeOf({
  fromMinute,
  toMinute,
  lane,
  span,
  lanes,
}: Omit<Placed<Timeslot>, 'slot' | 'isLine' | 'isHidden'>) {
  const place = `${placeClasses('from', fromMinute)} ${placeClasses('to', toMinute)}`
  return `${place} lane${lane} span${span} lanes${lanes}`
}

/**
 * Replaces timeslots that have no room in the view of a week. It shows their number, links to the day, and
 * has the names of their products as its tooltip.
 */
export function moreSlots(more: MoreTimeslots<Timeslot>, day: string, { shown }: Draw): Markup {
  const { view, t } = shown
  const products = new Set(more.slots.map(({ productName }) => productName))
  const path = calendarPath({ ...view, view: 'day', date: day })
  const words = markupOf(t, 'calendar.more', {
    ...{ count: more.slots.length, day: shortFormats(t).day(day), unseen },
  })
  return html`<li class="more ${placeOf(more)}" title="${[...products].join(', ')}"><a href="${path}">${words}</a></li>
`
}

export function unplacedSlot(slot: Timeslot, draw: Draw): Markup {
  return oneSlot(slot, '', draw)
}

function oneSlot(slot: Timeslot, place: string, { marks, shown }: Draw): Markup {
  const { t, timeZone, isLive } = shown
  const { mark, colour } = marks.get(slot.productId) ?? unmarked
  const path = `/dashboard/calendar/timeslots/${slot.id}`
  const time = timeOf(t, slot)
  const { clock, hours } = shortFormats(t)
  const canMove = isLive && slot.status === 'open' && !slot.hasBegun
  const signs = ['slot', slot.onSale ? 'on-sale' : 'off-sale', slot.status, colour, place]
  return html`<li${attributes({
    class: signs.filter((sign) => sign !== '').join(' '),
    title: `${time} ${slot.productName}`,
    'data-move': canMove ? `${path}/move` : undefined,
    'data-all-day': canMove && slot.openingHours !== null,
  })}>
<span class="mark" aria-hidden="true">${mark}</span><a href="${path}"><strong>${slot.openingHours ? hours(time) : clock(slot.time)}</strong> <span class="name">${slot.productName}</span></a>
<p class="state">${state(slot, t)}</p>
${slotBadges(slot, timeZone, t)}
${slot.onSale ? sellLink(t, slot, time) : ''}${occupancyBar(slot)}</li>
`
}

function state({ status, booked, held, capacity }: Timeslot, t: Texts): Markup {
  // A calendar has up to a thousand timeslots. Formatting a number with `t` is faster than formatting it within a text.
  const counts = { booked: t.number(booked), capacity: t.number(capacity) }
  const share = html`<span>${markupOf(t, 'calendar.slot.share', { ...counts, of, unseen })}</span>`
  return html`${status === 'closed' ? html`<strong>${t.say('calendar.closed')}</strong> ` : ''}${share}${held > 0 ? html` <span>${t.say('calendar.held', { count: held })}</span>` : ''}`
}

/** The word between two numbers. Where there is little room, the style sheet replaces it with a slash. */
function of(words: Markup): Markup {
  return html`<span class="of">${words}</span>`
}

/** The link to Sell, or to the waitlist if the timeslot is full. */
function sellLink(t: Texts, slot: Timeslot, time: string): Markup {
  const isFull = freeOf(slot) <= 0
  const key = isFull ? 'calendar.slot.join' : 'calendar.slot.sell'
  const words = markupOf(t, key, { time, product: slot.productName, unseen })
  return html`<p class="no-print"><a class="sell" href="${isFull ? joinPath(slot.id) : sellPath(slot)}">${words}</a></p>`
}
