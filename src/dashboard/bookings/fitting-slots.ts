/** The timeslots to which a booking can be moved. */
import { listOnSale, type Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'

/** The list shows whole days until it has at least this number of timeslots. */
const fewestShown = 20
const maxRead = 100
/** A product has at most one timeslot for each minute of a day. */
const maxOfDay = 24 * 60

type FittingQuery = {
  productId: number
  /** The first day of the list. */
  from: string
  fits: (slot: Timeslot) => boolean
}

/**
 * The timeslots of a product that are on sale and that `fits` accepts, on whole days. `later` is the first day
 * of the next part of the list; null at its end.
 */
export async function listFitting(
  sql: Sql,
  accountId: number,
  { productId, from, fits }: FittingQuery,
): Promise<{ slots: Timeslot[]; later: string | null }> {
  const list = (limit: number) => listOnSale(sql, accountId, { productId, from, limit })
  const some = await list(maxRead)
  const isOneDay = some.length === maxRead && some[0]!.date === some.at(-1)!.date
  const limit = isOneDay ? maxOfDay + 1 : maxRead
  const read = isOneDay ? await list(limit) : some
  // If the limit was reached, the last day may have more timeslots, so the next part begins with that day.
  const cutDay = read.length === limit ? read.at(-1)!.date : null
  const fitting = read.filter((slot) => slot.date !== cutDay && fits(slot))
  const lastDay = fitting[fewestShown - 1]?.date
  const slots = lastDay === undefined ? fitting : fitting.filter(({ date }) => date <= lastDay)
  return { slots, later: fitting[slots.length]?.date ?? cutDay }
}
