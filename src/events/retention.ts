/**
 * How long events are kept: those of a booking as long as the booking, the latest of a product always, others
 * as configured.
 */
import type { Sql } from '../platform/postgres/database.ts'
import { deleteOldEvents, type NeededFrom } from './queries.ts'

/**
 * Deletes some expired events; with 0 days, none. Call it again until it returns 0.
 * @param needed accounts whose events are kept from a number on, because a webhook endpoint still needs them.
 */
export async function sweepEvents(
  sql: Sql,
  { EVENT_RETENTION_DAYS: days }: { EVENT_RETENTION_DAYS: number },
  needed: readonly NeededFrom[] = [],
): Promise<number> {
  return days === 0 ? 0 : deleteOldEvents(sql, days, needed)
}
