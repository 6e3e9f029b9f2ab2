/** The choice of a timeslot at the till, with the room there is now. Pure. */
import type { Product } from '../../catalogue/products/service.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Alternative } from '../../http/problems.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { Formats } from '../frame/formats.ts'
import {
  attributes,
  faultSummary,
  fieldOf,
  idOf,
  inputField,
  postForm,
  type ShownForm,
  selectField,
  valueAt,
} from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { places, whenOf } from '../parts/booking-words.ts'
import { steps } from './steps.ts'

type Choice = {
  products: readonly Product[]
  product: Product | null
  activityId: string | null
  from: string
  slots: readonly Timeslot[]
  shown: ShownForm
  alternatives: readonly Alternative[]
}

export function slotView(session: Session, formats: Formats, choice: Choice): Markup {
  const { products, product, from, slots, shown } = choice
  if (!product) return emptyState('There is no product to sell yet.')
  return html`${steps(1)}
${faultSummary(shown.faults)}
<form method="get" action="/dashboard/sell" class="filters">
${selectField(
  { label: 'Product', name: 'ProductID', value: product.id },
  products.map(({ id, name }) => ({ value: id, label: name })),
  { autofocus: shown.faults === null && slots.length === 0 },
)}
${inputField({ label: 'From', name: 'From', value: from }, { type: 'date', required: true })}
<button class="secondary">Show</button>
</form>
${instead(session, formats, choice)}
${
  slots.length === 0
    ? emptyState('No timeslot of this product is on sale from that day on.')
    : postForm(
        session,
        addressOf(choice),
        html`<input type="hidden" name="ActivityID" value="${choice.activityId ?? ''}">
<p>${formats.money(product.priceMinor, product.currency)} for each person</p>
<fieldset class="question"><legend>Timeslot</legend>
${slots.map((slot, index) => slotChoice(formats, slot, { shown, isFirst: index === 0 }))}</fieldset>
<p class="hint">Later ones show from a later day on.</p>
${inputField(fieldOf(shown, 'How many', 'Participants'), { type: 'number', min: 1, max: 999, required: true })}
<button>Hold the places</button>`,
      )
}`
}

function addressOf({ product, from }: Choice): string {
  return `/dashboard/sell?ProductID=${product?.id}&From=${from}`
}

function slotChoice(
  formats: Formats,
  slot: Timeslot,
  { shown, isFirst }: { shown: ShownForm; isFirst: boolean },
): Markup {
  const { id, date, time } = slot
  const value = `${date}T${time}`
  const chosen = valueAt(shown.values, 'Slot')
  const free = freeOf(slot)
  const radio = {
    type: 'radio',
    name: 'Slot',
    value,
    required: true,
    id: isFirst ? idOf('Slot') : undefined,
    checked: value === chosen,
    autofocus: isFirst && shown.faults === null,
  }
  return html`<label class="choice"><input${attributes(radio)}> <span>${whenOf(formats, { Date: date, Time: time })}
<span class="hint" data-live id="room-${id}">${free > 0 ? html`${places(formats, free)} free` : 'full'}</span></span></label>`
}

/** Other timeslots for a party that does not fit, each with a button that holds it. */
function instead(session: Session, formats: Formats, choice: Choice): Markup {
  const { alternatives, shown, activityId } = choice
  if (alternatives.length === 0) return html``
  const button = (slot: Alternative) =>
    postForm(
      session,
      addressOf(choice),
      html`<input type="hidden" name="ActivityID" value="${activityId ?? ''}">
<input type="hidden" name="Slot" value="${slot.Date}T${slot.Time}">
<input type="hidden" name="Participants" value="${valueAt(shown.values, 'Participants')}">
<button class="secondary">${whenOf(formats, slot)}, ${places(formats, slot.Available)} free</button>`,
      { class: 'inline' },
    )
  return html`<section class="panel" aria-labelledby="instead"><h2 id="instead">These would fit</h2>
<div class="actions">${alternatives.map(button)}</div></section>`
}
