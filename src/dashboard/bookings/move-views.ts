/** The timeslots to which a booking can be moved, each with a link to the confirmation. Pure. */

import { openingView } from '../../catalogue/opening-hours.ts'
import type { Product } from '../../catalogue/products/service.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Texts } from '../../languages/texts.ts'
import type { MoveTotals } from '../../sales/booking/changes/previewing-move.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import { unseen } from '../frame/text-tags.ts'
import type { ShownAlternative } from '../parts/alternatives.ts'
import { partyName, whenOf } from '../parts/booking-words.ts'
import { partyText } from '../parts/party-words.ts'
import { bookingPath } from '../parts/subject.ts'
import { priceDifference } from './move-price-fields.ts'

type MoveForm = {
  booking: BookingRecord
  productId: number
  from: string
  products: readonly Product[]
  slots: readonly Timeslot[]
  /** The price of the booking on each timeslot at today's prices; null for a partner's booking. */
  totals: MoveTotals | null
  today: string
  /** The first day of the next part of the list; null if there is no further part. */
  later: string | null
  refused: { faults: FormFaults; alternatives: ShownAlternative[] } | null
}

type FittingSlot = ShownAlternative & { id?: number }

export function moveView(t: Texts, move: MoveForm): Markup {
  const { booking, productId, from, products, slots, today, later, refused } = move
  const path = bookingPath(booking.BookingReference)
  const free: FittingSlot[] = slots.map((slot) => ({
    id: slot.id,
    Date: slot.date,
    Time: slot.time,
    ...openingView(slot.openingHours),
    Available: freeOf(slot),
  }))
  const link = (day: string, words: string) =>
    html`<a class="button secondary" href="${path}/move?ProductID=${productId}&amp;From=${day}">${words}</a>`
  const alternatives = refused?.alternatives ?? []
  return html`${faultSummary(refused?.faults ?? null)}
<p>${partyName(t, booking.Customer)}, ${partyText(t, booking)}, ${booking.ProductName}, ${whenOf(t, booking)}.
${t.say('move.kept-places')}</p>
<p class="hint">${markupOf(t, 'move.hint', { party: (words) => html`<a href="${path}#change-party">${words}</a>` })}</p>
${alternatives.length > 0 ? html`<h2>${t.say('move.fit')}</h2>${slotTable(t, move, alternatives)}` : ''}
<h2>${t.say('move.room')}</h2>
<form method="get" action="${path}/move" class="filters">
${selectField(
  { label: t.say('word.product'), name: 'ProductID', value: productId },
  products.map(({ id, name }) => ({ value: id, label: name })),
)}
${inputField({ label: t.say('word.from'), name: 'From', value: from }, { type: 'date', required: true })}
<button class="secondary">${t.say('word.show')}</button>
</form>
<div data-live id="room">
${free.length > 0 ? slotTable(t, move, free) : emptyState(t.say('move.none'))}
</div>
<p class="actions">${from > today ? link(today, t.say('move.from-today')) : ''}${later ? link(later, t.say('move.later')) : ''}</p>
<p><a href="${path}">${t.say('customer.back')}</a></p>`
}

function slotTable(
  t: Texts,
  { booking, productId, from, totals }: MoveForm,
  slots: readonly FittingSlot[],
): Markup {
  const action = `${bookingPath(booking.BookingReference)}/move/confirm`
  const pathTo = ({ Date: date, Time: time }: ShownAlternative) => {
    const chosen = { ProductID: String(productId), From: from, Date: date, Time: time }
    return `${action}?${new URLSearchParams(chosen)}`
  }
  const button = (slot: ShownAlternative) =>
    html`<a class="button secondary" href="${pathTo(slot)}">${markupOf(t, 'move.here', { when: whenOf(t, slot), unseen })}</a>`
  const priced = totals !== null && slots.some(({ id }) => id !== undefined)
  return table(
    t.say('move.list'),
    [
      { head: t.say('word.when'), cell: (slot) => whenOf(t, slot) },
      { head: t.say('move.free'), numeric: true, cell: ({ Available }) => t.number(Available) },
      ...(priced
        ? [{ head: t.say('move.price-today'), cell: ({ id }: FittingSlot) => priceText(t, totals, id) }]
        : []),
      { head: t.say('move.move'), cell: button },
    ],
    slots,
  )
}

/**
 * The price on a timeslot with its difference: `€90.00, €10.00 more`. If the booking can only keep its price
 * there, says so with that price.
 */
function priceText(t: Texts, { currency, keptMinor, current }: MoveTotals, id = 0): string {
  const text = (minor: bigint) => t.amount(Number(minor), currency)
  const minor = current.get(id)
  if (minor === undefined) return t.say('move.price-kept', { price: text(keptMinor) })
  return [text(minor), priceDifference(t, { currency, fromMinor: keptMinor, toMinor: minor })].join(', ')
}
