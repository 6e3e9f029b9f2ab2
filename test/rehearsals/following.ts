/** A partner who follows its bookings by the change feed, page after page, before and after a restore. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { readCursor } from '../../src/platform/text/cursor.ts'
import type { World } from '../fleet/load.ts'
import { bookingPath } from '../helper.ts'
import { until } from '../until.ts'

export type Follower = {
  /** The status of each booking as the feed showed it last, by reference. */
  statuses: Map<string, string>
  /** The query of the next page: the cursor that the last page returned. */
  next: string
}

const pauseMs = 50

export function makeFollower(): Follower {
  return { statuses: new Map(), next: '' }
}

/** Reads pages until it is stopped, and retries a page that fails. @returns a function that stops it. */
export function follow(follower: Follower, url: string, world: World): () => Promise<void> {
  let stopping = false
  const following = (async () => {
    while (!stopping) {
      await readNext(follower, url, world).catch(() => {})
      await delay(pauseMs)
    }
  })()
  return () => {
    stopping = true
    return following
  }
}

/**
 * Reads on until every event has its number and the end of the log is reached.
 * @throws when the feed has not shown a partner's booking, or has not shown the current state of a booking in
 * `changed`.
 */
export async function catchUp(
  follower: Follower,
  { sql, url, world }: { sql: Sql; url: string; world: World },
  changed: string[],
): Promise<void> {
  await until(async () => {
    const [log] = await sql<{ unnumbered: number; last: number }[]>`
      select (select count(*) from events where number is null) as unnumbered,
        (select coalesce(max(last_number), 0) from event_counters) as last`
    await readNext(follower, url, world)
    return log!.unnumbered === 0 && positionOf(follower).number === log!.last
  })
  const made = await sql<{ reference: string; status: string }[]>`
    select reference, status from bookings where channel = 'partner'`
  const missed = made.filter(({ reference, status }) => {
    const shown = follower.statuses.get(reference)
    return changed.includes(reference) ? shown !== status : shown === undefined
  })
  if (missed.length > 0) throw new Error(`the feed has not shown ${JSON.stringify(missed.slice(0, 5))}`)
}

/** The epoch and the number that a follower's cursor names. */
export function positionOf({ next }: Follower): { epoch: number; number: number } {
  const cursor = new URLSearchParams(next).get('Cursor') ?? ''
  const [, epoch, number] = readCursor(cursor, ['string', 'number', 'number'])!
  return { epoch, number }
}

/**
 * Checks that a restored log ends before the number of a cursor that was read from the lost log. Only then would a
 * cursor without an epoch miss events.
 * @throws if the restored log is not shorter.
 */
export async function expectShorterLog(sql: Sql, { number }: { number: number }): Promise<void> {
  const [log] = await sql<{ last: number }[]>`select max(last_number) as last from event_counters`
  if (log!.last >= number)
    throw new Error(`the restored log goes to ${log!.last}, and the cursor is at ${number}`)
}

async function readNext(follower: Follower, url: string, { token }: World): Promise<void> {
  const answer = await fetch(`${url}${bookingPath}?${follower.next}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`the feed answered ${answer.status}`)
  const { data } = (await answer.json()) as { data: { BookingReference: string; Status: string }[] }
  for (const { BookingReference, Status } of data) follower.statuses.set(BookingReference, Status)
  follower.next = /[?&](Cursor=[^&>]+)/.exec(answer.headers.get('link') ?? '')![1]!
}
