/** A line of a basket: party, prices and reductions, and the buttons that change and remove it. Pure. */
import { toPeriods } from '../../catalogue/opening-hours.ts'
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
import { timeOf } from '../parts/slot-words.ts'
import { formButton } from './reduction-views.ts'

type LineWords = {
  customer?: string
  isOnly?: boolean
  reduction?: Pick<BasketView, 'Reduction'>
  code?: string | null
}

/**
 * @param customer the customer, if the line shows one.
 * @param isOnly whether the page shows only this line. The line then has no subtotal.
 * @param reduction the reduction at the till, to show it apart from the reduction by the promotion code.
 * @param code the promotion code. Without it, the line shows one reduction for both, even if there is a code.
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

/**
 * A hidden field with the version of the lines. The service refuses the form if another request has changed
 * the lines since the page was rendered.
 */
export function heldVersionField(lines: BasketView['Lines']): Markup {
  return html`<input type="hidden" name="Held" value="${versionOf(heldState(lines))}">`
}

/**
 * The reductions of a line in words: by the promotion code, and at the till. Without a code, one reduction
 * for both.
 */
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
  /**
   * Whether the sale has no other line. The line then has no button to remove it: the user releases the sale
   * instead.
   */
  isOnly: boolean
  /**
   * The id of the form to which the buttons belong, so that they send its typed values. Without it, each is a
   * form of its own or a link.
   */
  form?: string | undefined
}

/**
 * The buttons that change a held line, and that remove it from its sale. Empty for a line that is not held.
 */
export function lineActions(
  session: Session,
  t: Texts,
  { basketId, line, isOnly, form }: LineActions,
): Markup {
  const { BookingReference, ProductName: product, Time, OpeningHours, Status } = line
  if (Status !== 'held') return html``
  const path = `/dashboard/sell/${basketId}/lines/${BookingReference}`
  const time = timeOf(t, { time: Time, openingHours: toPeriods(OpeningHours) })
  const text = (key: 'sell.line.change' | 'sell.line.remove') => markupOf(t, key, { product, time, unseen })
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
