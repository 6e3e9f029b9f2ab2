/** A line of a basket: party, prices and reductions. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { whenOf } from '../parts/booking-words.ts'
import { partyText, reductionText, totalText, unitPrices } from '../parts/party-words.ts'

/**
 * @param customer the customer, if the line shows one.
 * @param isOnly whether the amount to pay beside it is that of the line, which then needs no subtotal.
 */
export function lineView(
  t: Texts,
  line: BasketView['Lines'][number],
  { customer = '', isOnly = false } = {},
): Markup {
  const prices = unitPrices(t, line)
  const reduction = reductionText(t, line)
  const facts = [line.ProductName, whenOf(t, line), partyText(t, line), customer]
  const costs = [...prices, ...(reduction ? [t.say('sell.line.reduced', { amount: reduction })] : [])]
  return html`<p>${facts.filter((fact) => fact !== '').join(', ')}</p>
${costs.length > 0 ? html`<ul class="costs">${costs.map((cost) => html`<li>${cost}</li>`)}${isOnly ? '' : html`<li>${t.say('sell.line.subtotal', { amount: totalText(t, line) })}</li>`}</ul>` : ''}`
}
