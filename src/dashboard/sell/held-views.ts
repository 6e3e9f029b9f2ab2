/** The list of held sales with their actions. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BasketMaker } from '../../sales/basket/made-by-queries.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { emptyState, nextLink, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { actorName, channelBadge, customerName, partyName, whenOf } from '../parts/booking-words.ts'
import { canExtend, heldActions } from '../parts/held-actions.ts'
import { money, partyText } from '../parts/party-words.ts'

type HeldList = {
  baskets: readonly BasketView[]
  /** By BasketID, what made each sale: a user, an API key, or an offer of the waitlist. */
  makers: ReadonlyMap<number, BasketMaker>
  next: string | null
  url: string
  now: number
}

export function heldListView(session: Session, t: Texts, list: HeldList): Markup {
  const { baskets, next, url } = list
  return html`<p class="hint">${t.say('sell.held.about')}</p>
<p class="actions no-print"><a class="button" href="/dashboard/sell">${t.say('sell.new')}</a></p>
<div data-live id="held">
${baskets.length === 0 ? emptyState(t.say('sell.held.none')) : table(t.say('sell.held.caption'), columns(session, t, list), baskets)}
${nextLink(t, url, next)}
</div>`
}

function columns(session: Session, t: Texts, { makers, now }: HeldList) {
  const { timeZone } = session.user
  return [
    {
      head: t.say('word.customer'),
      cell: ({ BasketID, Customer }: BasketView) =>
        html`<a href="/dashboard/sell/${BasketID}">${partyName(t, Customer)}</a>`,
    },
    { head: t.say('sell.held'), cell: (basket: BasketView) => linesText(t, basket) },
    {
      head: t.say('sell.held.until'),
      cell: ({ ExpiresAt }: BasketView) =>
        ExpiresAt === null
          ? '–'
          : Date.parse(ExpiresAt) <= now
            ? t.say('sell.held.over')
            : t.moment(ExpiresAt, timeZone),
    },
    {
      head: t.say('sell.held.total'),
      numeric: true,
      cell: ({ Total }: BasketView) => (Total ? money(t, Total) : '–'),
    },
    { head: t.say('sell.held.channel'), cell: ({ Channel }: BasketView) => channelBadge(t, Channel) },
    {
      head: t.say('sell.held.maker'),
      cell: ({ BasketID }: BasketView) => makerName(t, makers.get(BasketID)),
    },
    {
      head: t.say('sell.held.actions'),
      cell: (basket: BasketView) =>
        heldActions(session, t, {
          ...{ BasketID: basket.BasketID, who: customerName(basket.Customer) },
          ...{ back: 'held', isFolded: true, isExtendable: canExtend(basket) },
        }),
    },
  ]
}

function linesText(t: Texts, { Lines }: BasketView): Markup {
  const activeLines = Lines.filter(({ Status }) => Status !== 'cancelled')
  return html`<ul class="costs">${activeLines.map((line) => html`<li>${line.ProductName}, ${whenOf(t, line)}, ${partyText(t, line)}</li>`)}</ul>`
}

function makerName(t: Texts, maker: BasketMaker | undefined): string {
  if (maker?.isOffer) return t.say('sell.held.offer')
  return maker ? actorName(t, { Kind: maker.kind, ID: maker.id, Name: maker.name }) : '–'
}
