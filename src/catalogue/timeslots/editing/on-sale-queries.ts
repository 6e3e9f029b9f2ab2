/**
 * The SQL that lists timeslots on sale: those of one product, those that are nearest to a timeslot, and the
 * next ones of all products.
 */
import { freePlaces, isOnSale } from '../../../inventory/on-sale.ts'
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { type Timeslot, timeslotColumns, withProduct } from './queries.ts'

/**
 * Timeslots of a product that are on sale, by date and time. If the local date `from` is given, only
 * timeslots from this date on, and an all-day timeslot of the previous day if it closes after midnight.
 */
export function listOnSale(
  sql: Queryable,
  accountId: number,
  { productId, from, limit }: { productId: number; from: string | null; limit: number },
): Promise<Timeslot[]> {
  return sql<Timeslot[]>`
    select ${timeslotColumns(sql)}
    from timeslots as slot
    ${withProduct(sql)}
    cross join lateral (
      select greatest(
        ${from}::date, ((select app_now()) + products.booking_cutoff_minutes * interval '1 minute')
          at time zone products.time_zone)::date as date
    ) as first
    where slot.account_id = ${accountId} and slot.product_id = ${productId} and slot.date >= first.date - 1
      and (slot.date >= first.date or slot.closes_at > first.date::timestamp at time zone products.time_zone)
      and ${isOnSale(sql)}
    order by slot.product_id, slot.date, slot.time
    limit ${limit}`
}

/**
 * The `limit` timeslots that are nearest in time to the timeslot `id`: other timeslots of its product that
 * are on sale and have free places. They are ordered by date and time.
 */
export function listNearestOnSale(
  sql: Queryable,
  accountId: number,
  { id, limit }: { id: number; limit: number },
): Promise<Timeslot[]> {
  // The nearest ones are among the `limit` ones before and the `limit` ones after the timeslot, which the
  // index finds.
  const beside = (side: Fragment, order: Fragment) => sql`(
    select slot.* from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = origin.account_id and slot.product_id = origin.product_id
      and slot.date >= (app_now() at time zone 'UTC')::date - 2
      and ${side} and ${isOnSale(sql)} and ${freePlaces(sql)} > 0
    ${order}
    limit ${limit}
  )`
  return sql<Timeslot[]>`
    select ${timeslotColumns(sql)}
    from (
      select slot.* from timeslots as origin
      cross join lateral (
        ${beside(sql`(slot.date, slot.time) < (origin.date, origin.time)`, sql`order by slot.date desc, slot.time desc`)}
        union all
        ${beside(sql`(slot.date, slot.time) > (origin.date, origin.time)`, sql`order by slot.date, slot.time`)}
      ) as slot
      where origin.account_id = ${accountId} and origin.id = ${id}
      order by abs(extract(epoch from slot.starts_at - origin.starts_at)), slot.starts_at
      limit ${limit}
    ) as slot
    ${withProduct(sql)}
    order by slot.date, slot.time`
}

/** The first timeslots from the date `from` on that are on sale and have free places, of all products. */
export function listNextOnSale(
  sql: Queryable,
  accountId: number,
  { from, limit }: { from: string; limit: number },
): Promise<Timeslot[]> {
  return sql<Timeslot[]>`
    select ${timeslotColumns(sql)}
    from timeslots as slot
    ${withProduct(sql)}
    where slot.account_id = ${accountId} and slot.date >= ${from} and ${freePlaces(sql)} > 0
      and ${isOnSale(sql)}
    order by slot.date, slot.time, slot.id
    limit ${limit}`
}
