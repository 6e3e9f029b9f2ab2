/** A line of a basket: party, prices and reductions, and the buttons that change and remove it. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { heldState } from '../../sales/basket/held-version.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { unseen } from '../frame/text-tags.ts'
import { whenOf } from '../parts/booking-words.ts'
import { partyText, reductionParts, totalText, unitPrices } from '../parts/party-words.ts'
import { formButton } from './reduction-views.ts'

type LineWords = {
  customer?: string
  isOnly?: boolean
  reduction?: Pick<BasketView, 'Reduction'>
  code?: string | null
}

/**
 * @param customer the customer, if the line shows one.
 * @param isOnly whether it is the only line, so that the amount to pay replaces the subtotal.
 * @param reduction the till's reduction, which is then named beside that of the promotion's code.
 */
export function lineView(
  t: Texts,
  line: BasketView['Lines'][number],
  { customer = '', isOnly = false, reduction = {}, code = null }: LineWords = {},
): Markup {
  const prices = unitPrices(t, line)
  const facts = [line.ProductName, whenOf(t, line), partyText(t, line), customer]
  const costs = [...prices, ...reductionTexts(t, { ...line, ...reduction }, code)]
  return html`<p>${facts.filter((fact) => fact !== '').join(', ')}</p>
${costs.length > 0 ? html`<ul class="costs">${costs.map((cost) => html`<li>${cost}</li>`)}${isOnly ? '' : html`<li>${t.say('sell.line.subtotal', { amount: totalText(t, line) })}</li>`}</ul>` : ''}`
}

/** The hidden version of what lines hold, by which a form that is sent late is noticed. */
export function heldVersionField(lines: BasketView['Lines']): Markup {
  return html`<input type="hidden" name="Held" value="${versionOf(heldState(lines))}">`
}

/** What its code and the till took off a line, each with its name; without a code, all that was taken off. */
function reductionTexts(
  t: Texts,
  line: BasketView['Lines'][number] & Pick<BasketView, 'Reduction'>,
  code: string | null,
): string[] {
  const { ofCode, ofTill: amount } = reductionParts(t, line, code)
  const reason = line.Reduction?.Reason
  const texts = ofCode === null ? [] : [t.say('sell.line.code', { code: code!, amount: ofCode })]
  if (amount === null) return texts
  return [
    ...texts,
    reason ? t.say('sell.line.reduced-for', { amount, reason }) : t.say('sell.line.reduced', { amount }),
  ]
}

type LineActions = {
  basketId: number
  line: BasketView['Lines'][number]
  /** Whether the sale has no other line: then only the whole sale is released. */
  isOnly: boolean
  /** The form to which the buttons belong, so that they keep what is typed in it. */
  form?: string | undefined
}

/** Changes a held line, or removes it from its sale. */
export function lineActions(
  session: Session,
  t: Texts,
  { basketId, line, isOnly, form }: LineActions,
): Markup {
  const { BookingReference, ProductName: product, Time, Status } = line
  if (Status !== 'held') return html``
  const path = `/dashboard/sell/${basketId}/lines/${BookingReference}`
  const text = (key: 'sell.line.change' | 'sell.line.remove') =>
    markupOf(t, key, { product, time: t.clock(Time), unseen })
  const change =
    form === undefined
      ? html`<a class="button secondary" href="${path}/change">${text('sell.line.change')}</a>`
      : formButton(form, `${path}/choose`, text('sell.line.change'))
  const removal = () =>
    form === undefined
      ? postForm(
          session,
          `${path}/remove`,
          html`<button class="secondary">${text('sell.line.remove')}</button>`,
          { class: 'inline' },
        )
      : formButton(form, `${path}/remove`, text('sell.line.remove'))
  return html`<div class="actions">${change}${isOnly ? '' : removal()}</div>`
}
