/** Words for tills and for the cash in them. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { CashMovementView, TillView } from '../../sales/till/schemas.ts'
import { badge, table } from '../frame/layout.ts'
import { actorName } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { bookingLink } from '../parts/subject.ts'

export const tillPath = ({ TillID }: Pick<TillView, 'TillID'>) => `/dashboard/till/${TillID}`

/** An amount that may be below 0. */
export function signedMoney(t: Texts, { Amount, Currency }: Price): string {
  const isBelow = Amount.startsWith('-')
  return `${isBelow ? '−' : ''}${money(t, { Amount: isBelow ? Amount.slice(1) : Amount, Currency })}`
}

/** Whether the count is right, or the difference. */
export function differenceBadge(t: Texts, { Amount, Currency }: Price): Markup {
  if (/^[0.]+$/.test(Amount)) return badge('Exact', 'good')
  const amount = money(t, { Amount: Amount.replace('-', ''), Currency })
  return badge(`${amount} ${Amount.startsWith('-') ? 'too little' : 'too much'}`, 'warn')
}

/** The user of a till, by e-mail address. */
export function whoseTill({ User }: Pick<TillView, 'User'>): string {
  return User.Email ?? 'A former user'
}

/** The cash payments and refunds, each with its user and sale. */
export function cashTable(t: Texts, timeZone: string, movements: readonly CashMovementView[]): Markup {
  return table<CashMovementView>(
    'Movements of cash',
    [
      { head: 'When', cell: ({ MadeAt }) => t.moment(MadeAt, timeZone) },
      {
        head: 'What',
        cell: kindBadge,
      },
      { head: 'Amount', numeric: true, cell: (movement) => movementMoney(t, movement) },
      { head: 'Sale', cell: saleCell },
      { head: 'Who', cell: ({ Actor }) => actorName(Actor) },
    ],
    movements,
  )
}

function kindBadge({ Type, Undo }: CashMovementView): Markup {
  if (Undo) return badge('not paid back after all', 'quiet')
  return Type === 'payment' ? badge('taken', 'good') : badge('paid back', 'warn')
}

function movementMoney(t: Texts, { Type, Amount, Currency }: CashMovementView): string {
  return signedMoney(t, { Amount: Type === 'refund' ? `-${Amount}` : Amount, Currency })
}

function saleCell({ BasketID, BookingReference, Bookings }: CashMovementView): Markup {
  if (BookingReference === null) return html`<a href="/dashboard/sell/${BasketID}">Sale ${BasketID}</a>`
  return html`${bookingLink(BookingReference)}${Bookings > 1 ? ` and ${Bookings - 1} more` : ''}`
}
