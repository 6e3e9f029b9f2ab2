/** Words for tills and for the cash in them. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { CashMovementView, TillView } from '../../sales/till/schemas.ts'
import { badge, table } from '../frame/layout.ts'
import { actorName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { bookingLink } from '../parts/subject.ts'

export const tillPath = ({ TillID }: Pick<TillView, 'TillID'>) => `/dashboard/till/${TillID}`

/** A badge with the difference, or one that says that there is no difference. */
export function differenceBadge(t: Texts, difference: Price): Markup {
  if (/^[0.]+$/.test(difference.Amount)) return badge(t.say('till.difference.exact'), 'good')
  return badge(differenceText(t, difference), 'warn')
}

/** `€2.00 too little`. */
export function differenceText(t: Texts, { Amount, Currency }: Price): string {
  const amount = money(t, { Amount: Amount.replace('-', ''), Currency })
  return t.say(Amount.startsWith('-') ? 'till.difference.less' : 'till.difference.more', { amount })
}

/** The e-mail address of a till's user, or the words for a user who does not exist any more. */
export function tillUserText(t: Texts, { User }: Pick<TillView, 'User'>): string {
  return User.Email ?? t.say('till.user.former')
}

/** The cash payments and refunds, each with its user and sale. */
export function cashTable(t: Texts, timeZone: string, movements: readonly CashMovementView[]): Markup {
  return table<CashMovementView>(
    t.say('till.movements.caption'),
    [
      { head: t.say('word.when'), cell: ({ MadeAt }) => t.moment(MadeAt, timeZone) },
      {
        head: t.say('till.movement.what'),
        cell: (movement) => kindBadge(t, movement),
      },
      { head: t.say('word.amount'), numeric: true, cell: (movement) => movementMoney(t, movement) },
      {
        head: t.say('till.movement.sale'),
        cell: (movement) => html`<span class="links">${saleCell(t, movement)}</span>`,
      },
      { head: t.say('till.movement.who'), cell: ({ Actor }) => actorName(t, Actor) },
    ],
    movements,
  )
}

function kindBadge(t: Texts, { Type, Undo }: CashMovementView): Markup {
  if (Undo) return badge(t.say('till.movement.undone'), 'quiet')
  return Type === 'payment'
    ? badge(t.say('till.movement.taken'), 'good')
    : badge(t.say('till.movement.paid-back'), 'warn')
}

function movementMoney(t: Texts, { Type, Amount, Currency }: CashMovementView): string {
  return money(t, { Amount: Type === 'refund' ? `-${Amount}` : Amount, Currency })
}

function saleCell(t: Texts, { BasketID, BookingReference, Bookings }: CashMovementView): Markup {
  if (BookingReference === null)
    return html`<a href="/dashboard/sell/${BasketID}">${t.say('sell.sale', { number: BasketID })}</a>`
  const booking = bookingLink(BookingReference)
  return Bookings > 1 ? markupOf(t, 'till.movement.bookings', { booking, count: Bookings - 1 }) : booking
}
