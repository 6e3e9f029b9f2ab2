/**
 * The list of bookings of sales that are still to be paid. Triggers note which bookings may be of one (owing_bookings), and
 * the ledger says which are; a worker forgets the others (checking.ts).
 */

import type { Sql } from '../../../platform/postgres/database.ts'
import { writeCursor } from '../../../platform/text/cursor.ts'
import { listOwed } from '../../ledger/service.ts'
import type { ListPosition } from '../model.ts'
import { type BookingFilter, listBookings } from './list-queries.ts'
import { isFilled } from './owing-queries.ts'
import type { BookingRow } from './queries.ts'

/** Bookings that are looked at together at most, and for one page. */
const [step, mostLookedAt] = [500, 5000]

/**
 * The confirmed bookings that match and whose sale still owes something, the newest first. A page has fewer than asked
 * for, or none, where many others are between them, as before a worker has looked at them: `next` is where the list goes
 * on, if it does.
 */
export async function listOwing(
  sql: Sql,
  accountId: number,
  filter: BookingFilter,
  { after, limit }: { after: ListPosition | null; limit: number },
): Promise<{ rows: BookingRow[]; next: string | null }> {
  const { statuses = ['confirmed'] } = filter
  if (!statuses.includes('confirmed')) return { rows: [], next: null }
  const mayOwe = await isFilled(sql, accountId)
  const confirmed = { ...filter, statuses: ['confirmed'], mayOwe }
  const rows: BookingRow[] = []
  let position = after
  for (let lookedAt = 0; lookedAt < mostLookedAt; ) {
    const wanted = mayOwe && lookedAt === 0 ? Math.min(limit + 1, step) : step
    const found = await listBookings(sql, accountId, confirmed, { after: position, limit: wanted })
    const owed = await listOwed(sql, accountId, [...new Set(found.map(({ basketId }) => basketId))])
    for (const row of found) {
      if (rows.length === limit) return { rows, next: position && writeCursor(position) }
      position = [row.createdMicros, row.id]
      if (owed.has(row.basketId)) rows.push(row)
    }
    if (found.length < wanted) return { rows, next: null }
    lookedAt += found.length
  }
  return { rows, next: position && writeCursor(position) }
}
