/** All SQL of OCTO's availability: the timeslots of products, also those that cannot be booked. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import { endsAt, isOnSale, saleEndsAt } from '../../inventory/on-sale.ts'
import { defaultPrice, ownPrices } from '../../inventory/price-list-queries.ts'
import type { Fragment, Queryable } from '../../platform/postgres/database.ts'
import type { LocalStart } from '../model.ts'

/** Local times are wall clock text, `YYYY-MM-DDTHH:MM:SS`. */
export type OctoSlot = {
  id: number
  productId: number
  date: string
  startsAt: Date
  localStart: string
  localEnd: string
  endsAt: Date
  saleEndsAt: Date
  isOnSale: boolean
  /** Null unless it is all-day. */
  openingHours: OpeningPeriod[] | null
  capacity: number
  booked: number
  held: number
  /** The price of the default unit on this timeslot. */
  priceMinor: number
  /**
   * The own prices of other units on this timeslot, by unit id. A unit without an entry has its price in the
   * catalogue.
   */
  ownPrices: Record<string, number> | null
}

/** Selects timeslots of one product by local dates, both included, or by local starts; or of any product by ids. */
export type SlotFilter =
  | { productId: number; from: string; to: string; limit: number }
  | { productId: number; starts: readonly LocalStart[] }
  | { ids: readonly number[] }

/** In the order of their local starts. */
export function listOctoSlots(sql: Queryable, accountId: number, filter: SlotFilter): Promise<OctoSlot[]> {
  const wall = (instant: Fragment) =>
    sql`to_char(${instant} at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')`
  return sql<OctoSlot[]>`
    select slot.id, slot.product_id as "productId", slot.date, slot.starts_at as "startsAt",
      ${wall(sql`slot.starts_at`)} as "localStart", ${endsAt(sql)} as "endsAt", ${wall(endsAt(sql))} as "localEnd",
      ${saleEndsAt(sql)} as "saleEndsAt", ${isOnSale(sql)} as "isOnSale", slot.opening_hours as "openingHours",
      slot.capacity, slot.booked, slot.held, ${defaultPrice(sql)} as "priceMinor", ${ownPrices(sql)} as "ownPrices"
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and ${matching(sql, filter)}
    order by slot.date, slot.time, slot.id
    limit ${'limit' in filter ? filter.limit : null}`
}

function matching(sql: Queryable, filter: SlotFilter) {
  if ('ids' in filter) return sql`slot.id = any(${[...filter.ids]}::bigint[])`
  const { productId } = filter
  if ('from' in filter)
    return sql`slot.product_id = ${productId} and slot.date between ${filter.from} and ${filter.to}`
  const { starts } = filter
  return sql`slot.product_id = ${productId} and (slot.date, slot.time) in (
      select * from unnest(${starts.map(({ date }) => date)}::date[], ${starts.map(({ time }) => time)}::time[])
    )`
}
