/** The effect of a move on the price, and the choice of price and refund in its form. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { toAmount } from '../../platform/text/money.ts'
import type { CurrentPrice, MovePreview, PriceFault } from '../../sales/booking/changes/previewing-move.ts'
import { attributes, faultBeside, idOf, type ShownForm, valueAt } from '../frame/forms.ts'
import { knownRefundFields } from '../parts/refund-fields.ts'

/** The label of the field in the summary of faults. */
export const priceLabels: ReadonlyMap<string, string> = new Map([
  ['Price', 'Price'],
  ['Units', 'Price'],
  ['ExpectedTotal', 'Price'],
])

/** Whether the booking can be moved at another price. */
export function hasPriceChoice({ keptMinor, current }: MovePreview): boolean {
  return current?.fault === null && current.minor !== keptMinor
}

/** @param again the sent form with its faults. */
export function priceFields(t: Texts, preview: MovePreview, again: ShownForm | null): Markup {
  const { keptMinor, currency, current } = preview
  const kept = t.amount(Number(keptMinor), currency)
  if (!current)
    return html`<p class="hint">The partner has sold it at its price, ${kept}, and has the payment. So the price stays.</p>`
  if (current.fault !== null)
    return html`<p class="hint">It keeps its price, ${kept}. Today’s price cannot be taken: ${current.fault}.${unitsText(current)}</p>`
  if (current.minor === keptMinor)
    return html`<p class="hint">The price stays the same: today it costs ${kept} there too.</p>`
  return choiceFields(t, preview, current, again)
}

/** What the user can do about units that are not sold there. */
function unitsText({ missingUnits }: PriceFault): string {
  if (missingUnits.length === 0) return ''
  return ` To take it, make a unit named ${missingUnits.join(' and ')} for that product, or cancel the booking and sell it anew.`
}

function choiceFields(
  t: Texts,
  preview: MovePreview,
  current: CurrentPrice,
  again: ShownForm | null,
): Markup {
  const { keptMinor, currency } = preview
  const text = (minor: bigint) => t.amount(Number(minor), currency)
  const { minor } = current
  const difference = minor < keptMinor ? `${text(keptMinor - minor)} less` : `${text(minor - keptMinor)} more`
  const chosen = valueAt(again?.values, 'Price') || 'kept'
  const fault = again?.faults?.fields.get('Price') ?? again?.faults?.fields.get('Units')
  const radio = (value: string, label: string) => {
    const id = value === 'kept' ? idOf('Price') : undefined
    return html`<label class="choice"><input${attributes({ id, type: 'radio', name: 'Price', value, checked: value === chosen })}> ${label}</label>\n`
  }
  return html`<fieldset class="question"><legend>Price</legend>
${radio('kept', `Keep its price: ${text(keptMinor)}`)}
${radio('current', `Today’s price there: ${text(minor)}, ${difference}`)}
<input type="hidden" name="ExpectedTotal" value="${toAmount(minor, currency)}">${fault ? faultBeside('Price', priceLabels.get('Price')!, fault) : ''}</fieldset>
${minor < keptMinor ? cheaperPart(t, current, again) : dearerPart(t, preview, current)}`
}

/** The stylesheet hides it for the kept price, because nothing is paid back then. */
function cheaperPart(t: Texts, { refund }: CurrentPrice, again: ShownForm | null): Markup {
  if (!refund || refund.options.mostMinor === 0n)
    return html`<p class="hint">At today’s price nothing is paid back, because no more was paid than that. The sale owes less.</p>`
  return html`<div class="at-current">${knownRefundFields(t, refund, 'At today’s price, pay back', again)}
<p class="hint">What is not paid back is kept: if the booking becomes dearer again later, this is owed again.</p></div>`
}

function dearerPart(t: Texts, preview: MovePreview, { setOffMinor }: CurrentPrice): Markup {
  const text = (minor: bigint) => t.amount(Number(minor), preview.currency)
  const first =
    setOffMinor > 0n ? `${text(setOffMinor)} that is due to be paid back of the sale is set off first. ` : ''
  return html`<p class="hint">${first}At today’s price ${text(owedAtCurrent(preview))} stays to be paid.</p>${keptBefore(t, preview)}`
}

/** Kept money no longer belongs to the customer. With the kept price, the customer does not pay it again. */
function keptBefore(t: Texts, { keptBeforeMinor, currency }: MovePreview): Markup {
  if (keptBeforeMinor === 0n) return html``
  const amount = t.amount(Number(keptBeforeMinor), currency)
  return html`<p class="hint">Kept before: <strong>${amount}</strong>, when the booking became cheaper. It stays kept, and is not set off; keep the price if the customer is not to pay it again.</p>`
}

/** The balance of the sale after a move at today's price, in minor units. */
export function owedAtCurrent({ balanceMinor, keptMinor, current }: MovePreview): bigint {
  if (current?.fault !== null) return balanceMinor ?? 0n
  const owed = (balanceMinor ?? 0n) + current.minor - keptMinor - current.setOffMinor
  return owed > 0n ? owed : 0n
}
