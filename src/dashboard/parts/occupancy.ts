/** The occupancy of a timeslot in numbers and as a bar, and its special states in words. Pure. */

import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Texts } from '../../languages/texts.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import { attributes } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import { partyQuery } from './party-fields.ts'

type OccupancyCounts = Pick<Timeslot, 'capacity' | 'booked' | 'held' | 'status'>

/**
 * The figures and the bar of a timeslot. Held places are half as high as booked ones. A closed timeslot has
 * figures only.
 */
export function occupancy(slot: OccupancyCounts, t: Texts): Markup {
  const { capacity, booked, held, status } = slot
  const say = (what: 'booked' | 'held' | 'free' | 'of', count: number) =>
    t.say(`occupancy.${what}`, { count })
  if (status === 'closed')
    return html`<p class="figures"><strong>${t.say('occupancy.closed')}</strong> <span>${say('booked', booked)}</span>
${held > 0 ? html`<span>${say('held', held)}</span>` : ''} <span>${say('of', capacity)}</span></p>`
  return html`${bar(slot)}
<p class="figures"><span>${say('booked', booked)}</span> <span>${say('held', held)}</span>
<span>${say('free', freeOf(slot))}</span> <span>${say('of', capacity)}</span></p>`
}

/** Only the bar, for views that have their own figures. Empty for a closed timeslot. */
export function occupancyBar(slot: OccupancyCounts): Markup {
  return slot.status === 'closed' ? html`` : bar(slot)
}

function bar({ capacity, booked, held }: OccupancyCounts): Markup {
  const share = (places: number) => Math.round((capacity === 0 ? 0 : places / capacity) * 1000) / 10
  return html`<svg class="occupancy" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" width="100" height="8"/>
<rect${attributes({ class: 'booked', width: share(booked), height: 8 })}/>
<rect${attributes({ class: 'held', x: share(booked), y: 4, width: share(held), height: 4 })}/></svg>`
}

/**
 * The special states of a timeslot as badges. Empty if there are none.
 * @param timeZone the time zone of the account. A timeslot in a different time zone has a badge that names
 * it.
 */
export function slotBadges(slot: Timeslot, timeZone: string, t: Texts): Markup {
  const signs = [
    endOfSale(slot, t),
    !slot.inShopfront && badge(t.say('slot.not-in-shopfront'), 'warn'),
    slot.onSale && freeOf(slot) <= 0 && badge(t.say('slot.full'), 'warn'),
    slot.waiting > 0 && badge(t.say('slot.waiting', { count: t.number(slot.waiting) }), 'accent'),
    slot.timeZone !== timeZone && badge(t.say('slot.clock', { timeZone: slot.timeZone })),
  ].filter((sign) => sign !== false)
  return signs.length > 0 ? html`<p class="signs">${signs}</p>` : html``
}

/**
 * A badge if a timeslot has begun or is over, or if an open timeslot is no longer on sale. False otherwise.
 */
function endOfSale({ hasBegun, onSale, status, openingHours }: Timeslot, t: Texts): Markup | false {
  if (hasBegun) return badge(t.say(openingHours ? 'slot.over' : 'slot.begun'))
  return status === 'open' && !onSale && badge(t.say('slot.sale-over'))
}

/** The address of the waitlist form of a timeslot, with the party as far as known. */
export function joinPath(timeslotId: number, party: PartyRequest = {}): string {
  const query = partyQuery(party).slice(1)
  return `/dashboard/calendar/timeslots/${timeslotId}/waitlist${query ? `?${query}` : ''}`
}

/** The address of the page that sells, with this timeslot chosen. */
export function sellPath({ productId, date, time }: Pick<Timeslot, 'productId' | 'date' | 'time'>): string {
  return `/dashboard/sell?ProductID=${productId}&From=${date}&Slot=${date}T${time}`
}
