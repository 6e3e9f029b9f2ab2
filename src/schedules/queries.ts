/** All SQL of schedules, and of the timeslots that schedules make. */
import type { Queryable, Transaction } from '../platform/database.ts'
import type { KeptCapacity } from '../timeslots/service.ts'

/** A weekly pattern of local dates and times, both dates included. Weekdays are ISO numbers, Monday is 1. */
export type Schedule = {
  productId: number
  from: string
  to: string
  weekdays: number[]
  times: string[]
  capacity: number
}

export function listSchedules(sql: Queryable, accountId: number): Promise<Schedule[]> {
  return sql<Schedule[]>`
    select product_id as "productId", from_date as from, to_date as to, weekdays, times, capacity
    from schedules where account_id = ${accountId} order by product_id, id`
}

/** The products that have a schedule which may still make timeslots somewhere on earth. */
export function listScheduledProducts(sql: Queryable): Promise<{ accountId: number; productId: number }[]> {
  return sql<{ accountId: number; productId: number }[]>`
    select distinct account_id as "accountId", product_id as "productId"
    from schedules where to_date >= (app_now() at time zone 'UTC')::date - 1
    order by 1, 2`
}

/** Sets the capacity of the schedules whose pattern is given; returns the products of those it changed. */
export function updateScheduleCapacities(
  tx: Transaction,
  accountId: number,
  schedules: Schedule[],
): Promise<{ productId: number }[]> {
  return tx<{ productId: number }[]>`
    update schedules set capacity = given.capacity
    from ${given(tx, schedules)}
    where schedules.account_id = ${accountId} and ${samePattern(tx)}
      and schedules.capacity <> given.capacity
    returning schedules.product_id as "productId"`
}

/** Adds the schedules whose pattern their product does not have yet; returns the products of those. */
export function insertMissingSchedules(
  tx: Transaction,
  accountId: number,
  schedules: Schedule[],
): Promise<{ productId: number }[]> {
  return tx<{ productId: number }[]>`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity)
    select ${accountId}, product_id, from_date, to_date, weekdays, times, capacity
    from ${given(tx, schedules)}
    where not exists (select from schedules where account_id = ${accountId} and ${samePattern(tx)})
    order by place
    returning product_id as "productId"`
}

/** The schedules of these products whose pattern is not given. */
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
      "productId" bigint, "from" date, "to" date, weekdays smallint[], times time[], capacity integer
    )) with ordinality as given (product_id, from_date, to_date, weekdays, times, capacity, place)`
}

function samePattern(tx: Transaction) {
  return tx`(schedules.product_id, schedules.from_date, schedules.to_date, schedules.weekdays, schedules.times)
    = (given.product_id, given.from_date, given.to_date, given.weekdays, given.times)`
}

/** Hands timeslots of schedules that are about to go to those that would have made them as well. */
export async function updateHeirs(tx: Transaction, accountId: number, droppedIds: number[]): Promise<void> {
  await tx`
    update timeslots set schedule_id = heir.schedule_id
    from (
      select distinct on (slot.id) slot.id as slot_id, schedules.id as schedule_id
      from timeslots as slot join schedules using (account_id, product_id)
      where account_id = ${accountId} and slot.schedule_id = any(${droppedIds}::bigint[])
        and schedules.id <> all(${droppedIds}::bigint[])
        and slot.date between from_date and to_date and slot.time = any(times)
        and extract(isodow from slot.date)::smallint = any(weekdays)
      order by slot.id, schedules.id
    ) as heir
    where timeslots.account_id = ${accountId} and timeslots.id = heir.slot_id`
}

/** Ends schedules. The timeslots they made stay and belong to none. */
export async function deleteSchedules(tx: Transaction, accountId: number, ids: number[]): Promise<void> {
  await tx`delete from schedules where account_id = ${accountId} and id = any(${ids}::bigint[])`
}

/**
 * Gives the timeslots from today on that schedules made their schedule's capacity, or what is sold and held
 * where that is more. The caller has locked those that change.
 * @returns how many changed.
 */
export async function updateScheduledCapacities(
  tx: Transaction,
  accountId: number,
  productIds: number[],
): Promise<number> {
  const { count } = await tx`
    update timeslots set capacity = greatest(schedules.capacity, booked + held)
    from schedules join products
      on products.account_id = schedules.account_id and products.id = schedules.product_id
    where timeslots.account_id = ${accountId} and timeslots.product_id = any(${productIds}::bigint[])
      and schedules.account_id = timeslots.account_id and schedules.id = timeslots.schedule_id
      and timeslots.date >= ${today(tx)}
      and timeslots.capacity <> greatest(schedules.capacity, booked + held)`
  return count
}

/**
 * Makes the timeslots of these products' schedules from their local today to `horizonDays` later, where
 * there is none at that date and time. A local time that a clock change skips makes none.
 * @returns how many it made.
 */
export async function insertScheduledTimeslots(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  horizonDays: number,
): Promise<number> {
  // `offset 0` keeps local_instant, the costly part, from being called twice for each row. The count is one
  // look into the index; `not exists` would become a join, and a terrible one right after a large import.
  const { count } = await tx`
    with missing as materialized (
      select schedules.product_id, schedules.id, schedules.capacity, products.time_zone, day.date, clock.time
      from schedules join products
        on products.account_id = schedules.account_id and products.id = schedules.product_id
      cross join lateral (
        select greatest(from_date, ${today(tx)}) as first,
          least(to_date, ${today(tx)} + ${horizonDays}::integer) as last
      ) as span
      cross join lateral (
        select span.first + days as date from generate_series(0, span.last - span.first) as days
      ) as day
      cross join lateral unnest(schedules.times) as clock (time)
      where schedules.account_id = ${accountId} and schedules.product_id = any(${productIds}::bigint[])
        and extract(isodow from day.date)::smallint = any(schedules.weekdays)
        and (
          select count(*) from timeslots as slot
          where slot.account_id = schedules.account_id and slot.product_id = schedules.product_id
            and slot.date = day.date and slot.time = clock.time
        ) = 0
    )
    insert into timeslots (account_id, product_id, schedule_id, date, time, starts_at, capacity)
    select ${accountId}, product_id, id, date, time, starts_at, capacity
    from (select *, local_instant(date + time, time_zone) as starts_at from missing offset 0) as made
    where starts_at is not null
    order by product_id, date, time, id
    on conflict (account_id, product_id, date, time) do nothing`
  return count
}

/** The timeslots from today on whose capacity is above their schedule's, because the places are sold or held. */
export function listKeptCapacities(
  tx: Transaction,
  accountId: number,
  productIds: number[],
): Promise<KeptCapacity[]> {
  return tx<KeptCapacity[]>`
    select slot.product_id as "productId", slot.date, slot.time, slot.capacity, schedules.capacity as wanted
    from timeslots as slot
    join schedules on schedules.account_id = slot.account_id and schedules.id = slot.schedule_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and slot.product_id = any(${productIds}::bigint[])
      and slot.date >= ${today(tx)} and slot.booked + slot.held > schedules.capacity
    order by slot.product_id, slot.date, slot.time`
}

function today(sql: Queryable) {
  return sql`(app_now() at time zone products.time_zone)::date`
}
