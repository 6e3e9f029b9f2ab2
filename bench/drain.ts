/**
 * A backlog of usage drained by one worker, compared with COPY into the same table, and with queues with one
 * job for each entry.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Queue } from 'bullmq'
import PgBoss from 'pg-boss'
import type { Sql } from '../src/platform/postgres/database.ts'
import { type Backlog, countCounted, fillBacklog, timeDrain } from './backlog.ts'
import { makeAccount } from './fixtures.ts'
import { startRivals, startWorkers, stopAll, watchMemory } from './harness/processes.ts'
import { medianBy, spreadBy } from './harness/rounds.ts'
import { countRivalEntries } from './metering-subjects.ts'
import type { Part, Setting } from './part.ts'
import { queueName } from './rivals/metering.ts'
import { makeMeteringTables } from './rivals/tables.ts'

export const drain: Part = {
  name: 'drain',
  shows:
    'One worker stores a backlog, compared with COPY into the same table and with workers that use one job for each entry.',
  duration: (_seconds, rounds) => rounds * 60,
  run,
}

const title = 'Entries stored'
const meters = 100

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report, alternate } = setting
  const { sql } = workplace
  const { accountId } = await makeAccount(sql)
  await makeMeteringTables(sql)
  const [many, some, few] = short ? [10_000, 10_000, 200] : [1_000_000, 300_000, 20_000]
  const backlog = { accountIds: [accountId], meters }
  const ours = (store: Backlog['store'], entries: number) => ({
    name: `this service, queue in ${store}`,
    measure: () => drainOurs(setting, { ...backlog, entries, store }),
  })
  const rival = (queue: 'bullmq' | 'pg-boss') => ({
    name: `${queue}, one job for each entry`,
    measure: () => drainRival(setting, queue, few),
  })
  const entrants = [
    ours('Redis', many),
    { name: 'COPY into the same table, no totals', measure: () => copy(sql, accountId, many) },
    ours('PostgreSQL', some),
    rival('bullmq'),
    rival('pg-boss'),
  ]
  const found = await alternate('entries stored', entrants)
  for (const [name, drained] of found) tell(setting, name, drained)
  const [redis, copied] = entrants.map(({ name }) => medianBy(found.get(name), ({ perSecond }) => perSecond))
  report.target({ name: 'drain, compared with COPY', measured: redis! / copied!, unit: '×', atLeast: 0.2 })
  report.note(
    'The worker inserts new entries and adds them to the totals by day and by month. COPY only writes typed rows from memory. Both begin with an empty table. The rate is measured from the first visible rows to the last, so that it does not include the start of a process.',
  )
}

type Drained = { entries: number; perSecond: number; megabytes: number | null }

async function drainOurs(setting: Setting, backlog: Backlog): Promise<Drained> {
  const { workplace, report } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  await clear(sql)
  await fillBacklog(workplace, backlog)
  const environment: Record<string, string> = { DATABASE_URL: databaseUrl }
  if (backlog.store === 'Redis') environment.REDIS_URL = redisUrl
  const workers = await startWorkers(1, environment)
  const peaks = watchMemory(workers)
  try {
    const perSecond = await timeDrain(backlog.entries, () => countCounted(sql))
    const megabytes = peaks()['worker 1']!
    const counted = await countCounted(sql)
    const detail = `${backlog.entries} queued, ${counted} counted`
    report.check(`drained exactly, queue in ${backlog.store}`, counted === backlog.entries, detail)
    return { entries: backlog.entries, perSecond, megabytes }
  } finally {
    await stopAll(workers)
  }
}

function tell({ report }: Setting, name: string, drained: Drained[]): void {
  report.row(title, {
    '': name,
    entries: drained[0]!.entries,
    'entries/s': spreadBy(drained, ({ perSecond }) => perSecond),
    'peak MB of the worker': spreadBy(drained, ({ megabytes }) => megabytes ?? Number.NaN),
  })
  const ours = name.startsWith('this service')
  const value = medianBy(drained, ({ perSecond }) => perSecond)
  if (!Number.isNaN(value)) report.bar(title, 'per second', { label: name, value, ours })
}

const rowsPerChunk = 10_000

/** Streams prepared lines into meter_entries; returns entries a second, including the commit. */
async function copy(sql: Sql, accountId: number, entries: number): Promise<Drained> {
  await clear(sql)
  const now = new Date().toISOString()
  const line = (id: number) =>
    `${accountId}\t${id}\t${now}\tmeter ${id % meters}\t1.5\t${now}\t${now.slice(0, 10)}\n`
  const chunks = Array.from({ length: entries / rowsPerChunk }, (_, chunk) =>
    Buffer.from(
      Array.from({ length: rowsPerChunk }, (_, row) => line(chunk * rowsPerChunk + row + 1)).join(''),
    ),
  )
  const began = performance.now()
  const into = await sql`
    copy meter_entries (account_id, id, accepted_at, meter, usage, occurred_at, day) from stdin`.writable()
  await pipeline(Readable.from(chunks), into)
  const perSecond = entries / ((performance.now() - began) / 1000)
  const [row] = await sql<{ rows: number }[]>`select count(*) as rows from meter_entries`
  if (row!.rows !== entries) throw new Error(`COPY stored ${row!.rows} of ${entries} entries`)
  return { entries, perSecond, megabytes: null }
}

async function clear(sql: Sql): Promise<void> {
  await sql`truncate meter_entries, meter_daily, meter_monthly`
}

async function drainRival(setting: Setting, queue: 'bullmq' | 'pg-boss', entries: number): Promise<Drained> {
  const { databaseUrl, redisUrl, sql } = setting.workplace
  await sql`truncate rival_entries, rival_totals`
  await sql`drop schema if exists pgboss cascade`
  const jobs = Array.from({ length: entries }, (_, index) => ({
    Meter: `meter ${index % meters}`,
    Usage: 1.5,
  }))
  await (queue === 'bullmq' ? queueInBullmq(redisUrl, jobs) : queueInPgBoss(databaseUrl, jobs))
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, RIVAL_QUEUE: queue }
  const workers = await startRivals(1, ['dist', 'bench', 'rivals', 'worker.js'], environment)
  const peaks = watchMemory(workers)
  try {
    const perSecond = await timeDrain(entries, () => countRivalEntries(sql))
    return { entries, perSecond, megabytes: peaks()['worker.js 1']! }
  } finally {
    await stopAll(workers)
  }
}

async function queueInBullmq(url: string, jobs: object[]): Promise<void> {
  const queue = new Queue(queueName, { connection: { url } })
  for (let sent = 0; sent < jobs.length; sent += 1000)
    await queue.addBulk(jobs.slice(sent, sent + 1000).map((data) => ({ name: 'entry', data })))
  await queue.close()
}

async function queueInPgBoss(connectionString: string, jobs: object[]): Promise<void> {
  const boss = new PgBoss({ connectionString, max: 2 })
  await boss.start()
  await boss.createQueue(queueName)
  for (let sent = 0; sent < jobs.length; sent += 1000)
    await boss.insert(jobs.slice(sent, sent + 1000).map((data) => ({ name: queueName, data })))
  await boss.stop({ graceful: false })
}
