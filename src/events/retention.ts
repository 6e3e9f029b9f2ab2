/**
 * Deletes old events. The events of a booking are kept as long as the booking. The latest event of a product, and
 * the latest one about the shopfront, are always kept. Other events are kept for EVENT_RETENTION_DAYS, and longer
 * while a webhook endpoint needs them.
 */
import type { Sql } from '../platform/postgres/database.ts'
import { deleteOldEvents, type NeededFrom } from './queries.ts'

/**
 * Deletes some expired events and returns how many. Call it again until it returns 0. If EVENT_RETENTION_DAYS is 0,
 * it deletes none.
 * @param needed accounts whose events are kept from a number on, because a webhook endpoint still needs them.
 */
export async function sweepEvents(
  sql: Sql,
  { EVENT_RETENTION_DAYS: days }: { EVENT_RETENTION_DAYS: number },
  needed: readonly NeededFrom[] = [],
): Promise<number> {
  return days === 0 ? 0 : deleteOldEvents(sql, days, needed)
}
