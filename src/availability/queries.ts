/** All SQL of availability: what of a product can still be booked. */
import type { Queryable } from '../platform/database.ts'

/** Slots on sale, not begun, with places free: the only ones that partners are shown. */
const bookable = (sql: Queryable) => sql`
  slot.status = 'open' and slot.booked + slot.held < slot.capacity and slot.starts_at > (select app_now())`

export type DateRow = { date: string; timeslots: number; capacity: number; available: number }

/** Dates with places free, both ends included; null when the account has no such product in the shopfront. */
export async function listDates(
  sql: Queryable,
  { accountId, activity, from, to }: { accountId: number; activity: string; from: string; to: string },
): Promise<DateRow[] | null> {
  const rows = await sql<(DateRow | { date: null })[]>`
    select day.date, day.timeslots, day.capacity, day.available
    from products
    left join lateral (
      select slot.date, count(*) as timeslots, sum(slot.capacity) as capacity,
        sum(slot.capacity - slot.booked - slot.held) as available
      from timeslots as slot
      where slot.account_id = products.account_id and slot.product_id = products.id
        and slot.date between ${from} and ${to} and ${bookable(sql)}
      group by slot.date
    ) as day on true
    where products.account_id = ${accountId} and activity_id = ${activity} and in_shopfront
    order by day.date`
  return rows.length === 0 ? null : rows.filter((row): row is DateRow => row.date !== null)
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

/** Timeslots of a date with places free, earliest first; null as above. */
export async function listTimeslots(
  sql: Queryable,
  { accountId, activity, date }: { accountId: number; activity: string; date: string },
): Promise<SlotRow[] | null> {
  const rows = await sql<(SlotRow | { time: null })[]>`
    select slot.time, slot.starts_at as "startsAt", wall.local_start as "localStart",
      wall.ends_at as "endsAt", wall.local_end as "localEnd",
      slot.capacity, slot.capacity - slot.booked - slot.held as available
    from products
    left join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = ${date} and ${bookable(sql)}
    cross join lateral (
      select ends_at,
        to_char(slot.starts_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local_start,
        to_char(ends_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as local_end
      from (values (slot.starts_at + make_interval(mins => products.duration_minutes))) as ending (ends_at)
    ) as wall
    where products.account_id = ${accountId} and activity_id = ${activity} and in_shopfront
    order by slot.time`
  return rows.length === 0 ? null : rows.filter((row): row is SlotRow => row.time !== null)
}
