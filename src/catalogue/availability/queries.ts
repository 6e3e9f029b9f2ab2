/**
 * The SQL of availability: dates and timeslots of products with their free places, and checks of the log for
 * changes.
 */

import { counters, unnumbered } from '../../events/queries.ts'
import { endsAt, freePlaces, isOnSale, saleEndsAt } from '../../inventory/on-sale.ts'
import type { PriceList } from '../../inventory/price-list.ts'
import { priceListColumns } from '../../inventory/price-list-queries.ts'
import type { Fragment, Queryable } from '../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../opening-hours.ts'

/** Whether a timeslot is on sale and has free places. */
const bookable = (sql: Queryable) => sql`
  ${isOnSale(sql)} and ${freePlaces(sql)} > 0`

type AvailabilityKey = { place: number }
export type DateRow = { date: string; timeslots: number; capacity: number; available: number }
export type RequestedDates = { accountId: number; activity: string; from: string; to: string }

/**
 * The dates from `from` to `to`, both included, that have free places, for each request; null where the
 * account has no such product in the shopfront.
 */
export async function listDates(sql: Queryable, asked: RequestedDates[]): Promise<(DateRow[] | null)[]> {
  const rows = await sql<((DateRow | { date: null }) & AvailabilityKey)[]>`
    select asked.place, day.date, day.timeslots, day.capacity, day.available
    from unnest(
      ${asked.map((_, index) => index)}::integer[],
      ${asked.map(({ accountId }) => accountId)}::bigint[],
      ${asked.map(({ activity }) => activity)}::uuid[],
      ${asked.map(({ from }) => from)}::date[],
      ${asked.map(({ to }) => to)}::date[]
    ) as asked (place, account_id, activity, first, last)
    join products on products.account_id = asked.account_id
      and products.activity_id = asked.activity and products.in_shopfront
    left join lateral (
      select slot.date, count(*) as timeslots, sum(slot.capacity) as capacity,
        sum(${freePlaces(sql)}) as available
      from timeslots as slot
      where slot.account_id = products.account_id and slot.product_id = products.id
        and slot.date between asked.first and asked.last and ${bookable(sql)}
      group by slot.date
    ) as day on true
    order by asked.place, day.date`
  return byPlace(asked.length, rows, (row): row is DateRow & AvailabilityKey => row.date !== null)
}

/**
 * The result of checking the log of an account: how far the log has advanced, and the days of all its
 * products that have changed since the last check. `productId` and `settledFrom` belong to the requested
 * product.
 */
export type LogCheck = {
  accountId: number
  productId: number
  /**
   * A day, in days since 1970-01-01. The sales of timeslots on this day and on later days do not end within
   * the next 24 hours.
   */
  settledFrom: number
  /** The epoch of the last numbered event of the account; null if there is none. */
  epoch: number | null
  /** The number of that event; 0 if there is none. */
  number: number
  /**
   * The days that were changed by events after the cached number, and by events that have no number yet.
   * `12 21915` is a day of product 12, and `12 all` means all days of product 12. Null if there are too many
   * such events.
   */
  changedDays: string[] | null
}

// With this many changes or more, reading the days again takes less time than processing the changes.
const maxChanges = 1000

/**
 * Checks the logs of accounts for the requested products; null where the account has no such product in the
 * shopfront.
 * @param known the cached days of each account. Only events with a later number than theirs are read, and those without
 * a number. For an account without cached days (undefined), `changedDays` lacks the numbered events and must be
 * ignored.
 */
