/** The payment of a sale: total, method and reduction. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { DescribedBasket } from '../../sales/basket/description.ts'
import { fieldOf, inputField, type ShownForm, valueAt } from '../frame/form-fields.ts'
import { attributes, faultSummary, idOf, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'
import { partyName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { noTillNotice } from '../parts/till-notice.ts'
import { heldPart, toPay } from './held-part.ts'
import { heldVersionField } from './line-views.ts'
import { promotionText, reducedPrice, reductionFields } from './reduction-views.ts'
import type { SalePrice } from './sale-price.ts'
import { steps } from './steps.ts'

type PaymentStep = {
  described: DescribedBasket
  price: SalePrice
  /** The currencies of the user's open tills. */
  tills: readonly string[]
  /**
   * What had changed in the sale, if a payment was refused because of this change. Null otherwise.
   */
  changed: 'price' | 'lines' | null
  /** Whether a reduction is stored with the sale, even if it is larger than the total now. */
  hasAgreed: boolean
  now: number
}

export function paymentView(
  session: Session,
  t: Texts,
  { described, price, tills, changed, hasAgreed, now }: PaymentStep,
  again: ShownForm | null,
): Markup {
  const { basket } = described
  const { due } = price
  const path = `/dashboard/sell/${basket.BasketID}`
  const shown = { values: again?.values ?? {}, faults: again?.faults ?? null }
  const chosen = valueAt(shown.values, 'Method') || 'cash'
  const method = (value: string, label: string) => {
    const checked = chosen === value
    const radio = { type: 'radio', name: 'Method', value, checked, autofocus: checked, required: true }
    const id = value === 'cash' ? idOf('Method') : undefined
    return html`<label class="choice"><input${attributes({ ...radio, id })}> ${label}</label>`
  }
  const isFree = due !== null && Number(due.Amount) === 0
  const payment = isFree
    ? html`<input type="hidden" name="Method" value="cash"><button autofocus>${t.say('sell.pay.free')}</button>`
    : html`<fieldset class="question"><legend>${t.say('sell.pay.method')}</legend>${method('cash', t.say('sell.pay.cash'))}${method('card', t.say('sell.pay.card'))}${due ? noTillNotice(t, tills, due.Currency) : ''}</fieldset>
<div class="of-card">${inputField(fieldOf(shown, t.say('word.reference'), 'Reference', t.say('sell.pay.reference.hint')), { maxlength: 255, autocomplete: 'off' })}</div>
<div class="actions"><button>${due ? t.say('sell.pay.take', { amount: money(t, due) }) : t.say('payments.take')}</button></div>
${partialPaymentPart(t, shown, due)}`
  const reduced = reducedPrice(session, t, `${path}/pay`, { full: basket.Total, price, hasAgreed })
  // Placed after the button that pays, because the Enter key presses the first button of a form.
  const reduction =
    isFree && !price.reduction ? '' : reductionFields(t, price, `${path}/pay/reduction`, shown)
  return html`${steps(t, 3)}
${faultSummary(shown.faults)}
${changed ? html`<p role="status" class="done">${t.say(changed === 'lines' ? 'sell.pay.new-lines' : price.reduction ? 'sell.pay.reduced' : 'sell.pay.new-price')}</p>` : ''}
${heldPart(session, t, described, { due, now, price: html`${promotionText(t, basket)}${reduced}${toPay(t, due)}` })}
<p>${partyName(t, basket.Customer)} ${basket.Status === 'open' ? html`· <a href="${path}">${t.say('sell.pay.change-customer')}</a>` : ''}</p>
${postForm(session, `${path}/pay`, html`<input type="hidden" name="Due" value="${due?.Amount ?? ''}">${heldVersionField(basket.Lines)}${payment}${reduction}`)}`
}

/** The payment of a part, with its own button. The button above it takes the full amount. */
function partialPaymentPart(t: Texts, shown: ShownForm, due: Price | null): Markup {
  if (!due) return html``
  const isOpen = ['Part', 'Amount'].some((name) => valueAt(shown.values, name) !== '')
  const label = t.say('payments.amount-in', { currency: due.Currency })
  const field = fieldOf(shown, label, 'Amount', t.say('sell.pay.part.hint'))
  return html`<details id="part"${attributes({ open: isOpen })}><summary>${t.say('sell.pay.part')}</summary>
${amountField(t, field, { maxlength: 25 })}
<button class="secondary" name="Part" value="true">${t.say('sell.pay.part.take')}</button></details>`
}
