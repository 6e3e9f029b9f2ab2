/** The panels with the lines that a sale already holds, beside the choice of a timeslot. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { ShownPriceList } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import type { Session } from '../frame/session.ts'
import { lineActions, lineView } from './line-views.ts'

/** The present lines of the sale to which another line is added. */
export function currentLinesPart(session: Session, t: Texts, { BasketID, Lines }: BasketView): Markup {
  const lines = Lines.filter(({ Status }) => Status !== 'cancelled')
  const isOnly = lines.length === 1
  return html`<section class="panel" aria-labelledby="so-far"><h2 id="so-far">${t.say('sell.slot.so-far')}</h2>
<ul>${lines.map((line) => html`<li>${lineView(t, line)}${lineActions(session, t, { basketId: BasketID, line, isOnly })}</li>`)}</ul>
<p><a href="/dashboard/sell/${BasketID}">${t.say('sell.slot.go-on')}</a></p></section>`
}

/** The places that a line holds now, on the page that changes the line. */
export function currentLinePart(
  t: Texts,
  { BasketID }: BasketView,
  line: BasketView['Lines'][number],
): Markup {
  return html`<section class="panel" aria-labelledby="now-held"><h2 id="now-held">${t.say('sell.change.now')}</h2>
${lineView(t, line, { isOnly: true })}<p class="hint">${t.say('sell.change.about')}</p>
<p><a href="/dashboard/sell/${BasketID}">${t.say('sell.change.leave')}</a></p></section>`
}

/**
 * A notice that names the units that the line has and the product no longer sells, because the form has no
 * fields for them. Empty if there are none.
 */
export function noLongerSold(
  t: Texts,
  line: BasketView['Lines'][number] | null,
  { units }: ShownPriceList,
): Markup {
  if (!line?.Units || !units) return html``
  const gone = line.Units.filter(({ UnitID }) => !units.some(({ id }) => id === UnitID))
  if (gone.length === 0) return html``
  const names = gone.map(({ Name, Quantity }) => `${t.number(Quantity)} ${Name}`).join(', ')
  return html`<p role="status" class="notice">${t.say('sell.change.no-longer-sold', { units: names })}</p>`
}
