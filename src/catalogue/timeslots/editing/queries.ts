/** The SQL of single timeslots for the operator: reads them, adds one, and changes one by hand. */
import { endsAt, freePlaces, isOnSale, lastEntryAt, saleEndsAt } from '../../../inventory/on-sale.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../../opening-hours.ts'
import { ownPricesOf, toJsonb } from '../../units/own-price-queries.ts'
import type { OwnPrice, OwnPrices } from '../../units/own-prices.ts'
import type { MadeTimeslot, TimeslotChange } from '../events.ts'
import { hoursToJsonb, returningChange } from '../queries.ts'

/** Local times are wall clock text, `YYYY-MM-DDTHH:MM:SS`. */
export type Timeslot = {
  id: number
  productId: number
  productName: string
  /** The UUID of the product's ActivityID. */
  activity: string
  inShopfront: boolean
  timeZone: string
  scheduleId: number | null
  date: string
  time: string
  startsAt: Date
  localStart: string
  endsAt: Date
  localEnd: string
  saleEndsAt: Date
  localSaleEnd: string
  /** Null unless the timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  capacity: number
  booked: number
  held: number
  waiting: number
  status: 'open' | 'closed'
  /**
   * Whether customers can no longer arrive: the start, or the last closing of an all-day timeslot, is past.
   */
  hasBegun: boolean
  /** Whether it is open and on sale. */
  onSale: boolean
  edited: boolean
  /** The timeslot's own prices, without the prices of its schedule. */
  unitPrices: OwnPrice[]
}

export type TimeslotFilter = {
  from: string | null
  to: string | null
  productId: number | null
  status: 'open' | 'closed' | null
  /** The last timeslot of the previous page. */
  after: { date: string; time: string; id: number } | null
  limit: number
}

/** Timeslots by date, time and id. */
export function listTimeslots(
  sql: Queryable,
  accountId: number,
  { from, to, productId, status, after, limit }: TimeslotFilter,
): Promise<Timeslot[]> {
  return sql<Timeslot[]>`
    select ${timeslotColumns(sql)}
    from (
      select * from timeslots
      where account_id = ${accountId}
        ${from === null ? sql`` : sql`and date >= ${from}`}
        ${to === null ? sql`` : sql`and date <= ${to}`}
        ${productId === null ? sql`` : sql`and product_id = ${productId}`}
        ${status === null ? sql`` : sql`and status = ${status}`}
        ${after === null ? sql`` : sql`and (date, time, id) > (${after.date}::date, ${after.time}::time, ${after.id})`}
      order by date, time, id
      limit ${limit}
    ) as slot
    ${withProduct(sql)}
    order by slot.date, slot.time, slot.id`
}

export async function findTimeslot(sql: Queryable, accountId: number, id: number): Promise<Timeslot | null> {
  const [slot] = await sql<Timeslot[]>`
    select ${timeslotColumns(sql)} from timeslots as slot ${withProduct(sql)}
    where slot.account_id = ${accountId} and slot.id = ${id}`
  return slot ?? null
}

/** The columns of a Timeslot, for a query of `timeslots as slot` that also has withProduct(). */
export function timeslotColumns(sql: Queryable) {
  return sql`slot.id, slot.product_id as "productId", products.name as "productName",
    products.activity_id as activity, products.in_shopfront as "inShopfront",
    products.time_zone as "timeZone",
    slot.schedule_id as "scheduleId", slot.date, slot.time, slot.starts_at as "startsAt",
    to_char(slot.starts_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as "localStart",
    ending.ends_at as "endsAt",
    to_char(ending.ends_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as "localEnd",
    ending.sale_ends_at as "saleEndsAt",
    to_char(ending.sale_ends_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as "localSaleEnd",
    slot.opening_hours as "openingHours",
    slot.capacity, slot.booked, slot.held, slot.status, slot.edited,
    ${ownPricesOf(sql, sql`slot`)} as "unitPrices",
    ${lastEntryAt(sql)} <= (select app_now()) as "hasBegun",
    ${isOnSale(sql)} as "onSale",
    (
      select count(*) from waitlist_entries as entry
      where entry.account_id = slot.account_id and entry.timeslot_id = slot.id and entry.status = 'waiting'
    ) as waiting`
}

/**
 * Joins to `timeslots as slot` its product, the instant when the timeslot ends, and the instant until which the
 * timeslot is on sale.
 */
