/** Reads the timeslots of a product that are on sale, for pages that show whole days. */
import { listOnSale, type Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'

/** A product has at most one timeslot for each minute of a day. */
const maxOfDay = 24 * 60

export type DaysOnSale = {
  slots: readonly Timeslot[]
  /** The first day with timeslots that is not in `slots`; null if all timeslots were read. */
  next: string | null
}

/**
 * The timeslots of a product that are on sale from the day `from` on, by date and time, with an all-day
 * timeslot of the day before that is still open. Only whole days are returned: at most `most` timeslots,
 * unless the first day alone has `most` or more.
 */
export async function listDaysOnSale(
  sql: Sql,
  accountId: number,
  { productId, from, most }: { productId: number; from: string; most: number },
): Promise<DaysOnSale> {
  const list = (limit: number) => listOnSale(sql, accountId, { productId, from, limit })
  const some = await list(most)
  const lastDay = some.at(-1)?.date
  // An all-day timeslot of the day before `from` may still be open.
  const isOneDay = some.every(({ date }) => date < from || date === lastDay)
  const limit = isOneDay ? most + maxOfDay : most
  const read = some.length === most && isOneDay ? await list(limit) : some
  // If the limit was reached, the last day may have more timeslots.
  const next = read.length === limit ? read.at(-1)!.date : null
  return { slots: read.filter(({ date }) => date !== next), next }
}
