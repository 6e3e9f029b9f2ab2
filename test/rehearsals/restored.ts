/** Checks of a restored database, besides its totals. */
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { openQueue } from '../../src/queue/producer.ts'
import type { Tally } from '../fleet/load.ts'

/** Inserts an e-mail about a booking, which is due at once. No worker looks for it in the next seconds. */
export async function queueEmail(sql: Sql): Promise<void> {
  await sql`
    insert into emails (account_id, kind, booking_id)
    select account_id, 'confirmation', id from bookings limit 1`
}

/** Counts the usage entries that wait in Redis and are not in the database. */
export async function countWaiting(sql: Sql, databaseUrl: string, redisUrl: string): Promise<number> {
  const log = pino({ level: 'silent' })
  const options = { redisUrl, databaseUrl, prefix: '{abs}', log, allowVolatile: false, backlogLimit: 1 }
  const queue = openQueue(options)
  try {
    await queue.looked
    const jobs = await queue.readPayloads([...(await queue.listUnfinished())])
    const ids = jobs.flat().map(([, id]) => id)
    const [known] = await sql<{ count: number }[]>`
      select count(*) from meter_entries where id = any(${ids}::bigint[])`
    return ids.length - known!.count
  } finally {
    await queue.close()
  }
}

/** @throws when an id of one load was given out again in the other. */
export function expectNoIdTwice(before: Tally, after: Tally): void {
  const known = new Set(before.entries)
  const again = after.entries.filter((id) => known.has(id))
  if (again.length > 0) throw new Error(`entry ids were given out again: ${again.slice(0, 5)}`)
}

/** @throws an error with both values if they differ. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(structuredClone(found), structuredClone(expected)))
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
}
