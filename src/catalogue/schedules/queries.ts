/**
 * SQL of schedules: lists them, and replaces the schedules of products by those of an import. editing/ has the SQL for
 * changing one schedule, and timeslot-queries.ts has the SQL of their timeslots.
 */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../opening-hours.ts'
import { ownPricesOf } from '../units/own-price-queries.ts'
import type { OwnPrice, OwnPrices } from '../units/own-prices.ts'
import type { Pattern } from './model.ts'

type ScheduleBase = Pattern & { productId: number; capacity: number; openingHours: OpeningPeriod[] | null }
/**
 * A schedule to write. If closed dates or own prices are null, an existing schedule keeps its own, and a new
 * one has none.
 */
export type Schedule = ScheduleBase & { closedDates: string[] | null; unitPrices: OwnPrices | null }
/** A schedule as stored. */
export type ScheduleRow = ScheduleBase & { id: number; closedDates: string[]; unitPrices: OwnPrice[] }

export function listSchedules(sql: Queryable, accountId: number): Promise<ScheduleRow[]> {
  return sql<ScheduleRow[]>`
    select ${columns(sql)} from schedules where account_id = ${accountId} order by product_id, id`
}

export function listSchedulesOfProduct(
  sql: Queryable,
  accountId: number,
  productId: number,
): Promise<ScheduleRow[]> {
  return sql<ScheduleRow[]>`
    select ${columns(sql)} from schedules
    where account_id = ${accountId} and product_id = ${productId} order by id`
}

/** The columns of a ScheduleRow. */
export function columns(sql: Queryable) {
  return sql`id, product_id as "productId", from_date as from, to_date as to, weekdays, times, capacity,
    opening_hours as "openingHours", closed_dates as "closedDates", ${ownPricesOf(sql, sql`schedules`)} as "unitPrices"`
}

/** The products of live accounts that have a schedule whose last date has not yet passed in at least one time zone. */
export function listScheduledProducts(sql: Queryable): Promise<{ accountId: number; productId: number }[]> {
  return sql<{ accountId: number; productId: number }[]>`
    select distinct account_id as "accountId", product_id as "productId"
    from schedules where account_id > 0 and to_date >= (app_now() at time zone 'UTC')::date - 1
    order by 1, 2`
}

/**
 * Sets the capacity and opening hours of the schedules with the given patterns. Returns the product of each
 * changed schedule.
 */
export function updateCapacitiesAndHours(
  tx: Transaction,
  accountId: number,
  schedules: Schedule[],
): Promise<{ productId: number }[]> {
  return tx<{ productId: number }[]>`
    update schedules set capacity = given.capacity, opening_hours = given.opening_hours
    from ${given(tx, schedules)}
    where schedules.account_id = ${accountId} and ${samePattern(tx)}
      and (schedules.capacity, schedules.opening_hours) is distinct from (given.capacity, given.opening_hours)
    returning schedules.product_id as "productId"`
}

/**
 * Sets the closed dates of the schedules with the given patterns, if closed dates are given. Returns the
 * changed schedules.
 */
export function updateClosedDates(
  tx: Transaction,
  accountId: number,
  schedules: Schedule[],
): Promise<{ id: number; productId: number }[]> {
  return tx<{ id: number; productId: number }[]>`
    update schedules set closed_dates = given.closed_dates
    from ${given(tx, schedules)}
    where schedules.account_id = ${accountId} and ${samePattern(tx)}
      and given.closed_dates is not null and schedules.closed_dates <> given.closed_dates
    returning schedules.id, schedules.product_id as "productId"`
}

/**
 * Sets the own prices of the schedules with the given patterns, if own prices are given; an empty object
 * removes them. Returns the product of each changed schedule.
 */
export function updateSchedulePrices(
  tx: Transaction,
  accountId: number,
  schedules: Schedule[],
): Promise<{ productId: number }[]> {
  return tx<{ productId: number }[]>`
    update schedules set unit_prices = nullif(given.unit_prices, '{}')
    from ${given(tx, schedules)}
    where schedules.account_id = ${accountId} and ${samePattern(tx)}
      and given.unit_prices <> coalesce(schedules.unit_prices, '{}')
    returning schedules.product_id as "productId"`
}

/**
 * Adds those of the schedules whose product has no schedule with the same pattern. Returns their products.
 */
export function insertMissingSchedules(
  tx: Transaction,
  accountId: number,
  schedules: Schedule[],
): Promise<{ productId: number }[]> {
  return tx<{ productId: number }[]>`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity,
      opening_hours, closed_dates, unit_prices)
    select ${accountId}, product_id, from_date, to_date, weekdays, times, capacity, opening_hours,
      coalesce(closed_dates, '{}'), nullif(unit_prices, '{}')
    from ${given(tx, schedules)}
    where not exists (select from schedules where account_id = ${accountId} and ${samePattern(tx)})
    order by place
    returning product_id as "productId"`
}

/** The schedules of these products whose pattern is not among the given ones. */
export function listDroppedSchedules(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  schedules: Schedule[],
): Promise<{ id: number; productId: number }[]> {
  return tx<{ id: number; productId: number }[]>`
    select id, product_id as "productId" from schedules
    where account_id = ${accountId} and product_id = any(${productIds}::bigint[])
      and not exists (select from ${given(tx, schedules)} where ${samePattern(tx)})`
}

function given(tx: Transaction, schedules: Schedule[]) {
  return tx`rows from (jsonb_to_recordset(${tx.json(schedules)}) as (
      "productId" bigint, "from" date, "to" date, weekdays smallint[], times time[], capacity integer,
      "openingHours" jsonb, "closedDates" date[], "unitPrices" jsonb
    )) with ordinality as given (product_id, from_date, to_date, weekdays, times, capacity, opening_hours, closed_dates,
      unit_prices, place)`
}

function samePattern(tx: Transaction) {
  return tx`(schedules.product_id, schedules.from_date, schedules.to_date, schedules.weekdays, schedules.times)
    = (given.product_id, given.from_date, given.to_date, given.weekdays, given.times)`
}

/** Deletes schedules. Their timeslots stay without a schedule. */
export async function deleteSchedules(tx: Transaction, accountId: number, ids: number[]): Promise<void> {
  await tx`delete from schedules where account_id = ${accountId} and id = any(${ids}::bigint[])`
}
