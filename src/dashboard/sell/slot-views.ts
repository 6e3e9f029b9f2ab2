/** The choice of a timeslot, with its free places and prices. Pure. */
import type { Product } from '../../catalogue/products/service.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { faultBeside } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { ShownPriceList } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultSummary, idOf, postForm } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { unseen } from '../frame/text-tags.ts'
import type { ShownAlternative } from '../parts/alternatives.ts'
import { whenOf } from '../parts/booking-words.ts'
import { hiddenParty, partyFaults, partyFields, partyFor, withFree } from '../parts/party-fields.ts'
import { hasOnePrice, priceLine, pricesText, unitPriceText } from '../parts/price-words.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { commonHours, dayWithin } from './common-hours.ts'
import { heldVersionField } from './line-views.ts'
import { nextView } from './next-views.ts'
import { currentLinePart, currentLinesPart, noLongerSold } from './so-far-views.ts'
import { steps } from './steps.ts'

/** The timeslot and the party that a form sent. */
export type SlotValues = PartyRequest & { Slot?: string }

type Choice = {
  /** The path of the page, without its query. */
  page: string
  /** The sale to which a line is added, or whose line changes; null for a new sale. */
  basket: BasketView | null
  /** The line of the sale that changes; null if the choice holds further places. */
  changing: BasketView['Lines'][number] | null
  /**
   * The idempotency key of the form, which the address of the page has too. If undefined, the form gets a new
   * key.
   */
  key: string | undefined
  products: readonly Product[]
  product: Product | null
  activityId: string | null
  from: string
  slots: readonly Timeslot[]
  /** The next timeslots of all products that are on sale and have free places. Empty if a product is chosen. */
  next: readonly Timeslot[]
  /** The day from which the next part of the list begins; null if there are no more timeslots. */
  later: string | null
  /** The price list of each timeslot, by id. */
  lists: ReadonlyMap<number, ShownPriceList>
  /** The start of the chosen timeslot, such as `2027-06-12T10:00`. */
  chosen: string | undefined
  /**
   * The party in the address, which the user typed before choosing this product; or else that of the line
   * that changes.
   */
  party: PartyRequest
  /**
   * The refused form, to show it again. `available`: the number of free places, if they are too few for the
   * party.
   */
  again: { values: SlotValues; faults: FormFaults; status: number; available: number | null } | null
  alternatives: readonly ShownAlternative[]
}

const labelsOf = (t: Texts) =>
  new Map([
    ['ProductID', t.say('word.product')],
    ['Slot', t.say('word.timeslot')],
    ['Participants', t.say('sell.party')],
  ])

export function slotView(session: Session, t: Texts, choice: Choice): Markup {
  const { basket, changing, key, product, slots, lists, again } = choice
  if (choice.products.length === 0) return emptyState(t.say('sell.slot.no-product'))
  const list = lists.get(slots[0]?.id ?? 0) ?? null
  const faults = again?.faults
    ? partyFaults(
        t,
        withFree(again.faults, again.values, { list, available: again.available }),
        again.values,
        list,
        labelsOf(t),
      )
    : null
  return html`${steps(t, 1)}
${basket && changing ? currentLinePart(t, basket, changing) : basket ? currentLinesPart(session, t, basket) : html`<p class="actions no-print"><a class="button secondary" href="/dashboard/sell/held">${t.say('sell.held.title')}</a></p>`}
${faultSummary(faults)}
${instead(session, t, choice)}
${postForm(
  session,
  addressOf(choice),
  html`${
    // The Enter key presses the first button of a form. This hidden one comes first, so that Enter holds the
    // places.
    list === null
      ? ''
      : html`<button class="unseen" tabindex="-1" aria-hidden="true">${holdText(t, choice)}</button>`
  }
${chooser(t, choice, faults)}
<div id="timeslots" class="choose"${attributes({ 'data-shown': product && t.say('sell.slot.shown', { product: product.name }) })}>
${
  product === null
    ? nextView(t, { page: choice.page, party: choice.party, slots: choice.next })
    : list === null
      ? emptyState(t.say('sell.slot.none'))
      : choiceFields(t, choice, { list, faults })
}</div>`,
  { class: 'wide', isValidatedByService: true, once: key },
)}`
}

/**
 * The fields for the product and the first day. They are in the same form as the timeslots, so that hold()
 * notices if the user selected another product without showing its timeslots.
 */
function chooser(t: Texts, { products, product, from, slots }: Choice, faults: FormFaults): Markup {
  const choices = products.map(({ id, name }) => ({ value: String(id), label: name }))
  return html`<div class="filters">
${selectField(
  { label: t.say('word.product'), name: 'ProductID', value: product?.id ?? '', faults },
  product ? choices : [{ value: '', label: t.say('sell.slot.choose-product') }, ...choices],
  { autofocus: faults === null && slots.length === 0, autocomplete: 'off' },
)}
${inputField({ label: t.say('sell.slot.from'), name: 'From', value: from }, { type: 'date', required: true, autocomplete: 'off' })}
<button class="secondary" name="Do" value="show" formnovalidate>${t.say('word.show')}</button>
</div>`
}

function holdText(t: Texts, { changing }: Choice): string {
  return t.say(changing ? 'sell.change.save' : 'sell.slot.hold')
}

