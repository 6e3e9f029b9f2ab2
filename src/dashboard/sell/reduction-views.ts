/** The reductions of a sale: a promotion's code, and a reduction at the till. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { inWords } from '../frame/fault-words.ts'
import { fieldOf, inputField, type ShownForm, valueAt } from '../frame/form-fields.ts'
import { attributes, type FormFaults, postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { amountField, hiddenAmount } from '../parts/amounts.ts'
import { money } from '../parts/party-words.ts'
import type { SalePrice } from './sale-price.ts'

const labels = {
  Method: 'sell.pay.method',
  Reference: 'word.reference',
  Amount: 'word.amount',
  'Reduction.Amount': 'sell.reduction.amount',
  'Reduction.Percent': 'sell.reduction.percent',
  'Reduction.Reason': 'word.reason',
} as const
const reductions = ['Reduction.Amount', 'Reduction.Percent', 'Reduction.Reason'] as const
const messages: Record<string, string> = {
  'must not be given with Amount': 'cannot go with an amount off: fill in one of them',
  'is required unless Percent is given': 'or “Percent off” is needed for a reduction',
  'is required': 'is needed for a reduction',
}

/** The faults of a payment, in the words of its form. */
export function paymentFaults(t: Texts, faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  const fields = [...faults.fields].map(([field, message]) => {
    return [field, field.startsWith('Reduction.') ? (messages[message] ?? message) : message] as const
  })
  const said = Object.entries(labels).map(([field, key]) => [field, t.say(key)] as const)
  return inWords({ ...faults, fields: new Map(fields) }, new Map(said))
}

/**
 * The total without the reduction, the reduction, and the button that removes it. The button has a form of
 * its own, because the Enter key presses the first button of a form. Empty without a reduction.
 * @param path the path of the page of the payment. `hasAgreed`: whether a reduction is stored, even if it is
 * invalid now.
 */
export function reducedPrice(
  session: Session,
  t: Texts,
  path: string,
  { full, price, hasAgreed }: { full: Price | null; price: SalePrice; hasAgreed: boolean },
): Markup {
  if (!price.reduction && !hasAgreed) return html``
  const drop = html`<button class="secondary">${t.say('sell.reduction.drop')}</button>`
  return html`${reductionText(t, full, price)}
${postForm(session, `${path}/reduction/remove`, drop, { class: 'inline' })}`
}

/** The total before the till's reduction, and the reduction with its reason. */
export function reductionText(
  t: Texts,
  full: Price | null,
  { reduction }: Pick<SalePrice, 'reduction'>,
): Markup {
  if (!reduction || !full) return html``
  const amounts = { price: money(t, full), off: money(t, reduction.off), reason: reduction.request.Reason }
  return html`<p>${t.say('sell.reduction.shown', amounts)}</p>`
}

/**
 * The fields of a reduction at the till. If the price already has a reduction, they are hidden and have its
 * values.
 */
export function reductionFields(
  t: Texts,
  { reduction }: SalePrice,
  action: string,
  shown: ShownForm,
): Markup {
  if (reduction) {
    const { Amount, Percent, Reason } = reduction.request
    const amounts = Object.entries({ Amount, Percent }).filter(([, value]) => value !== undefined)
    return html`${amounts.map(([name, value]) => hiddenAmount(t, `Reduction.${name}`, value!))}
<input type="hidden" name="Reduction.Reason" value="${Reason}">`
  }
  const field = (name: (typeof reductions)[number], hint?: string) =>
    fieldOf(shown, t.say(labels[name]), name, hint)
  const isOpen = reductions.some((name) => valueAt(shown.values, name) !== '')
  return html`<details id="reduction"${attributes({ open: isOpen })}><summary>${t.say('sell.reduction.title')}</summary>
<div class="fields">
${amountField(t, field('Reduction.Amount', t.say('sell.reduction.amount.hint')), { maxlength: 25 })}
${amountField(t, field('Reduction.Percent'), { maxlength: 8 })}
${inputField(field('Reduction.Reason', t.say('sell.reduction.reason.hint')), { maxlength: 255, autocomplete: 'off' })}
<button class="secondary" formaction="${action}">${t.say('sell.reduction.show')}</button>
</div></details>`
}

/** The promotion of a basket. */
export function promotionText(t: Texts, { Promotion }: BasketView): Markup {
  if (!Promotion) return html``
  return html`<p>${t.say('sell.promotion.used', { code: Promotion.Code, amount: money(t, Promotion.Discount) })}</p>`
}

type PromotionPart = { form: string; code?: string | undefined; faults: FormFaults }

/**
 * The promotion of an open basket, or the field for a code. `form` is the id of the form to which the fields
 * belong.
 */
export function promotionPart(
  t: Texts,
  basket: BasketView,
  { form, code = '', faults }: PromotionPart,
): Markup {
  const path = `/dashboard/sell/${basket.BasketID}/promotion`
  if (basket.Promotion)
    return html`${promotionText(t, basket)}${formButton(form, `${path}/remove`, t.say('sell.promotion.remove'))}`
  const field = { label: t.say('sell.promotion'), name: 'Code', value: code, faults }
  const isOpen = code !== '' || faults?.fields.has('Code')
  return html`<details id="promotion"${attributes({ open: isOpen })}><summary>${t.say('sell.promotion')}</summary>
<div class="filters">${inputField(field, { form, maxlength: 40, autocomplete: 'off', autocapitalize: 'characters' })}${formButton(form, path, t.say('sell.promotion.use'))}</div></details>`
}

/** A button that is outside its form, and sends the form to another address. */
export function formButton(form: string, formaction: string, text: string | Markup): Markup {
  return html`<button${attributes({ class: 'secondary', form, formaction, formnovalidate: true })}>${text}</button>`
}
