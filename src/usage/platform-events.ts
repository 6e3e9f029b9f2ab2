/** From the outbox of platform events to metered entries: each event becomes exactly one, whatever dies. */
import type { Sql } from '../platform/database.ts'
import type { IdSource } from '../platform/id-blocks.ts'
import type { Entry } from './model.ts'
import { storeWithin } from './storage.ts'
import { deleteRecorded, type EventRow, lockEvents, markRecorded } from './storage-queries.ts'

const batchSize = 1000
const keptDays = 35

/**
 * Records every event that waits and that nobody else is recording, in transactions that store the entries and
 * mark the events together.
 * @returns how many events were recorded.
 */
export async function recordPlatformEvents(sql: Sql, takeIds: IdSource): Promise<number> {
  let recorded = 0
  while (true) {
    const count = await recordSome(sql, takeIds)
    recorded += count
    if (count < batchSize) return recorded
  }
}

function recordSome(sql: Sql, takeIds: IdSource): Promise<number> {
  return sql.begin(async (tx) => {
    const events = await lockEvents(tx, batchSize)
    if (events.length === 0) return 0
    const [ids, acceptedAt] = [await takeIds(events.length), Date.now()]
    await storeWithin(
      tx,
      events.map((event, index) => toEntry(event, ids[index]!, acceptedAt)),
    )
    await markRecorded(tx, events)
    return events.length
  })
}

function toEntry(
  { accountId, meter, extraInfo, occurredAt }: EventRow,
  id: number,
  acceptedAt: number,
): Entry {
  return { accountId, id, acceptedAt, meter, usage: '1', occurredAt, extraInfo: JSON.stringify(extraInfo) }
}

/** Forgets events recorded more than 35 days ago, some at once; gives how many, and is called until that is 0. */
export function sweepPlatformEvents(sql: Sql): Promise<number> {
  return deleteRecorded(sql, keptDays)
}
