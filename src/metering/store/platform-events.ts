/** From the outbox of platform events to metered entries: each event becomes exactly one, whatever dies. */
import type { Sql } from '../../platform/postgres/database.ts'
import type { IdSource } from '../../platform/postgres/id-blocks.ts'
import type { Entry } from '../model.ts'
import { deleteRecorded, type EventRow, lockEvents, markRecorded } from './queries.ts'
import { storeWithin } from './storage.ts'

const batchSize = 1000
const keptDays = 35

/**
 * Records every event that waits and that nobody else is recording, in transactions that store the entries and
 * mark the events together.
 * @param recorded Told of the meter of each, once it is committed.
 * @returns how many events were recorded.
 */
export async function recordPlatformEvents(
  sql: Sql,
  takeIds: IdSource,
  recorded: (meter: string) => void = () => {},
): Promise<number> {
  let sum = 0
  while (true) {
    const meters = await recordSome(sql, takeIds)
    for (const meter of meters) recorded(meter)
    sum += meters.length
    if (meters.length < batchSize) return sum
  }
}

/** The meters of the events that were recorded. */
function recordSome(sql: Sql, takeIds: IdSource): Promise<string[]> {
  return sql.begin(async (tx) => {
    const events = await lockEvents(tx, batchSize)
    if (events.length === 0) return []
    const [ids, acceptedAt] = [await takeIds(events.length), Date.now()]
    await storeWithin(
      tx,
      events.map((event, index) => toEntry(event, ids[index]!, acceptedAt)),
    )
    await markRecorded(tx, events)
    return events.map(({ meter }) => meter)
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
