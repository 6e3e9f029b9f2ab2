/** All SQL of moving a timeslot to another date and time. */
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../../opening-hours.ts'
import type { MadeTimeslot, TimeslotChange, TimeslotPlace } from '../events.ts'
import { returningChange } from '../queries.ts'

/**
 * Copies a locked timeslot to another date and time. The product must not have a timeslot there. The copy is
 * marked as edited.
 */
export async function copyTimeslot(
  tx: Transaction,
  accountId: number,
  { id, date, time, startsAt }: { id: number; date: string; time: string; startsAt: string },
): Promise<MadeTimeslot> {
  const [made] = await tx<MadeTimeslot[]>`
    insert into timeslots (account_id, product_id, schedule_id, date, time, starts_at, opening_hours, closes_at,
      capacity, unit_prices, edited)
    select slot.account_id, slot.product_id, slot.schedule_id, ${date}::date, ${time}::time,
      ${startsAt}::text::timestamptz, slot.opening_hours,
      last_closing(${date}::date, slot.opening_hours, products.time_zone), slot.capacity, slot.unit_prices, true
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and slot.id = ${id}
    returning id, product_id as "productId", date, time, capacity`
  return made!
}

/**
 * Copies the schedule, capacity, opening hours and own prices of the timeslot `id` to the locked timeslot
 * `targetId`, opens that timeslot, and marks it as edited.
 */
export function copyTimeslotInto(
  tx: Transaction,
  accountId: number,
  { id, targetId }: { id: number; targetId: number },
): Promise<TimeslotChange[]> {
  return tx<TimeslotChange[]>`
    update timeslots set schedule_id = moved.schedule_id, status = 'open', capacity = moved.capacity,
      opening_hours = moved.opening_hours,
      closes_at = last_closing(was.date, moved.opening_hours, products.time_zone),
      unit_prices = moved.unit_prices, edited = true
    from timeslots as was
    join timeslots as moved on moved.account_id = was.account_id and moved.id = ${id}
    join products on products.account_id = was.account_id and products.id = was.product_id
    where was.account_id = ${accountId} and was.id = ${targetId}
      and timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
}

/**
 * Deletes a locked timeslot if it belongs to no schedule and has no bookings, not even ended ones. Returns an
 * empty list if it was not deleted.
 */
export function deleteUnused(tx: Transaction, accountId: number, id: number): Promise<TimeslotPlace[]> {
  return tx<TimeslotPlace[]>`
    delete from timeslots as slot
    where slot.account_id = ${accountId} and slot.id = ${id} and slot.schedule_id is null and not exists (
      select from bookings where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
    )
    returning slot.id, slot.product_id as "productId", slot.date, slot.time`
}

/**
 * The timeslot `id` has been moved to `newId`, so timeslots that were moved to `id` earlier now have `newId`
 * as their target. A move of `newId` itself is left out, because its target would be `newId`.
 */
export async function redirectMoves(
  tx: Transaction,
  accountId: number,
  { id, newId }: { id: number; newId: number },
): Promise<void> {
  await tx`
    update timeslot_moves set to_timeslot_id = ${newId}
    where account_id = ${accountId} and to_timeslot_id = ${id} and timeslot_id <> ${newId}`
}

/** Stores where a closed timeslot was moved to. */
export async function insertMove(
  tx: Transaction,
  accountId: number,
  { id, newId }: { id: number; newId: number },
): Promise<void> {
  await tx`
    insert into timeslot_moves (account_id, timeslot_id, to_timeslot_id) values (${accountId}, ${id}, ${newId})
    on conflict (account_id, timeslot_id) do update set to_timeslot_id = excluded.to_timeslot_id`
}

/** Deletes the move of a timeslot that is open again. */
export async function deleteMove(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`delete from timeslot_moves where account_id = ${accountId} and timeslot_id = ${id}`
}

/** A closed timeslot that was moved, with the timeslot to which it was moved. */
export type MovedTimeslot = {
  id: number
  toId: number
  toDate: string
  toTime: string
  toOpeningHours: OpeningPeriod[] | null
}

/** Returns the moves of the given timeslots, by timeslot id. Timeslots that were not moved are left out. */
export async function listMoved(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<Map<number, MovedTimeslot>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<MovedTimeslot[]>`
    select move.timeslot_id as id, slot.id as "toId", slot.date as "toDate", slot.time as "toTime",
      slot.opening_hours as "toOpeningHours"
    from timeslot_moves as move
    join timeslots as slot on slot.account_id = move.account_id and slot.id = move.to_timeslot_id
    where move.account_id = ${accountId} and move.timeslot_id = any(${[...ids]}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}
