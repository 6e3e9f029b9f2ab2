/**
 * The SQL that finds expired holds, their baskets, and baskets that wait for a timeslot that is no longer on sale.
 */
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import { type Booking, bookingColumns, type RowKey, unnestKeys } from './lock-queries.ts'
import { saleEndsAt } from './on-sale.ts'

/**
 * The held bookings of expired baskets on these locked timeslots, except the bookings with the ids `except`.
 */
export function listExpiredHolds(tx: Transaction, slots: readonly RowKey[], except: readonly number[]) {
  return tx<Booking[]>`
    select ${bookingColumns(tx)}
    from ${unnestKeys(tx, slots)}
    join bookings on ${isExpiredHold(tx)}
    where bookings.id <> all(${[...except]}::bigint[])
    order by bookings.id`
}

/** Which of these timeslots have held bookings whose basket has expired. */
export function listSlotsWithExpiredHolds(sql: Queryable, slots: readonly RowKey[]) {
  return sql<RowKey[]>`
    select key.account_id as "accountId", key.id
    from ${unnestKeys(sql, slots)} where exists (select from bookings where ${isExpiredHold(sql)})`
}

/** Whether a booking on the timeslot in the row `key` is held and its basket has expired. */
function isExpiredHold(sql: Queryable) {
  return sql`bookings.account_id = key.account_id and timeslot_id = key.id and bookings.status = 'held'
      and exists (
        select from baskets where baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
          and baskets.status = 'open' and baskets.expires_at <= (select app_now())
      )`
}

/**
 * Expired open baskets, at most `limit` of each account. The list begins with the earliest expired basket of
 * each account, followed by the second of each account, and so on.
 */
export function listExpiredBaskets(sql: Queryable, limit: number) {
  return sql<{ accountId: number; id: number }[]>`
    select account_id as "accountId", id
    from (
      select account_id, id, row_number() over (partition by account_id order by expires_at, id) as place
      from baskets where status = 'open' and expires_at <= (select app_now())
    ) as expired
    where place <= ${limit} order by place, account_id`
}

/**
 * The number of open baskets of live accounts, and how many seconds ago the earliest of their holds
 * expired; 0 if none has expired.
 */
export function findHoldTotals(sql: Queryable) {
  return sql<{ open: number; overdueSeconds: number }[]>`
    select count(*) as open, coalesce(extract(epoch from (select app_now()) - min(expires_at) filter (
      where expires_at <= (select app_now()))), 0)::float8 as "overdueSeconds"
    from baskets where status = 'open' and account_id > 0`
}

/**
 * Baskets that wait for a timeslot that is no longer on sale, at most `limit` of each account. A basket may be
 * listed twice.
 */
export function listOverdueBaskets(sql: Queryable, limit: number) {
  return sql<{ accountId: number; id: number }[]>`
    select account_id as "accountId", basket_id as id
    from (
      select bookings.account_id, basket_id, row_number() over (partition by bookings.account_id order by entry.id) as place
      from waitlist_entries as entry
      join bookings on bookings.account_id = entry.account_id and bookings.id = entry.booking_id
      join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
      join products on products.account_id = slot.account_id and products.id = slot.product_id
      where entry.status = 'waiting' and ${saleEndsAt(sql)} <= (select app_now())
    ) as overdue
    where place <= ${limit} order by place, account_id`
}
