/** The SQL of timeslots that is common to schedules, products and single timeslots. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../opening-hours.ts'
import { ownPricesOf } from '../units/own-price-queries.ts'
import type { OwnPrice } from '../units/own-prices.ts'

/** Opening hours as an SQL value; null without any. */
export function hoursToJsonb(sql: Queryable, hours: OpeningPeriod[] | null) {
  return hours?.length ? sql`${sql.json(hours)}::jsonb` : sql`null::jsonb`
}

/**
 * A timeslot that its schedule closed and released: nobody made or edited it by hand, and a schedule may take
 * it again.
 */
export function isReleased(sql: Queryable) {
  return sql`slot.schedule_id is null and slot.status = 'closed' and not slot.edited
    and slot.starts_at > (select app_now())`
}

/**
 * The columns of a TimeslotChange for a statement that updates timeslots. It joins the same rows as `was`;
 * the caller has locked those that change, so both have the same rows.
 */
export function returningChange(sql: Queryable) {
  return sql`returning timeslots.id, timeslots.product_id as "productId", was.capacity as "oldCapacity",
    timeslots.capacity as "newCapacity", was.status = 'open' as "wasOpen", timeslots.status = 'open' as "isOpen",
    was.opening_hours is distinct from timeslots.opening_hours as "hasOtherHours"`
}

/**
 * Updates the instants of these products' timeslots to their product's time zone; returns the changed ones.
 */
export function updateInstants(
  tx: Transaction,
  accountId: number,
  productIds: number[],
): Promise<{ id: number; productId: number }[]> {
  // `offset 0` keeps local_instant, the expensive part, from being called twice for each row.
  return tx<{ id: number; productId: number }[]>`
    update timeslots set starts_at = moved.starts_at, closes_at = moved.closes_at
    from (
      select slot.id, local_instant(slot.date + slot.time, products.time_zone) as starts_at,
        last_closing(slot.date, slot.opening_hours, products.time_zone) as closes_at
      from timeslots as slot
      join products on products.account_id = slot.account_id and products.id = slot.product_id
      where slot.account_id = ${accountId} and slot.product_id = any(${productIds}::bigint[])
      offset 0
    ) as moved
    where timeslots.account_id = ${accountId} and timeslots.id = moved.id
      and (timeslots.starts_at, timeslots.closes_at) is distinct from (moved.starts_at, moved.closes_at)
    returning timeslots.id, timeslots.product_id as "productId"`
}

export type OwnTimeslot = {
  productId: number
  date: string
  time: string
  capacity: number
  openingHours: OpeningPeriod[] | null
  unitPrices: OwnPrice[]
}

/** The account's open timeslots that have no schedule or were edited by hand. */
export function listOwnTimeslots(sql: Queryable, accountId: number): Promise<OwnTimeslot[]> {
  return sql<OwnTimeslot[]>`
    select product_id as "productId", date, time, capacity, opening_hours as "openingHours",
      ${ownPricesOf(sql, sql`timeslots`)} as "unitPrices"
    from timeslots
    where account_id = ${accountId} and (schedule_id is null or edited) and status = 'open'
    order by product_id, date, time`
}

/** The opening hours of the given timeslots, by timeslot id. Timeslots without opening hours are left out. */
export async function listOpeningHours(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<Map<number, OpeningPeriod[]>> {
  if (ids.length === 0) return new Map()
  const slots = await sql<{ id: number; openingHours: OpeningPeriod[] }[]>`
    select id, opening_hours as "openingHours" from timeslots
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[]) and opening_hours is not null`
  return new Map(slots.map(({ id, openingHours }) => [id, openingHours]))
}

/**
 * Lists which of the given timeslots have a waitlist, or a booking that takes the whole timeslot: their free places must
 * not go on sale.
 */
export function listToOffer(tx: Transaction, accountId: number, ids: number[]): Promise<{ id: number }[]> {
  return tx<{ id: number }[]>`
    select timeslot_id as id from waitlist_entries
    where account_id = ${accountId} and status = 'waiting' and timeslot_id = any(${ids}::bigint[])
    union
    select timeslot_id from bookings
    where account_id = ${accountId} and takes_timeslot and timeslot_id = any(${ids}::bigint[])`
}
