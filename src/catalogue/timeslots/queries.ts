/** The SQL of timeslots that is common to schedules, products and single timeslots. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../opening-hours.ts'
import { ownPricesOf } from '../units/own-price-queries.ts'
import type { OwnPrice } from '../units/own-prices.ts'

/** Opening hours as a jsonb value; null if there are none. */
export function hoursToJsonb(sql: Queryable, hours: OpeningPeriod[] | null) {
  return hours?.length ? sql`${sql.json(hours)}::jsonb` : sql`null::jsonb`
}

/**
 * The SQL condition that the timeslot `slot` is released: a schedule closed it and it no longer belongs to
 * this schedule. Nobody has edited it by hand and it has not begun, so a schedule may open it again.
 */
export function isReleased(sql: Queryable) {
  return sql`slot.schedule_id is null and slot.status = 'closed' and not slot.edited
    and slot.starts_at > (select app_now())`
}

/**
 * The clause `returning` with the columns of a TimeslotChange, for a statement that updates `timeslots`. The
 * statement must join the table `timeslots` a second time, with the alias `was`, and the caller has locked
 * the timeslots that change. Then `was` has their values from before the update.
 */
export function returningChange(sql: Queryable) {
  return sql`returning timeslots.id, timeslots.product_id as "productId", was.capacity as "oldCapacity",
    timeslots.capacity as "newCapacity", was.status = 'open' as "wasOpen", timeslots.status = 'open' as "isOpen",
    was.opening_hours is distinct from timeslots.opening_hours as "hasOtherHours"`
}

/**
 * Computes the instants of the timeslots of these products again, from their local times and the time zone of
 * the product. Returns the changed timeslots.
 */
export function updateInstants(
  tx: Transaction,
  accountId: number,
  productIds: number[],
): Promise<{ id: number; productId: number }[]> {
  // Without `offset 0`, PostgreSQL would call local_instant, the expensive part, twice for each row.
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
 * Lists those of the given timeslots that have a waitlist or a booking that takes the whole timeslot. Their
 * free places must not go on sale before offerPlaces() has offered them.
 */
export function listToOffer(tx: Transaction, accountId: number, ids: number[]): Promise<{ id: number }[]> {
  return tx<{ id: number }[]>`
    select timeslot_id as id from waitlist_entries
    where account_id = ${accountId} and status = 'waiting' and timeslot_id = any(${ids}::bigint[])
    union
    select timeslot_id from bookings
    where account_id = ${accountId} and takes_timeslot and timeslot_id = any(${ids}::bigint[])`
}
