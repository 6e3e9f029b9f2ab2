/** A worker that is closed while it starts leaves nothing open: a process that stops early ends. */
import { pino } from 'pino'
import { openStore, type QueueOptions } from '../../src/queue/connections.ts'
import { queueNames } from '../../src/queue/queues.ts'
import { createDatabase, testConfig } from '../helper.ts'
import { onBothStores, redisUrl } from '../metering/fixtures.ts'
import { until } from '../until.ts'

const settings = {
  concurrency: 1,
  removeOnComplete: { count: 0 },
  maxStalledCount: 1,
  lockDuration: 10_000,
  stalledInterval: 5000,
  runRetryDelay: 1000,
}

await onBothStores('a worker that is closed while it starts ends its connections', async (t, store) => {
  const { url, sql } = await createDatabase(t)
  const { QUEUE_PREFIX: prefix } = testConfig()
  const options: QueueOptions = {
    redisUrl: store === 'redis' ? redisUrl : undefined,
    databaseUrl: url,
    prefix,
    log: pino({ level: 'silent' }),
  }
  const opened = openStore(options, 'endless')
  const workers = queueNames.map((name) => opened.makeWorker(name, async () => {}, settings))
  for (const worker of workers) worker.on('error', () => {})
  opened.failFast()
  await Promise.all(workers.map((worker) => worker.close()))
  // The store is closed later than these workers, as when another worker first has to finish its job.
  await Promise.allSettled(workers.map((worker) => worker.waitUntilReady()))
  await opened.close()
  await until(async () => {
    const left = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = any(${[...queueNames, 'abs-queue']})`
    return left.length === 0
  })
})