function choiceFields(
  t: Texts,
  choice: Choice,
  { list, faults }: { list: ShownPriceList; faults: FormFaults },
): Markup {
  const { page, changing, product, activityId, slots, later, lists, chosen, again } = choice
  const offered = [...lists.values()]
  const party = again?.values ?? partyFor(list, choice.party)
  const isRefused = again?.status === 409
  const fault = faults?.fields.get('Slot')
  // If prices differ, each timeslot shows its own.
  const priced = (slot: Timeslot) => (hasOnePrice(offered) ? '' : pricesText(t, lists.get(slot.id)!))
  const hours = commonHours(t, slots)
  const focused = Math.max(
    0,
    slots.findIndex((slot) => choiceValue(slot) === chosen),
  )
  return html`<input type="hidden" name="ActivityID" value="${activityId ?? ''}">${heldInput(changing)}
<div class="offered"><fieldset class="question tiles"${attributes({ 'aria-describedby': fault && `${idOf('Slot')}-about` })}><legend>${t.say('sell.slot.of-product', { product: product!.name })}</legend>
${fault ? html`<p>${faultBeside('Slot', t.say('word.timeslot'), fault)}</p>` : ''}
${hours === null ? '' : html`<p class="hint">${t.say('sell.slot.hours', { hours })}</p>`}
${slots.map((slot, index) => slotChoice(t, slot, { when: dayWithin(t, slot, hours), priced: priced(slot), chosen, isRefused, canWait: changing === null, isFirst: index === 0, autofocus: faults === null && index === focused }))}</fieldset>
${later ? html`<p><a class="button secondary" href="${page}?ProductID=${product!.id}&amp;From=${later}${keyQuery(choice.key)}">${t.say('sell.slot.later')}</a></p>` : ''}</div>
<div class="panel party stacked">${noLongerSold(t, changing?.ActivityID === activityId ? changing : null, list)}${list.units ? '' : html`<p>${priceLine(t, list, offered)}</p>`}
${partyFields(t, list, { ...party, faults }, { label: t.say('sell.party'), priceText: (unit) => unitPriceText(t, unit, offered) })}
<button>${holdText(t, choice)}</button></div>`
}

function addressOf({ page, product, from, key }: Choice): string {
  return `${page}?${product ? `ProductID=${product.id}&` : ''}From=${from}${keyQuery(key)}`
}

/**
 * A hidden field with the version of the line that changes. The service refuses the form if another user has
 * changed the line since the page was rendered.
 */
function heldInput(changing: Choice['changing']): Markup {
  return changing ? heldVersionField([changing]) : html``
}

/** The key of a form in the query of an address. */
function keyQuery(key: string | undefined): string {
  return key === undefined ? '' : `&Key=${key}`
}

function choiceValue({ date, time }: Timeslot): string {
  return `${date}T${time}`
}

type SlotChoice = {
  when: string
  priced: string
  chosen: string | undefined
  /** Whether the sent choice was refused with 409, mostly because the timeslot has too few places. */
  isRefused: boolean
  /**
   * Whether the user can put a party on the waitlist of the timeslot. False on the page that changes a line.
   */
  canWait: boolean
  isFirst: boolean
  autofocus: boolean
}

function slotChoice(
  t: Texts,
  slot: Timeslot,
  { when, priced, chosen, isRefused, canWait, isFirst, autofocus }: SlotChoice,
): Markup {
  const { id } = slot
  const value = choiceValue(slot)
  const free = freeOf(slot)
  const radio = {
    type: 'radio',
    name: 'Slot',
    value,
    required: true,
    id: isFirst ? idOf('Slot') : undefined,
    checked: value === chosen,
    autofocus,
  }
  const isRefusedHere = isRefused && value === chosen
  const isShort = canWait && (free <= 0 || isRefusedHere)
  return html`<div class="choice-row"><label class="choice"><input${attributes(radio)}> <span>${when}
<span class="hint" data-live id="room-${id}">${slot.onSale ? (free > 0 ? t.say('sell.slot.free', { count: free }) : t.say('sell.slot.full')) : t.say('sell.change.off-sale')}</span>
${priced ? html`<span class="prices">${priced}</span>` : ''}</span></label>
<span${attributes({ 'data-live': !isRefusedHere, id: `wait-${id}` })}>${isShort ? waitButton(t, slot) : ''}</span></div>`
}

/** The button that opens the waitlist form with the typed party. */
function waitButton(t: Texts, slot: Timeslot): Markup {
  const words = markupOf(t, 'sell.slot.wait', { slot: dayAndTime(t, slot), unseen })
  return html`<button class="secondary" name="Do" value="waitlist-${slot.id}" formnovalidate>${words}</button>`
}

/** The alternatives to the refused timeslot, each with a button that holds its places. */
function instead(session: Session, t: Texts, choice: Choice): Markup {
  const { alternatives, again, activityId, changing } = choice
  if (alternatives.length === 0) return html``
  const button = (slot: ShownAlternative) =>
    postForm(
      session,
      addressOf(choice),
      html`<input type="hidden" name="ActivityID" value="${activityId ?? ''}">
<input type="hidden" name="Slot" value="${slot.Date}T${slot.Time}">${heldInput(changing)}
${hiddenParty(again?.values ?? {})}
<button class="secondary">${t.say('sell.slot.alternative', { when: whenOf(t, slot), count: slot.Available })}</button>`,
      { class: 'inline', once: choice.key },
    )
  return html`<section class="panel" aria-labelledby="instead"><h2 id="instead">${t.say('sell.slot.alternatives')}</h2>
<div class="actions">${alternatives.map(button)}</div></section>`
}
