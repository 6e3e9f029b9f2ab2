/** A worker recovers when PostgreSQL is silent or its totals are locked, and stops also while Redis is down. */
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { startJobWorker } from '../../src/queue/worker.ts'
import { jobHandlers } from '../../workers/handlers.ts'
import {
  buildUsage,
  everyDay,
  onBothStores,
  redisUrl,
  type StoreName,
  startWorker,
} from '../metering/fixtures.ts'
import { proxyTo } from '../proxy.ts'
import { until } from '../until.ts'

const body = { Meter: 'm', Usage: 1 }

async function build(t: Test, store: StoreName) {
  const usage = await buildUsage(t, store, { workers: 0 })
  const counts = async (events: number) => {
    const { answer, summary } = await usage.summarize(everyDay)
    return answer.headers['usage-pending'] === '0' && summary.Totals.Events === events
  }
  /** The start times of the statements that wait for a lock. */
  const waiting = async () => {
    const rows = await usage.sql<{ began: Date }[]>`
      select query_start as began from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return rows.map(({ began }) => began.getTime())
  }
  /** Locks the totals of all accounts; returns a function that releases them. */
  const lockTotals = async () => {
    const other = await usage.sql.reserve()
    await other`begin`
    await other`select from meter_daily for update`
    return async () => {
      await other`commit`
      other.release()
    }
  }
  return { ...usage, counts, waiting, lockTotals }
}

await onBothStores('while totals are locked, no job fails and no entry is lost', async (t, store) => {
  const { record, counts, waiting, lockTotals, services, url } = await build(t, store)
  await startWorker(t, services, `${url}&statement_timeout=300`)
  await record(body)
  await until(() => counts(1))
  const unlock = await lockTotals()
  for (let sent = 0; sent < 3; sent++) t.equal((await record(body)).statusCode, 201)
  const tries = new Set<number>()
  await until(async () => {
    for (const began of await waiting()) tries.add(began)
    return tries.size > 3
  })
  await unlock()
  await until(() => counts(4))
  t.equal(services.queue.state().backlog?.failed, 0)
})

await onBothStores('a silent connection is closed, and nothing is counted twice', async (t, store) => {
  const { record, counts, waiting, lockTotals, services, url } = await build(t, store)
  const proxy = await proxyTo(t, process.env.TEST_DATABASE_URL!)
  const through = new URL(url)
  through.port = new URL(proxy.url).port
  const { config } = services
  const log = pino({ level: 'silent' })
  const sql = openDatabase(through.href, {
    poolSize: 2,
    applicationName: 'test',
    timeouts: 'job',
    silence: 2000,
  })
  const queue = { redisUrl: config.REDIS_URL, databaseUrl: through.href, prefix: config.QUEUE_PREFIX, log }
  const worker = await startJobWorker(queue, jobHandlers({ ...services, sql, log }))
  t.teardown(async () => {
    await worker.close()
    await sql.end({ timeout: 1 })
  })
  await record(body)
  await until(() => counts(1))
  const unlock = await lockTotals()
  for (let sent = 0; sent < 3; sent++) await record(body)
  await until(async () => (await waiting()).length > 0)
  proxy.freeze()
  // The entries are stored now, but the worker gets no response.
  await unlock()
  await until(() => counts(4))
  await record(body)
  await until(() => counts(5))
})

t.test(
  'a worker that is closed while Redis is down stops, even with a running job',
  { skip: !redisUrl },
  async (t) => {
    const { record, counts, waiting, lockTotals, services, url } = await build(t, 'redis')
    const proxy = await proxyTo(t, redisUrl)
    const config = { ...services.config, REDIS_URL: proxy.url }
    const worker = await startWorker(t, { config }, `${url}&statement_timeout=300`)
    await record(body)
    await until(() => counts(1))
    const unlock = await lockTotals()
    await record(body)
    await until(async () => (await waiting()).length > 0)
    await proxy.cut()
    await worker.close()
    await unlock()
    await startWorker(t, services, url)
    // The new worker stores the entry as soon as the closed worker’s lease of the job has expired.
    await until(() => counts(2))
  },
)
