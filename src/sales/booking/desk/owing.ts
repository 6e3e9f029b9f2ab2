/**
 * The list of bookings whose sales are still to be paid. Triggers note bookings that may owe something
 * (owing_bookings), and the ledger decides which do. A worker removes the other notes (checking.ts).
 */

import type { Sql } from '../../../platform/postgres/database.ts'
import { writeCursor } from '../../../platform/text/cursor.ts'
import { listOwed } from '../../ledger/service.ts'
import type { ListPosition } from '../model.ts'
import { type BookingFilter, listBookings } from './list-queries.ts'
import { isFilled } from './owing-queries.ts'
import type { BookingRow } from './queries.ts'

/** The maximum number of bookings per check, and the number of checked bookings after which a page ends. */
const [step, maxLookedAt] = [500, 5000]

/**
 * The confirmed bookings that match and whose sale still owes something, newest first. A page may have fewer
 * than requested, or none, if many other bookings are between the matches, for example before a worker has
 * checked the notes. `next` is the position of the next page, or null.
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
  for (let checkedCount = 0; checkedCount < maxLookedAt; ) {
    const wanted = mayOwe && checkedCount === 0 ? Math.min(limit + 1, step) : step
    const found = await listBookings(sql, accountId, confirmed, { after: position, limit: wanted })
    const owed = await listOwed(sql, accountId, [...new Set(found.map(({ basketId }) => basketId))])
    for (const row of found) {
      if (rows.length === limit) return { rows, next: position && writeCursor(position) }
      position = [row.createdMicros, row.id]
      if (owed.has(row.basketId)) rows.push(row)
    }
    if (found.length < wanted) return { rows, next: null }
    checkedCount += found.length
  }
  return { rows, next: position && writeCursor(position) }
}
