/** The list of bookings of sales that are still to be paid. What a sale owes is computed, and found by no index. */

import type { Sql } from '../../../platform/postgres/database.ts'
import { writeCursor } from '../../../platform/text/cursor.ts'
import { listOwed } from '../../ledger/service.ts'
import type { ListPosition } from '../model.ts'
import { type BookingFilter, type BookingRow, listBookings } from './queries.ts'

/** Bookings that are looked at together, and at most for one page. */
const [step, mostLookedAt] = [500, 5000]

/**
 * The confirmed bookings that match and whose sale still owes something, the newest first. A page has fewer than asked
 * for, or none, where many others are between them: `next` is where the list goes on, if it does.
 */
export async function listOwing(
  sql: Sql,
  accountId: number,
  filter: BookingFilter,
  { after, limit }: { after: ListPosition | null; limit: number },
): Promise<{ rows: BookingRow[]; next: string | null }> {
  const { statuses = ['confirmed'] } = filter
  if (!statuses.includes('confirmed')) return { rows: [], next: null }
  const confirmed = { ...filter, statuses: ['confirmed'] }
  const rows: BookingRow[] = []
  let position = after
  for (let lookedAt = 0; lookedAt < mostLookedAt; lookedAt += step) {
    const found = await listBookings(sql, accountId, confirmed, { after: position, limit: step })
    const owed = await listOwed(sql, accountId, [...new Set(found.map(({ basketId }) => basketId))])
    for (const row of found) {
      position = [row.createdMicros, row.id]
      if (owed.has(row.basketId)) rows.push(row)
      if (rows.length === limit) return { rows, next: writeCursor(position) }
    }
    if (found.length < step) return { rows, next: null }
  }
  return { rows, next: position && writeCursor(position) }
}
