/**
 * How soon after its response a booking is in the partner's change feed and in the totals, while web, worker
 * and client keep the machine busy, and while two unrelated transactions stay open.
 */
import { openDatabase, type Sql, type Transaction } from '../src/platform/postgres/database.ts'
import { settle } from './backlog.ts'
import { bookingRequests, makeAccount, makeProduct } from './fixtures.ts'
import { runClosedLoop } from './harness/closed-loop.ts'
import type { LoadRequest } from './harness/load.ts'
import { startWebs, startWorkers, stopAll } from './harness/processes.ts'
import { quantilesOf } from './harness/quantiles.ts'
import { urlOf } from './harness/stores.ts'
import { followFeed, type Seen, watchTotals } from './log-readers.ts'
import type { Part, Setting } from './part.ts'

export const log: Part = {
  name: 'log',
  shows:
    'Time from the response to a booking until it is in the partner’s change feed and in the totals: 64 connections book over 1,000 timeslots, with one web process and one worker, while two other transactions stay open.',
  duration: (seconds) => measuredSeconds(seconds) + 15,
  run,
}

const connections = 64
const maxSeconds = 1

/**
 * 15 times the given seconds (60 at the default of 4): only a run of about a minute shows whether an open transaction
 * delays the log.
 */
function measuredSeconds(seconds: number): number {
  return seconds * 15
}

async function run(setting: Setting): Promise<void> {
  const { short, seconds, workplace } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const account = await makeAccount(sql, 'log', 'Partner')
  const shape = { name: 'Log', slots: short ? 50 : 1000, capacity: 1_000_000 }
  const product = await makeProduct(sql, { accountId: account.accountId, ...shape })
  const requests = bookingRequests(account.token, product)
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  const running = [...(await startWebs(1, environment)), ...(await startWorkers(1, environment))]
  const target = running[0]!.url
  try {
    const warmUp = await book({ target, requests, seconds: short ? 0.2 : 2, short })
    await settle(sql, 0)
    await sql`analyze`
    const feed = followFeed(target, account.token)
    const totals = watchTotals(sql, account.accountId)
    const release = await holdTransactions(databaseUrl)
    const made = await book({
      target,
      requests,
      seconds: short ? 1 : measuredSeconds(seconds),
      short,
    }).finally(release)
    await settle(sql, 0)
    const [inFeed, inTotals] = [await feed.finish(), await totals.finish()]
    tell(setting, made, inFeed, inTotals)
    const answered = new Map([...warmUp.answeredAt, ...made.answeredAt])
    checkReaders(setting, answered, { feed: inFeed, totals: inTotals, disagreements: totals.disagreements() })
    await checkTables(setting, account.accountId, answered.size)
  } finally {
    await stopAll(running)
  }
}

type Made = {
  seconds: number
  /** By reference. */
  answeredAt: Map<string, number>
  answerMs: number[]
}

type BookingLoad = { target: string; requests: LoadRequest[]; seconds: number; short: boolean }

/** @throws when a booking is refused: there are places for all. */
async function book({ short, ...load }: BookingLoad): Promise<Made> {
  const made: Made = { seconds: load.seconds, answeredAt: new Map(), answerMs: [] }
  await runClosedLoop({
    ...load,
    connections,
    answered({ status, body }, at, sentAt) {
      // A short run is not timed and may share a busy machine, so some requests may be refused.
      if (short && status === 503) return
      if (status !== 201) throw new Error(`a booking is answered with ${status}: ${body}`)
      const { data } = JSON.parse(body) as { data: { BookingReference: string } }
      made.answeredAt.set(data.BookingReference, at)
      made.answerMs.push(at - sentAt)
    },
  })
  return made
}

/**
 * Opens a transaction with an id in another database of the server, and one in the service's database that
 * has written to its own table. @returns a function that commits both, and throws if either did not stay
 * open.
 */
async function holdTransactions(databaseUrl: string): Promise<() => Promise<void>> {
  const releases = [
    await holdTransaction(urlOf(databaseUrl, 'postgres'), (tx) => tx`select pg_current_xact_id()`),
    await holdTransaction(databaseUrl, (tx) => tx`create table elsewhere as select 1 as written`),
  ]
  return async () => {
    await Promise.all(releases.map((release) => release()))
  }
}

