/** The effect of a move on the price, and the choice of price and refund in its form. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Texts } from '../../languages/texts.ts'
import { toAmount } from '../../platform/text/money.ts'
import type { CurrentPrice, MovePreview, PriceFault } from '../../sales/booking/changes/previewing-move.ts'
import { type ShownForm, valueAt } from '../frame/form-fields.ts'
import { attributes, faultBeside, idOf } from '../frame/forms.ts'
import { knownRefundFields } from '../parts/refund-fields.ts'

/** The label of the price in the summary of faults, for each field that a fault may name. */
export function priceLabels(t: Texts): ReadonlyMap<string, string> {
  const price = t.say('word.price')
  return new Map([
    ['Price', price],
    ['Units', price],
    ['ExpectedTotal', price],
  ])
}

/** Whether the booking can be moved at today's price, and this price differs from its own price. */
export function hasPriceChoice({ keptMinor, current }: MovePreview): boolean {
  return current?.fault === null && current.minor !== keptMinor
}

/** How much more or less a booking costs than before. */
export function priceDifference(
  t: Texts,
  { currency, fromMinor, toMinor }: { currency: string; fromMinor: bigint; toMinor: bigint },
): string {
  const text = (minor: bigint) => t.amount(Number(minor), currency)
  if (toMinor === fromMinor) return t.say('move.no-difference')
  return toMinor < fromMinor
    ? t.say('move.less', { amount: text(fromMinor - toMinor) })
    : t.say('move.more', { amount: text(toMinor - fromMinor) })
}

/** @param again the sent form, refused with faults or sent for a preview; null for a new page. */
export function priceFields(t: Texts, preview: MovePreview, again: ShownForm | null): Markup {
  const { keptMinor, currency, current } = preview
  const kept = t.amount(Number(keptMinor), currency)
  if (!current) return html`<p class="hint">${t.say('move.partner-price', { price: kept })}</p>`
  if (current.fault !== null)
    return html`<p class="hint">${t.say('move.no-current', { price: kept, fault: faultIn(t, current.fault) })}${unitsText(t, current)}</p>`
  if (current.minor === keptMinor)
    return html`<p class="hint">${t.say('move.same-price', { price: kept })}</p>`
  return choiceFields(t, preview, current, again)
}

/** A sentence about units of the booking that the timeslot does not sell. Empty if there are none. */
function unitsText(t: Texts, { missingUnits }: PriceFault): string {
  if (missingUnits.length === 0) return ''
  return ` ${t.say('move.make-units', { units: t.all(missingUnits) })}`
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
  const difference = priceDifference(t, { currency, fromMinor: keptMinor, toMinor: minor })
  const chosen = valueAt(again?.values, 'Price') || 'kept'
  const fault = again?.faults?.fields.get('Price') ?? again?.faults?.fields.get('Units')
  const radio = (value: string, label: string) => {
    const id = value === 'kept' ? idOf('Price') : undefined
    return html`<label class="choice"><input${attributes({ id, type: 'radio', name: 'Price', value, checked: value === chosen })}> ${label}</label>\n`
  }
  return html`<fieldset class="question"><legend>${t.say('word.price')}</legend>
${radio('kept', t.say('move.keep-price', { price: text(keptMinor) }))}
${radio('current', t.say('move.current-price', { price: text(minor), difference }))}
<input type="hidden" name="ExpectedTotal" value="${toAmount(minor, currency)}">${fault ? faultBeside('Price', t.say('word.price'), fault) : ''}</fieldset>
${minor < keptMinor ? cheaperPart(t, current, again) : dearerPart(t, preview, current)}`
}

/**
 * The choice of the refund at today's price. While “keep the price” is selected, there is no refund, and the
 * style sheet hides this choice, unless the choice has a fault.
 */
function cheaperPart(t: Texts, { refund }: CurrentPrice, again: ShownForm | null): Markup {
  if (!refund || refund.options.maxMinor === 0n)
    return html`<p class="hint">${t.say('move.nothing-back')}</p>`
  return html`<div class="at-current">${knownRefundFields(t, refund, t.say('move.pay-back'), again)}
<p class="hint">${t.say('move.kept-hint')}</p></div>`
}

function dearerPart(t: Texts, preview: MovePreview, { setOffMinor }: CurrentPrice): Markup {
  const text = (minor: bigint) => t.amount(Number(minor), preview.currency)
  const first = setOffMinor > 0n ? `${t.say('amend.set-off', { amount: text(setOffMinor) })} ` : ''
  return html`<p class="hint">${first}${t.say('move.owed', { amount: text(owedAtCurrent(preview)) })}</p>${keptBefore(t, preview)}`
}

/**
 * A hint about money that the operator kept when an earlier change made the booking cheaper. At today's price
 * the customer pays this money again. If the booking keeps its price, the customer does not.
 */
function keptBefore(t: Texts, { keptBeforeMinor, currency }: MovePreview): Markup {
  if (keptBeforeMinor === 0n) return html``
  const amount = t.amount(Number(keptBeforeMinor), currency)
  return html`<p class="hint">${markupOf(t, 'move.kept-before', { amount })}</p>`
}

/**
 * What the sale owes after a move at today's price, in minor units; never below 0. If today's price is not
 * possible, returns the present balance, which may be below 0.
 */
export function owedAtCurrent({ balanceMinor, keptMinor, current }: MovePreview): bigint {
  if (current?.fault !== null) return balanceMinor ?? 0n
  const owed = (balanceMinor ?? 0n) + current.minor - keptMinor - current.setOffMinor
  return owed > 0n ? owed : 0n
}