export function withProduct(sql: Queryable) {
  return sql`join products on products.account_id = slot.account_id and products.id = slot.product_id
    cross join lateral (
      values (${endsAt(sql)}, ${saleEndsAt(sql)})
    ) as ending (ends_at, sale_ends_at)`
}

export type TimeslotAt = {
  id: number
  date: string
  time: string
  /** Null unless the timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  capacity: number
  onSale: boolean
  available: number
}

/** The timeslot of a product at a local date and time, with its free places. */
export async function findTimeslotAt(
  sql: Queryable,
  accountId: number,
  { productId, date, time }: { productId: number; date: string; time: string },
): Promise<TimeslotAt | null> {
  const [slot] = await sql<TimeslotAt[]>`
    select slot.id, date, time, opening_hours as "openingHours", capacity, ${isOnSale(sql)} as "onSale",
      ${freePlaces(sql)} as available
    from timeslots as slot join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and product_id = ${productId} and date = ${date} and time = ${time}`
  return slot ?? null
}

export type NewTimeslotRow = {
  productId: number
  date: string
  time: string
  startsAt: string
  timeZone: string
  capacity: number
  openingHours: OpeningPeriod[] | null
  unitPrices: OwnPrices
}

/** Adds a timeslot. Null if the product already has a timeslot at this date and time. */
export async function insertTimeslot(
  tx: Transaction,
  accountId: number,
  { productId, date, time, startsAt, timeZone, capacity, openingHours, unitPrices }: NewTimeslotRow,
): Promise<MadeTimeslot | null> {
  const hours = hoursToJsonb(tx, openingHours)
  const [made] = await tx<MadeTimeslot[]>`
    insert into timeslots (account_id, product_id, date, time, starts_at, opening_hours, closes_at, capacity,
      unit_prices)
    values (${accountId}, ${productId}, ${date}, ${time}, ${startsAt}::text::timestamptz, ${hours},
      last_closing(${date}, ${hours}, ${timeZone}), ${capacity}, ${toJsonb(tx, unitPrices)})
    on conflict (account_id, product_id, date, time) do nothing
    returning id, product_id as "productId", date, time, capacity`
  return made ?? null
}

/**
 * If a field is null or left out, its value does not change. Empty `openingHours` remove the opening hours.
 */
export type TimeslotEdit = {
  capacity?: number | null
  status?: 'open' | 'closed' | null
  openingHours?: OpeningPeriod[] | null
}

/** Joins the new opening hours, and the instant of their last closing on the date of the timeslot `was`. */
function givenHours(tx: Transaction, openingHours: OpeningPeriod[]) {
  return tx`join products on products.account_id = was.account_id and products.id = was.product_id
    cross join lateral (select ${hoursToJsonb(tx, openingHours)} as hours) as stated
    cross join lateral (
      select stated.hours, last_closing(was.date, stated.hours, products.time_zone) as closes_at
    ) as given`
}

/**
 * Changes a locked timeslot by hand and marks it as edited, so that changes of its schedule no longer apply
 * to it. Setting the status that it already has does not count as an edit. Returns a list with the change.
 */
export function updateByHand(
  tx: Transaction,
  accountId: number,
  id: number,
  { capacity = null, status = null, openingHours = null }: TimeslotEdit,
): Promise<TimeslotChange[]> {
  return tx<TimeslotChange[]>`
    update timeslots set capacity = coalesce(${capacity}, was.capacity), status = coalesce(${status}, was.status),
      edited = was.edited or ${capacity !== null || openingHours !== null} or was.status is distinct from ${status}
      ${openingHours === null ? tx`` : tx`, opening_hours = given.hours, closes_at = given.closes_at`}
    from timeslots as was
    ${openingHours === null ? tx`` : givenHours(tx, openingHours)}
    where was.account_id = ${accountId} and was.id = ${id}
      and timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
}

/**
 * Sets the own prices of a locked timeslot by hand, and marks it as edited. Returns an empty list, and
 * changes nothing, if the timeslot already has these prices.
 */
export function updatePrices(
  tx: Transaction,
  accountId: number,
  id: number,
  unitPrices: OwnPrices,
): Promise<{ id: number; productId: number }[]> {
  return tx<{ id: number; productId: number }[]>`
    update timeslots set unit_prices = ${toJsonb(tx, unitPrices)}, edited = true
    where account_id = ${accountId} and id = ${id}
      and unit_prices is distinct from ${toJsonb(tx, unitPrices)}
    returning id, product_id as "productId"`
}
