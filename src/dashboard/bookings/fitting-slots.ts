/** The timeslots to which a booking can be moved. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { listDaysOnSale } from '../parts/days-on-sale.ts'

/** The list shows whole days until it has at least this number of timeslots. */
const fewestShown = 20
const maxRead = 100

type FittingQuery = {
  productId: number
  /** The first day of the list. */
  from: string
  fits: (slot: Timeslot) => boolean
}

/**
 * The timeslots of a product that are on sale and that `fits` accepts. The list ends with a complete day.
 * `later` is the first day of the next part of the list; null if there is no further part.
 */
export async function listFitting(
  sql: Sql,
  accountId: number,
  { productId, from, fits }: FittingQuery,
): Promise<{ slots: Timeslot[]; later: string | null }> {
  const read = await listDaysOnSale(sql, accountId, { productId, from, most: maxRead })
  const fitting = read.slots.filter(fits)
  const lastDay = fitting[fewestShown - 1]?.date
  const slots = lastDay === undefined ? fitting : fitting.filter(({ date }) => date <= lastDay)
  return { slots, later: fitting[slots.length]?.date ?? read.next }
}
