/** Badges for a list of bookings, with the amounts that their sales still owe. */
import type { Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { listOwed } from '../../sales/ledger/service.ts'
import { owedBadges } from './payment-words.ts'

/** The badges by booking reference. Only confirmed bookings of sales that owe something have a badge. */
export async function readOwedBadges(
  sql: Sql,
  accountId: number,
  t: Texts,
  bookings: readonly BookingRecord[],
): Promise<ReadonlyMap<string, Markup>> {
  const confirmed = bookings.filter(({ Status }) => Status === 'confirmed')
  const baskets = [...new Set(confirmed.map(({ BasketID }) => BasketID))]
  return owedBadges(t, await listOwed(sql, accountId, baskets), confirmed)
}
