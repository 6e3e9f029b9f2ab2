/** Backlogs of usage: queued as by the web process, and then drained while the time is measured. */
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { listWaitingAccounts } from '../src/events/pump/queries.ts'
import type { Sql } from '../src/platform/postgres/database.ts'
import type { EntryTuple } from '../src/queue/jobs.ts'
import { openQueue } from '../src/queue/producer.ts'
import type { Workplace } from './harness/stores.ts'

export type Backlog = {
  entries: number
  accountIds: number[]
  /** How many names of meters each account has. */
  meters: number
  store: 'Redis' | 'PostgreSQL'
}

const entriesPerJob = 200
const jobsAtOnce = 20
let nextId = 1e12

/** Queues this many entries in jobs of 200. */
export async function fillBacklog(
  { databaseUrl, redisUrl }: Workplace,
  { entries, accountIds, meters, store }: Backlog,
): Promise<void> {
  const queue = openQueue({
    redisUrl: store === 'Redis' ? redisUrl : undefined,
    databaseUrl,
    prefix: '{abs}',
    log: pino({ level: 'silent' }),
    allowVolatile: false,
    backlogLimit: Number.MAX_SAFE_INTEGER,
  })
  await queue.looked
  const now = Date.now()
  const makeEntry = (): EntryTuple => {
    const id = nextId++
    const accountId = accountIds[id % accountIds.length]!
    return [accountId, id, now, `meter ${id % meters}`, '1.5', Math.floor(now / 1000) - (id % 1000), null]
  }
  const sizes = Array.from({ length: Math.ceil(entries / entriesPerJob) }, (_, job) =>
    Math.min(entriesPerJob, entries - job * entriesPerJob),
  )
  while (sizes.length > 0) {
    const jobs = sizes.splice(0, jobsAtOnce).map((size) => Array.from({ length: size }, makeEntry))
    await Promise.all(jobs.map((job) => queue.add('usage.store', job)))
  }
  await queue.close()
}

/** How many entries the totals of all accounts have, without those of bookings. */
export async function countCounted(sql: Sql): Promise<number> {
  const [row] = await sql<{ events: number }[]>`
    select coalesce(sum(events), 0)::bigint as events from meter_monthly where meter <> 'order-completed'`
  return row!.events
}

/** Waits until this many entries are counted and every event has its number. @throws after three minutes. */
export async function settle(sql: Sql, entries: number): Promise<void> {
  for (const began = performance.now(); performance.now() - began < 180_000; await delay(20)) {
    const waiting = await listWaitingAccounts(sql)
    if (waiting.length === 0 && (await countCounted(sql)) >= entries) return
  }
  throw new Error('a backlog is not drained within three minutes')
}

/** How many bookings the totals of all accounts have. */
export async function countMetered(sql: Sql): Promise<number> {
  const [row] = await sql<{ events: number }[]>`
    select coalesce(sum(events), 0)::bigint as events from meter_monthly where meter = 'order-completed'`
  return row!.events
}

/**
 * Waits until every event has its number and the totals have this many bookings. @returns the seconds it
 * took.
 */
export async function awaitMetered(sql: Sql, bookings: number): Promise<number> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  for (; seconds() < 180; await delay(20)) {
    if ((await countMetered(sql)) < bookings) continue
    if ((await listWaitingAccounts(sql)).length === 0) return seconds()
  }
  throw new Error(`${await countMetered(sql)} of ${bookings} bookings are in the totals after three minutes`)
}

/**
 * Entries a second from the first visible one to the last, without the start of the worker.
 * @param count returns how many are counted now.
 * @throws when the last one is not visible after two minutes.
 */
export async function timeDrain(entries: number, count: () => Promise<number>): Promise<number> {
  let first: { at: number; counted: number } | undefined
  let last = { at: performance.now(), counted: 0 }
  while (last.counted < entries) {
    await delay(10)
    const counted = await count()
    const at = performance.now()
    if (counted > 0) first ??= { at, counted }
    if (counted > last.counted) last = { at, counted }
    else if (at - last.at > 120_000)
      throw new Error(`${counted} of ${entries} entries are counted, and no more`)
  }
  const timed = last.counted - first!.counted
  return timed > 0 ? timed / ((last.at - first!.at) / 1000) : Number.NaN
}
