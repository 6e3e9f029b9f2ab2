/**
 * The SQL that writes the single timeslots of a catalogue file, and the lock that an import and a change of
 * the time zone take before they change timeslots.
 */
import type { Transaction } from '../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../opening-hours.ts'
import type { OwnPrices } from '../units/own-prices.ts'
import type { MadeTimeslot, TimeslotChange } from './events.ts'
import { isReleased, returningChange } from './queries.ts'

/** A timeslot of a catalogue file; `startsAt` is the instant of its local date and time, as text. */
export type StatedTimeslot = {
  productId: number
  date: string
  time: string
  startsAt: string
  capacity: number
  /** Null keeps the existing hours (none for a new timeslot); an empty list removes them. */
  openingHours: OpeningPeriod[] | null
  /** Null keeps the existing prices (none for a new timeslot); an empty object removes them. */
  unitPrices: OwnPrices | null
}

/** A timeslot whose capacity stays above the wanted capacity, because so many places are sold or held. */
export type KeptCapacity = { productId: number; date: string; time: string; capacity: number; wanted: number }

/** The changes for which lockTimeslots() must lock timeslots. */
export type ChangesToLock = {
  stated: StatedTimeslot[]
  /** Products whose schedules were written. */
  scheduledProductIds: number[]
  /** Schedules that will be deleted. */
  droppedScheduleIds: number[]
  /** Schedules whose closed dates were written. */
  reclosedScheduleIds: number[]
  /** Products that moved to another time zone. */
  movedProductIds: number[]
  /** Products whose own prices get other keys. */
  rekeyedProductIds: number[]
}

/**
 * Locks the timeslots that these changes may touch, in the order of their ids. The locks last until the
 * transaction ends.
 */
export async function lockTimeslots(
  tx: Transaction,
  accountId: number,
  changes: ChangesToLock,
): Promise<void> {
  await tx`
    select from timeslots
    where account_id = ${accountId} and id in (
      select slot.id from ${matching(tx, accountId, changes.stated)}
      where slot.capacity <> stated.capacity or slot.schedule_id is not null or slot.status = 'closed'
        or ${isRepriced(tx)} or ${hasOtherHours(tx)}
      union
      select slot.id from timeslots as slot join schedules
        on schedules.account_id = slot.account_id and schedules.id = slot.schedule_id
      where slot.account_id = ${accountId}
        and slot.product_id = any(${changes.scheduledProductIds}::bigint[])
        and slot.date >= (app_now() at time zone 'UTC')::date - 1
        and (slot.capacity, slot.opening_hours) is distinct from (schedules.capacity, schedules.opening_hours)
        and not slot.edited
      union
      select slot.id from timeslots as slot
      where slot.account_id = ${accountId}
        and slot.product_id = any(${changes.scheduledProductIds}::bigint[]) and ${isReleased(tx)}
      union
      select id from timeslots
      where account_id = ${accountId}
        and schedule_id = any(${[...changes.droppedScheduleIds, ...changes.reclosedScheduleIds]}::bigint[])
      union
      select id from timeslots
      where account_id = ${accountId} and product_id = any(${changes.movedProductIds}::bigint[])
      union
      select id from timeslots
      where account_id = ${accountId} and product_id = any(${changes.rekeyedProductIds}::bigint[])
        and unit_prices is not null
    )
    order by id
    for update`
}

/**
 * Detaches the given timeslots from their schedules, so that no schedule changes them any more, and opens the
 * timeslots that a schedule had closed. Returns the changes.
 */
