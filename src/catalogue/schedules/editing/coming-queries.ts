/** The SQL of the coming timeslots of a product, which the pages of its schedules show. */
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { OpeningPeriod } from '../../opening-hours.ts'
import { today } from '../timeslot-queries.ts'

export type ComingTimeslot = {
  date: string
  time: string
  /** Null unless the timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  capacity: number
  isOpen: boolean
}
export type ComingTimeslots = { first: string; slots: ComingTimeslot[] }

/**
 * A product's timeslots on `days` successive days, by date and time. `first` is the first of these days:
 * `from`, or today in the product's time zone if that is later. Null if there is no such product.
 */
export async function findComing(
  sql: Queryable,
  accountId: number,
  { productId, from, days }: { productId: number; from: string | null; days: number },
): Promise<ComingTimeslots | null> {
  const rows = await sql<({ first: string } & (ComingTimeslot | { date: null }))[]>`
    select span.first, slot.date, slot.time, slot.opening_hours as "openingHours", slot.capacity,
      slot.status = 'open' as "isOpen"
    from (
      select greatest(${today(sql)}, ${from}::date) as first from products
      where account_id = ${accountId} and id = ${productId}
    ) as span
    left join timeslots as slot on slot.account_id = ${accountId} and slot.product_id = ${productId}
      and slot.date >= span.first and slot.date < span.first + ${days}::integer
    order by slot.date, slot.time`
  const [row] = rows
  const slots = rows.filter((one): one is { first: string } & ComingTimeslot => one.date !== null)
  return row ? { first: row.first, slots } : null
}
