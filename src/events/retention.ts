/**
 * Deletes old events. The events of a booking are kept as long as the booking. The latest `product.made` or
 * `product.changed` event of each product is always kept, and the latest event that says that the product
 * entered or left the shopfront. Other events are kept for EVENT_RETENTION_DAYS, and longer while a webhook
 * endpoint needs them.
 */
import type { Sql } from '../platform/postgres/database.ts'
import { deleteOldEvents, type NeededFrom } from './queries.ts'

/**
 * Deletes some expired events and returns how many. Call it again until it returns 0. If EVENT_RETENTION_DAYS is 0,
 * it deletes none.
 * @param needed for each of these accounts, the number from which a webhook endpoint still needs its events.
 */
export async function sweepEvents(
  sql: Sql,
  { EVENT_RETENTION_DAYS: days }: { EVENT_RETENTION_DAYS: number },
  needed: readonly NeededFrom[] = [],
): Promise<number> {
  return days === 0 ? 0 : deleteOldEvents(sql, days, needed)
}
