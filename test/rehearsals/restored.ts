/** What has to hold of a database that was restored, besides its totals. */
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { openQueue } from '../../src/queue/producer.ts'
import type { Tally, World } from '../fleet/load.ts'
import { bookingPath } from '../helper.ts'
import { until } from '../until.ts'

/** An e-mail about some booking that becomes due at once; no worker looks for it in the next seconds. */
export async function queueEmail(sql: Sql): Promise<void> {
  await sql`
    insert into emails (account_id, kind, booking_id)
    select account_id, 'confirmation', id from bookings limit 1`
}

/** How many usage entries wait in Redis that the database does not have. */
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

/** The place in the list of changes at which a partner who has read everything goes on. */
export async function readPlace(url: string, world: World): Promise<string> {
  const since = new URLSearchParams({ UpdatedSince: new Date().toISOString() })
  return (await readChanges(url, world, since.toString())).next
}

/** @throws when a partner who goes on from a place never sees one of its bookings among these references. */
export async function expectChanges(sql: Sql, url: string, world: World, place: string, among: string[]) {
  const seen = new Set<string>()
  let next = place
  await until(async () => {
    const page = await readChanges(url, world, next)
    for (const reference of page.references) seen.add(reference)
    next = page.next
    const made = await sql<{ reference: string }[]>`
      select reference from bookings where reference = any(${among}::text[]) and channel = 'partner'`
    return made.every(({ reference }) => seen.has(reference))
  })
}

async function readChanges(url: string, { token }: World, query: string) {
  const answer = await fetch(`${url}${bookingPath}?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { BookingReference: string }[] }
  const next = /[?&](Cursor=[^&>]+)/.exec(answer.headers.get('link') ?? '')![1]!
  return { references: data.map(({ BookingReference }) => BookingReference), next }
}

/** @throws when an id of one load was given out again in the other. */
export function expectNoIdTwice(before: Tally, after: Tally): void {
  const known = new Set(before.entries)
  const again = after.entries.filter((id) => known.has(id))
  if (again.length > 0) throw new Error(`entry ids were given out again: ${again.slice(0, 5)}`)
}

/** @throws with both when they differ. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(structuredClone(found), structuredClone(expected)))
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
}
