/** The choice of a timeslot at the till, with the room there is now and what it sells. Pure. */
import type { Product } from '../../catalogue/products/service.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { ShownPriceList } from '../../inventory/price-list.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import type { Formats } from '../frame/formats.ts'
import {
  attributes,
  type FormFaults,
  faultSummary,
  idOf,
  inputField,
  postForm,
  selectField,
} from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import type { ShownAlternative } from '../parts/alternatives.ts'
import { places, whenOf } from '../parts/booking-words.ts'
import { hiddenParty, partyFaults, partyFields } from '../parts/party-fields.ts'
import { hasOnePrice, priceLine, pricesText, unitPriceText } from '../parts/price-words.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { steps } from './steps.ts'

/** What was chosen, as it was sent. */
export type SlotValues = PartyRequest & { Slot?: string }

type Choice = {
  products: readonly Product[]
  product: Product | null
  activityId: string | null
  from: string
  slots: readonly Timeslot[]
  /** What each of them sells, by its id. */
  lists: ReadonlyMap<number, ShownPriceList>
  again: { values: SlotValues; faults: FormFaults } | null
  alternatives: readonly ShownAlternative[]
}

const labels = new Map([
  ['Slot', 'Timeslot'],
  ['Participants', 'How many'],
])

export function slotView(session: Session, formats: Formats, choice: Choice): Markup {
  const { products, product, from, slots, lists, again } = choice
  if (!product) return emptyState('There is no product to sell yet.')
  const list = lists.get(slots[0]?.id ?? 0) ?? null
  const faults = again?.faults ? partyFaults(again.faults, again.values, list, labels) : null
  return html`${steps(1)}
${faultSummary(faults)}
<form method="get" action="/dashboard/sell" class="filters">
${selectField(
  { label: 'Product', name: 'ProductID', value: product.id },
  products.map(({ id, name }) => ({ value: id, label: name })),
  { autofocus: faults === null && slots.length === 0 },
)}
${inputField({ label: 'From', name: 'From', value: from }, { type: 'date', required: true })}
<button class="secondary">Show</button>
</form>
${instead(session, formats, choice)}
${
  list === null
    ? emptyState('No timeslot of this product is on sale from that day on.')
    : postForm(session, addressOf(choice), choiceFields(formats, choice, { list, faults }))
}`
}

function choiceFields(
  formats: Formats,
  { activityId, slots, lists, again }: Choice,
  { list, faults }: { list: ShownPriceList; faults: FormFaults },
): Markup {
  const offered = [...lists.values()]
  const chosen = again?.values.Slot
  const first = list.units ? { Units: [{ UnitID: list.defaultUnitId!, Quantity: 1 }] } : {}
  const party = again?.values ?? { Participants: list.minPlaces, ...first }
  // Where timeslots differ, each says its own prices.
  const priced = (slot: Timeslot) => (hasOnePrice(offered) ? '' : pricesText(formats, lists.get(slot.id)!))
  return html`<input type="hidden" name="ActivityID" value="${activityId ?? ''}">
${list.units ? '' : html`<p>${priceLine(formats, list, offered)}</p>`}
<fieldset class="question"><legend>Timeslot</legend>
${slots.map((slot, index) => slotChoice(formats, slot, { priced: priced(slot), chosen, isFirst: index === 0, autofocus: faults === null }))}</fieldset>
<p class="hint">Later ones show from a later day on.</p>
${partyFields(list, { ...party, faults }, { label: 'How many', priceText: (unit) => unitPriceText(formats, unit, offered) })}
<button>Hold the places</button>`
}

function addressOf({ product, from }: Choice): string {
  return `/dashboard/sell?ProductID=${product?.id}&From=${from}`
}

type SlotChoice = { priced: string; chosen: string | undefined; isFirst: boolean; autofocus: boolean }

function slotChoice(
  formats: Formats,
  slot: Timeslot,
  { priced, chosen, isFirst, autofocus }: SlotChoice,
): Markup {
  const { id, date, time } = slot
  const value = `${date}T${time}`
  const free = freeOf(slot)
  const radio = {
    type: 'radio',
    name: 'Slot',
    value,
    required: true,
    id: isFirst ? idOf('Slot') : undefined,
    checked: value === chosen,
    autofocus: isFirst && autofocus,
  }
  return html`<label class="choice"><input${attributes(radio)}> <span>${dayAndTime(formats, slot)}
<span class="hint" data-live id="room-${id}">${free > 0 ? html`${places(formats, free)} free` : 'full'}</span>
${priced ? html`<span class="prices">${priced}</span>` : ''}</span></label>`
}

/** Other timeslots for a party that does not fit, each with a button that holds it. */
function instead(session: Session, formats: Formats, choice: Choice): Markup {
  const { alternatives, again, activityId } = choice
  if (alternatives.length === 0) return html``
  const button = (slot: ShownAlternative) =>
    postForm(
      session,
      addressOf(choice),
      html`<input type="hidden" name="ActivityID" value="${activityId ?? ''}">
<input type="hidden" name="Slot" value="${slot.Date}T${slot.Time}">
${hiddenParty(again?.values ?? {})}
<button class="secondary">${whenOf(formats, slot)}, ${places(formats, slot.Available)} free</button>`,
      { class: 'inline' },
    )
  return html`<section class="panel" aria-labelledby="instead"><h2 id="instead">These would fit</h2>
<div class="actions">${alternatives.map(button)}</div></section>`
}
