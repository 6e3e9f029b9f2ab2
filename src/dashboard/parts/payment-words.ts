/** Payments and balances in words. Pure. */
import type { Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { LedgerView } from '../../sales/ledger/schemas.ts'
import type { OwedOfSale } from '../../sales/ledger/service.ts'
import { badge } from '../frame/layout.ts'
import { money } from './party-words.ts'

/**
 * A balance in words: `€40.00 to pay`; `€5.00 paid too much` if the balance is below 0; `Paid` if it is 0.
 */
export function balanceText(t: Texts, { Amount, Currency }: Price): string {
  if (Amount.startsWith('-'))
    return t.say('balance.overpaid', { amount: money(t, { Amount: Amount.slice(1), Currency }) })
  return Number(Amount) > 0
    ? t.say('balance.to-pay', { amount: money(t, { Amount, Currency }) })
    : t.say('balance.paid')
}

/**
 * The balances of sales as badges for their bookings in a list, by reference. The first booking of a sale has
 * the amount, and the others refer to it. Bookings of sales that owe nothing are left out.
 */
export function owedBadges(
  t: Texts,
  owed: ReadonlyMap<number, OwedOfSale>,
  bookings: readonly Pick<BookingRecord, 'BookingReference' | 'BasketID'>[],
): ReadonlyMap<string, Markup> {
  const firsts = new Map<number, string>()
  return new Map(
    bookings.flatMap(({ BookingReference, BasketID }) => {
      const sale = owed.get(BasketID)
      if (!sale) return []
      const first = firsts.get(BasketID)
      if (first === undefined) firsts.set(BasketID, BookingReference)
      const mark =
        first === undefined
          ? owedBadge(t, sale)
          : badge(t.say('balance.to-pay-with', { reference: first }), 'warn')
      return [[BookingReference, mark] as const]
    }),
  )
}

/** The amount that a sale owes, and its number of active bookings if there are several. */
export function owedBadge(t: Texts, { amount, activeBookings }: OwedOfSale): Markup {
  const text = balanceText(t, amount)
  return badge(
    activeBookings > 1 ? t.say('balance.of-sale', { balance: text, count: t.number(activeBookings) }) : text,
    'warn',
  )
}

/** Whether a sale still owes something. */
export function isOwed(ledger: LedgerView): boolean {
  return ledger !== null && Number(ledger.Balance.Amount) > 0
}
