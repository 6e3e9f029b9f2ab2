/** A line of a basket: party, prices and reductions. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import type { Formats } from '../frame/formats.ts'
import { whenOf } from '../parts/booking-words.ts'
import { partyText, reductionText, totalText, unitPrices } from '../parts/party-words.ts'

/** @param customer the customer, if the line shows one. */
export function lineView(formats: Formats, line: BasketView['Lines'][number], customer = ''): Markup {
  const prices = unitPrices(formats, line)
  const reduction = reductionText(formats, line)
  const facts = [line.ProductName, whenOf(formats, line), partyText(formats, line), customer]
  const costs = [...prices, ...(reduction ? [`Reduced by ${reduction}`] : [])]
  return html`<p>${facts.filter((fact) => fact !== '').join(', ')}</p>
${costs.length > 0 ? html`<ul class="costs">${costs.map((cost) => html`<li>${cost}</li>`)}<li>Subtotal ${totalText(formats, line)}</li></ul>` : ''}`
}
