/** The next timeslots of all products that are on sale and have free places, shown until a product is chosen. Pure. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Texts } from '../../languages/texts.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import { emptyState } from '../frame/layout.ts'
import { partyQuery } from '../parts/party-fields.ts'
import { timeOf } from '../parts/slot-words.ts'

type NextOnSale = {
  page: string
  party: PartyRequest
  slots: readonly Timeslot[]
}

/**
 * Each timeslot is a link to this page with its product and the timeslot chosen. The links have no key, so
 * that each opened page gets a new one: a user may open two of them side by side, for two customers.
 */
export function nextView(t: Texts, { page, party, slots }: NextOnSale): Markup {
  const link = ({ productId, date, time }: Timeslot) =>
    `${page}?ProductID=${productId}&From=${date}&Slot=${date}T${time}${partyQuery(party)}`
  const tile = (slot: Timeslot) => {
    const places = t.say('sell.slot.free', { count: freeOf(slot) })
    return html`<li><a href="${link(slot)}"><strong>${timeOf(t, slot)}</strong> ${slot.productName}
<span class="hint">${t.day(slot.date)} · ${places}</span></a></li>`
  }
  return html`<div id="next" data-live>${
    slots.length === 0
      ? emptyState(t.say('sell.slot.next.none'))
      : html`<h2>${t.say('sell.slot.next')}</h2><ul class="tiles next">${slots.map(tile)}</ul>`
  }</div>`
}
