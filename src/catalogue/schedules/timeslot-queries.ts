/**
 * SQL of the timeslots of schedules: makes missing ones, updates them, and moves them from one schedule to
 * another.
 */
import type { Fragment, Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { MadeTimeslot, TimeslotChange } from '../timeslots/events.ts'
import { isReleased, type KeptCapacity, returningChange } from '../timeslots/service.ts'

/**
 * The SQL condition that the date and time of the timeslot `slot` are in a weekly pattern and not on a closed
 * date.
 */
export function isInPattern(sql: Queryable, pattern: Fragment) {
  return sql`slot.date between ${pattern}.from_date and ${pattern}.to_date
    and slot.time = any(${pattern}.times) and slot.date <> all(${pattern}.closed_dates)
    and extract(isodow from slot.date)::smallint = any(${pattern}.weekdays)`
}

/** Moves timeslots of schedules that will be deleted to other schedules with the same date and time. */
export async function reassignTimeslots(
  tx: Transaction,
  accountId: number,
  droppedIds: number[],
): Promise<void> {
  await tx`
    update timeslots set schedule_id = heir.schedule_id
    from (
      select distinct on (slot.id) slot.id as slot_id, schedules.id as schedule_id
      from timeslots as slot join schedules using (account_id, product_id)
      where account_id = ${accountId} and slot.schedule_id = any(${droppedIds}::bigint[])
        and schedules.id <> all(${droppedIds}::bigint[])
        and ${isInPattern(tx, tx`schedules`)}
      order by slot.id, schedules.id
    ) as heir
    where timeslots.account_id = ${accountId} and timeslots.id = heir.slot_id`
}

/**
 * Opens released timeslots (isReleased()) of these products again if a schedule has their date and time. A
 * timeslot joins this schedule, and gets its capacity and its opening hours. The caller has locked the
 * timeslots. Returns the changes.
 */
export function claimTimeslots(
  tx: Transaction,
  accountId: number,
  productIds: number[],
): Promise<TimeslotChange[]> {
  return tx<TimeslotChange[]>`
    update timeslots set schedule_id = heir.id, capacity = heir.capacity, status = 'open',
      opening_hours = heir.opening_hours, closes_at = heir.closes_at
    from (
      select distinct on (slot.id) slot.id as slot_id, schedules.id, schedules.capacity, schedules.opening_hours,
        last_closing(slot.date, schedules.opening_hours, products.time_zone) as closes_at
      from timeslots as slot join schedules using (account_id, product_id)
      join products on products.account_id = slot.account_id and products.id = slot.product_id
      where slot.account_id = ${accountId} and slot.product_id = any(${productIds}::bigint[])
        and ${isReleased(tx)} and ${isInPattern(tx, tx`schedules`)}
      order by slot.id, schedules.id
    ) as heir
    join timeslots as was on was.account_id = ${accountId} and was.id = heir.slot_id
    where timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
}

/**
 * Updates the timeslots of these products, from today on, that belong to a schedule and that nobody edited.
 * Each gets the opening hours of its schedule, and the schedule's capacity, or the places sold and held if
 * these are more. The caller has locked the timeslots that change. Returns the changes.
 */
export function updateScheduled(
  tx: Transaction,
  accountId: number,
  productIds: number[],
): Promise<TimeslotChange[]> {
  return tx<TimeslotChange[]>`
    update timeslots set capacity = greatest(schedules.capacity, was.booked + was.held),
      opening_hours = schedules.opening_hours,
      closes_at = last_closing(was.date, schedules.opening_hours, products.time_zone)
    from timeslots as was
    join schedules on schedules.account_id = was.account_id and schedules.id = was.schedule_id
    join products on products.account_id = schedules.account_id and products.id = schedules.product_id
    where was.account_id = ${accountId} and was.product_id = any(${productIds}::bigint[])
      and was.date >= ${today(tx)} and not was.edited
      and (was.capacity, was.opening_hours)
        is distinct from (greatest(schedules.capacity, was.booked + was.held), schedules.opening_hours)
      and timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
}

/**
 * Clears `edited` of a locked timeslot if it no longer differs from its schedule: the schedule has its date
 * and time, capacity and opening hours, and the timeslot has no own prices. Then changes of the schedule
 * apply to it again.
 */
export async function resumeFollowing(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update timeslots as slot set edited = false from schedules
    where slot.account_id = ${accountId} and slot.id = ${id} and slot.edited and slot.unit_prices is null
      and schedules.account_id = slot.account_id and schedules.id = slot.schedule_id
      and (schedules.capacity, schedules.opening_hours) is not distinct from (slot.capacity, slot.opening_hours)
      and ${isInPattern(tx, tx`schedules`)}`
}

/** A selection of schedules: all schedules of some products, or one schedule. */
export type ScheduleSelection = { productIds: number[] } | { scheduleId: number }

/** Local dates, both included. `from` may be `-infinity`, and `to` may be `infinity`. */
export type DateSpan = { from: string; to: string }
export const allDates: DateSpan = { from: '-infinity', to: 'infinity' }

/** The number of timeslots, and the dates and times of the earliest ones. */
export type TimeslotSummary = { count: number; earliest: { date: string; time: string }[] }

/**
 * Makes the missing timeslots of schedules from today, in the time zone of their product, to `horizonDays`
 * later. A local time that a clock change skips gets no timeslot.
 * @returns the new timeslots, by product, date and time.
 */
export function insertScheduledTimeslots(
  tx: Transaction,
  accountId: number,
  which: ScheduleSelection,
  horizonDays: number,
  span: DateSpan = allDates,
): Promise<MadeTimeslot[]> {
  const chosen =
    'scheduleId' in which
      ? tx`and id = ${which.scheduleId}`
      : tx`and product_id = any(${which.productIds}::bigint[])`
  const patterns = tx`(select * from schedules where account_id = ${accountId} ${chosen})`
  return tx<MadeTimeslot[]>`
    with made as (
      insert into timeslots (account_id, product_id, schedule_id, date, time, starts_at, opening_hours, closes_at,
        capacity)
      select ${accountId}, product_id, id, date, time, starts_at, opening_hours,
        last_closing(date, opening_hours, time_zone), capacity
      from ${missing(tx, accountId, patterns, horizonDays, span)}
      order by product_id, date, time, id
      on conflict (account_id, product_id, date, time) do nothing
      returning id, product_id, date, time, capacity
    )
    select id, product_id as "productId", date, time, capacity from made order by product_id, date, time`
}

type SeveralRow = { date: string; time: string; count: number }

/** Selects the earliest `named` of `rows` by date and time, each with the number of all rows as `count`. */
export function earliest(sql: Queryable, rows: Fragment, named: number) {
  return sql`select date, time, count(*) over () as count from ${rows} order by date, time limit ${named}`
}

export function toTimeslotSummary(rows: SeveralRow[]): TimeslotSummary {
  return { count: rows[0]?.count ?? 0, earliest: rows.map(({ date, time }) => ({ date, time })) }
}

/**
 * Each date and time in a pattern at which the product has no timeslot yet, with its instant. `patterns` has
 * the columns of schedules. A local time that a clock change skips is left out.
 */
export function missing(
  sql: Queryable,
  accountId: number,
  patterns: Fragment,
  horizonDays: number,
  { from, to }: DateSpan = allDates,
) {
  // Without `offset 0`, PostgreSQL would call local_instant, the expensive part, twice for each row. The
  // subquery with count(*) is one index look-up; `not exists` would become a join, which is very slow right
  // after a large import.
  return sql`(
    select * from (
      select absent.*, local_instant(date + time, time_zone) as starts_at from (
        select pattern.product_id, pattern.id, pattern.capacity, pattern.opening_hours, products.time_zone, day.date, clock.time
        from ${patterns} as pattern join products
          on products.account_id = ${accountId} and products.id = pattern.product_id
        cross join lateral (
          select greatest(from_date, ${today(sql)}, ${from}::date) as first,
            least(to_date, ${today(sql)} + ${horizonDays}::integer, ${to}::date) as last
        ) as span
        cross join lateral (
          select span.first + days as date from generate_series(0, span.last - span.first) as days
        ) as day
        cross join lateral unnest(pattern.times) as clock (time)
        where extract(isodow from day.date)::smallint = any(pattern.weekdays)
          and day.date <> all(pattern.closed_dates)
          and (
            select count(*) from timeslots as slot
            where slot.account_id = ${accountId} and slot.product_id = pattern.product_id
              and slot.date = day.date and slot.time = clock.time
          ) = 0
        offset 0
      ) as absent
      offset 0
    ) as made
    where starts_at is not null
  ) as missing`
}

/**
 * The timeslots from today on whose capacity is above that of their schedule, because so many places are sold
 * or held.
 */
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
      and slot.date >= ${today(tx)} and not slot.edited and slot.booked + slot.held > schedules.capacity
    order by slot.product_id, slot.date, slot.time`
}

export function today(sql: Queryable) {
  return sql`(app_now() at time zone products.time_zone)::date`
}