async function holdTransaction(
  url: string,
  begin: (tx: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-bench' })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let ended: Promise<unknown> = Promise.resolve()
  await new Promise<void>((begun, failed) => {
    ended = sql.begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await begin(tx)
      begun()
      await released
    })
    ended.catch(failed)
  })
  return async () => {
    release()
    await ended
    await sql.end()
  }
}

function tell({ report, short }: Setting, made: Made, feed: Seen, totals: Seen): void {
  const { answeredAt, answerMs, seconds } = made
  const answer = quantilesOf(answerMs)
  report.row('Bookings', {
    connections,
    seconds,
    'bookings/s': answeredAt.size / seconds,
    'p50 ms': answer.p50,
    'p99 ms': answer.p99,
    'max ms': answer.max,
  })
  for (const [name, seen] of [
    ['in the partner’s change feed', feed],
    ['numbered, stored as an entry, and in the totals', totals],
  ] as const) {
    const waits = [...answeredAt].flatMap(([reference, at]) => {
      const seenAt = seen.at.get(reference)
      // A reader may see a booking before the client has read its response.
      return seenAt === undefined ? [] : [Math.max(0, seenAt - at)]
    })
    const { p50, p99, max } = quantilesOf(waits)
    report.row('Time from the response until a booking appears', {
      '': name,
      bookings: waits.length,
      'p50 ms': p50,
      'p99 ms': p99,
      'max ms': max,
    })
    const measured = p99 / 1000
    if (!short) report.target({ name: `p99 until ${name}`, measured, unit: 's', atMost: maxSeconds })
  }
  report.note(
    'Every booking is measured. One follower reads the feed, and one query reads the totals; each repeats 20 ms after its last response. During the whole measurement, two transactions are open: one with an ID in another database of the server, and one in the same database that wrote to another table.',
  )
}

type Read = { feed: Seen; totals: Seen; disagreements: number }

function checkReaders({ report }: Setting, answered: Map<string, number>, read: Read): void {
  for (const [name, { at, repeated }] of [
    ['the change feed', read.feed],
    ['the totals', read.totals],
  ] as const) {
    const missing = [...answered.keys()].filter((reference) => !at.has(reference)).length
    report.check(
      `every acknowledged booking came once in ${name}, and no other`,
      missing === 0 && repeated === 0 && at.size === answered.size,
      `${answered.size} acknowledged, ${at.size} arrived, ${missing} missing, ${repeated} repeated`,
    )
  }
  report.check(
    'at every read, the totals were the sum of the entries, and their events had numbers',
    read.disagreements === 0,
    `${read.disagreements} reads differ`,
  )
}

async function checkTables(
  { report, workplace }: Setting,
  accountId: number,
  bookings: number,
): Promise<void> {
  const { made, entries, daily, monthly } = await countEntries(workplace.sql, accountId)
  report.check(
    'there are as many entries as bookings, in the totals by day and by month',
    [made, entries, daily, monthly].every((count) => count === bookings),
    `${bookings} acknowledged, ${made} bookings, ${entries} entries, ${daily} by day, ${monthly} by month`,
  )
  const { events, distinct, highest, last } = await readNumbers(workplace.sql, accountId)
  report.check(
    'the numbers of the account’s events begin at 1 and have no gap',
    [distinct, highest, last].every((number) => number === events) && events >= bookings,
    `${events} events, ${distinct} numbers, ${highest} the highest, ${last} in the counter`,
  )
}

async function countEntries(sql: Sql, accountId: number) {
  const [counted] = await sql<{ made: number; entries: number; daily: number; monthly: number }[]>`
    select (select count(*) from bookings where account_id = ${accountId}) as made,
      (select count(*) from meter_entries where account_id = ${accountId} and meter = 'order-completed') as entries,
      (select sum(events)::bigint from meter_daily
        where account_id = ${accountId} and meter = 'order-completed') as daily,
      (select sum(events)::bigint from meter_monthly
        where account_id = ${accountId} and meter = 'order-completed') as monthly`
  return counted!
}

async function readNumbers(sql: Sql, accountId: number) {
  const [numbers] = await sql<{ events: number; distinct: number; highest: number; last: number }[]>`
    select count(*) as events, count(distinct number) as distinct, max(number) as highest,
      (select last_number from event_counters where account_id = ${accountId}) as last
    from events where account_id = ${accountId}`
  return numbers!
}