export function detachStatedTimeslots(
  tx: Transaction,
  accountId: number,
  stated: StatedTimeslot[],
): Promise<TimeslotChange[]> {
  return tx<TimeslotChange[]>`
    update timeslots set schedule_id = null, status = case when was.edited then was.status else 'open' end
    from timeslots as was
    where was.account_id = ${accountId} and was.id in (
      select slot.id from ${matching(tx, accountId, stated)}
      where slot.schedule_id is not null or (${isReleased(tx)})
    ) and timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
}

/** Sets the given capacity, or the places sold and held if these are more. Returns the changes. */
export function updateCapacities(
  tx: Transaction,
  accountId: number,
  stated: StatedTimeslot[],
): Promise<TimeslotChange[]> {
  return tx<TimeslotChange[]>`
    update timeslots set capacity = greatest(wanted.capacity, was.booked + was.held)
    from (select slot.id, stated.capacity from ${matching(tx, accountId, stated)}) as wanted
    join timeslots as was on was.account_id = ${accountId} and was.id = wanted.id
    where timeslots.account_id = was.account_id and timeslots.id = was.id
      and was.capacity <> greatest(wanted.capacity, was.booked + was.held)
    ${returningChange(tx)}`
}

/** Sets the given own prices. Returns the changed timeslots. */
export function updateStatedPrices(
  tx: Transaction,
  accountId: number,
  stated: StatedTimeslot[],
): Promise<{ id: number; productId: number }[]> {
  return tx<{ id: number; productId: number }[]>`
    update timeslots set unit_prices = nullif(wanted.unit_prices, '{}')
    from (
      select slot.id, stated.unit_prices::jsonb from ${matching(tx, accountId, stated)} where ${isRepriced(tx)}
    ) as wanted
    where timeslots.account_id = ${accountId} and timeslots.id = wanted.id
    returning timeslots.id, timeslots.product_id as "productId"`
}

/** Sets the given opening hours. Returns the changed timeslots. */
export function updateStatedHours(
  tx: Transaction,
  accountId: number,
  stated: StatedTimeslot[],
): Promise<{ id: number; productId: number }[]> {
  return tx<{ id: number; productId: number }[]>`
    update timeslots set opening_hours = wanted.opening_hours,
      closes_at = last_closing(timeslots.date, wanted.opening_hours, products.time_zone)
    from (
      select slot.id, nullif(stated.opening_hours::jsonb, '[]') as opening_hours
      from ${matching(tx, accountId, stated)} where ${hasOtherHours(tx)}
    ) as wanted, products
    where timeslots.account_id = ${accountId} and timeslots.id = wanted.id
      and products.account_id = timeslots.account_id and products.id = timeslots.product_id
    returning timeslots.id, timeslots.product_id as "productId"`
}

/** Whether opening hours are given that differ from the existing ones. */
function hasOtherHours(tx: Transaction) {
  return tx`stated.opening_hours::jsonb <> coalesce(slot.opening_hours, '[]')`
}

function isRepriced(tx: Transaction) {
  return tx`stated.unit_prices::jsonb <> coalesce(slot.unit_prices, '{}')`
}

/** Adds the given timeslots that do not exist; returns them. */
export function insertTimeslots(
  tx: Transaction,
  accountId: number,
  stated: StatedTimeslot[],
): Promise<MadeTimeslot[]> {
  return tx<MadeTimeslot[]>`
    insert into timeslots (account_id, product_id, date, time, starts_at, opening_hours, closes_at, capacity,
      unit_prices)
    select ${accountId}, product_id, date, time, starts_at, hours, last_closing(date, hours, time_zone), capacity,
      nullif(unit_prices::jsonb, '{}')
    from ${unnestStated(tx, stated)}
    join products on products.account_id = ${accountId} and products.id = product_id
    cross join lateral (select nullif(stated.opening_hours::jsonb, '[]') as hours) as daily
    order by product_id, date, time
    on conflict (account_id, product_id, date, time) do nothing
    returning id, product_id as "productId", date, time, capacity`
}

export function listKeptCapacities(
  tx: Transaction,
  accountId: number,
  stated: StatedTimeslot[],
): Promise<KeptCapacity[]> {
  return tx<KeptCapacity[]>`
    select slot.product_id as "productId", slot.date, slot.time, slot.capacity, stated.capacity as wanted
    from ${matching(tx, accountId, stated)}
    where slot.booked + slot.held > stated.capacity
    order by slot.product_id, slot.date, slot.time`
}

function matching(tx: Transaction, accountId: number, stated: StatedTimeslot[]) {
  return tx`${unnestStated(tx, stated)} join timeslots as slot
    on slot.account_id = ${accountId} and slot.product_id = stated.product_id
    and slot.date = stated.date and slot.time = stated.time`
}

function unnestStated(tx: Transaction, stated: StatedTimeslot[]) {
  return tx`unnest(
      ${stated.map(({ productId }) => productId)}::bigint[],
      ${stated.map(({ date }) => date)}::date[],
      ${stated.map(({ time }) => time)}::time[],
      ${stated.map(({ startsAt }) => startsAt)}::timestamptz[],
      ${stated.map(({ capacity }) => capacity)}::integer[],
      ${stated.map(({ openingHours }) => openingHours && JSON.stringify(openingHours))}::text[],
      ${stated.map(({ unitPrices }) => unitPrices && JSON.stringify(unitPrices))}::text[]
    ) as stated (product_id, date, time, starts_at, capacity, opening_hours, unit_prices)`
}
