/** All SQL of availability: what of a product can still be booked. */
import { freePlaces, isOnSale } from '../../inventory/on-sale.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

/** Slots on sale, not begun, with places free: the only ones that partners are shown. */
const bookable = (sql: Queryable) => sql`
  ${isOnSale(sql)} and ${freePlaces(sql)} > 0`

type AvailabilityKey = { place: number }
export type DateRow = { date: string; timeslots: number; capacity: number; available: number }
export type DatesAsked = { accountId: number; activity: string; from: string; to: string }

/**
 * Dates with places free, both ends included, for each that is asked; null where the account has no such product
 * in the shopfront.
 */
export async function listDates(sql: Queryable, asked: DatesAsked[]): Promise<(DateRow[] | null)[]> {
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

/** Local times are wall clock text, `YYYY-MM-DDTHH:MM:SS`. */
export type SlotRow = {
  time: string
  startsAt: Date
  localStart: string
  endsAt: Date
  localEnd: string
  capacity: number
  available: number
}
export type TimeslotsAsked = { accountId: number; activity: string; date: string }

/** Timeslots of a date with places free, earliest first, for each that is asked; null as above. */
export async function listTimeslots(sql: Queryable, asked: TimeslotsAsked[]): Promise<(SlotRow[] | null)[]> {
  const rows = await sql<((SlotRow | { time: null }) & AvailabilityKey)[]>`
    select asked.place, slot.time, slot.starts_at as "startsAt", wall.local_start as "localStart",
      wall.ends_at as "endsAt", wall.local_end as "localEnd",
      slot.capacity, ${freePlaces(sql)} as available
    from unnest(
      ${asked.map((_, index) => index)}::integer[],
      ${asked.map(({ accountId }) => accountId)}::bigint[],
      ${asked.map(({ activity }) => activity)}::uuid[],
      ${asked.map(({ date }) => date)}::date[]
    ) as asked (place, account_id, activity, date)
    join products on products.account_id = asked.account_id
      and products.activity_id = asked.activity and products.in_shopfront
    left join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = asked.date and ${bookable(sql)}
    cross join lateral (
      select ends_at,
        to_char(slot.starts_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local_start,
        to_char(ends_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local_end
      from (values (slot.starts_at + make_interval(mins => products.duration_minutes))) as ending (ends_at)
    ) as wall
    order by asked.place, slot.time`
  return byPlace(asked.length, rows, (row): row is SlotRow & AvailabilityKey => row.time !== null)
}

/** The rows of each place. A product that has nothing to show comes as one row without a date or time. */
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