export async function findChanges(
  sql: Queryable,
  asked: RequestedDates[],
  known: ReadonlyMap<number, { number: number } | undefined>,
): Promise<(LogCheck | null)[]> {
  const logged = (events: Fragment) => sql`
    (select id, type, timeslot_id, product_id, details from ${events} limit ${maxChanges})`
  const rows = await sql<(LogCheck & AvailabilityKey)[]>`
    with log as materialized (
      select counter.account_id, counter.last_number, event_counters.epoch, changed.days
      from unnest(
        ${[...known.keys()]}::bigint[],
        ${[...known.values()].map((account) => account?.number ?? null)}::bigint[]
      ) as known (account_id, number)
      join ${counters(sql)} using (account_id)
      left join event_counters using (account_id)
      cross join lateral (
        select case when count(distinct event.id) < ${maxChanges} then
          coalesce(array_agg(distinct day.name) filter (where day.name is not null), '{}')
        end as days
        from (
          ${logged(sql`events where account_id = counter.account_id and number > known.number`)}
          union all ${logged(unnumbered(sql))}
        ) as event
        left join timeslots as slot on slot.account_id = counter.account_id and slot.id = any(array[
          event.timeslot_id,
          case when event.type = 'booking.moved' then (event.details -> 'From' ->> 'TimeslotID')::bigint end
        ])
        cross join lateral (
          values (slot.product_id || ' ' || (slot.date - '1970-01-01'::date)),
            (case
              when event.type like 'product.%' then event.product_id || ' all'
              when event.type like 'timeslot.%'
                then event.product_id || ' ' || ((event.details ->> 'Date')::date - '1970-01-01'::date)
            end)
        ) as day (name)
      ) as changed
    )
    select asked.place, log.account_id as "accountId", products.id as "productId",
      ((app_now() + products.booking_cutoff_minutes * interval '1 minute') at time zone products.time_zone)::date + 2
        - '1970-01-01'::date as "settledFrom",
      log.epoch, log.last_number as number, log.days as "changedDays"
    from unnest(
      ${asked.map((_, index) => index)}::integer[],
      ${asked.map(({ accountId }) => accountId)}::bigint[],
      ${asked.map(({ activity }) => activity)}::uuid[]
    ) as asked (place, account_id, activity)
    join products on products.account_id = asked.account_id
      and products.activity_id = asked.activity and products.in_shopfront
    join log on log.account_id = asked.account_id`
  const checks: (LogCheck | null)[] = asked.map(() => null)
  for (const { place, ...check } of rows) checks[place] = check
  return checks
}

/** Local times are wall clock text, `YYYY-MM-DDTHH:MM:SS`. */
export type SlotRow = {
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
  available: number
  /** Null for a product that has no units, and whose schedules and timeslots have no own prices. */
  prices: Pick<PriceList, 'currency' | 'priceMinor' | 'units'> | null
}
export type TimeslotsAsked = { accountId: number; activity: string; date: string }

/**
 * Timeslots of a date that are on sale, including full ones, earliest first, for each request; null as in
 * listDates().
 */
export async function listTimeslots(sql: Queryable, asked: TimeslotsAsked[]): Promise<(SlotRow[] | null)[]> {
  const rows = await sql<((SlotRow | { time: null }) & AvailabilityKey)[]>`
    select asked.place, slot.time, slot.starts_at as "startsAt", wall.local_start as "localStart",
      wall.ends_at as "endsAt", wall.local_end as "localEnd", wall.sale_ends_at as "saleEndsAt",
      wall.local_sale_end as "localSaleEnd", slot.opening_hours as "openingHours",
      slot.capacity, ${freePlaces(sql)} as available, list.prices
    from unnest(
      ${asked.map((_, index) => index)}::integer[],
      ${asked.map(({ accountId }) => accountId)}::bigint[],
      ${asked.map(({ activity }) => activity)}::uuid[],
      ${asked.map(({ date }) => date)}::date[]
    ) as asked (place, account_id, activity, date)
    join products on products.account_id = asked.account_id
      and products.activity_id = asked.activity and products.in_shopfront
    left join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = asked.date and ${isOnSale(sql)}
    cross join lateral (
      select ends_at, sale_ends_at,
        to_char(sale_ends_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local_sale_end,
        to_char(slot.starts_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local_start,
        to_char(ends_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local_end
      from (values (${endsAt(sql)}, ${saleEndsAt(sql)})) as ending (ends_at, sale_ends_at)
    ) as wall
    left join lateral (
      select json_build_object('currency', list.currency, 'priceMinor', list."priceMinor", 'units', list.units) as prices
      from (
        select ${priceListColumns(sql)} where products.default_unit_id is not null or products.has_own_prices
      ) as list
    ) as list on true
    order by asked.place, slot.time`
  return byPlace(asked.length, rows, (row): row is SlotRow & AvailabilityKey => row.time !== null)
}

/**
 * Groups rows by request; null for a request without any row. A product without timeslots to show has one row
 * without a date or time, which is dropped.
 */
function byPlace<Row extends AvailabilityKey, Shown extends Row>(
  places: number,
  rows: readonly Row[],
  isShown: (row: Row) => row is Shown,
): (Shown[] | null)[] {
  const lists: (Shown[] | null)[] = Array.from({ length: places }, () => null)
  for (const row of rows) {
    lists[row.place] ??= []
    if (isShown(row)) lists[row.place]!.push(row)
  }
  return lists
}
