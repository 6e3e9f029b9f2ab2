/**
 * The worker of a rival queue, BullMQ or pg-boss: it stores the one entry of each job with the textbook transaction.
 */
import { createServer } from 'node:http'
import { Worker } from 'bullmq'
import PgBoss from 'pg-boss'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { endWithParent } from '../../src/platform/process/end-with-parent.ts'
import { queueName, type RivalEntry, record } from './metering.ts'

const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl, RIVAL_QUEUE: queue, PORT } = process.env

endWithParent(() => process.exit(0))
const sql = openDatabase(databaseUrl, { poolSize: 10, applicationName: 'abs-bench-rival' })

if (queue === 'bullmq') {
  new Worker<RivalEntry>(queueName, ({ data }) => record(sql, [data]), {
    connection: { url: redisUrl!, maxRetriesPerRequest: null },
    concurrency: 250,
    removeOnComplete: { count: 0 },
  })
} else {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 10 })
  await boss.start()
  await boss.createQueue(queueName)
  // pg-boss fetches at most twice a second, so only large fetches by several workers keep it busy.
  const options = { batchSize: 500, pollingIntervalSeconds: 0.5 }
  for (let fetcher = 0; fetcher < 4; fetcher++) {
    await boss.work<RivalEntry>(queueName, options, (jobs) =>
      Promise.all(jobs.map(({ data }) => record(sql, [data]))),
    )
  }
}
// The benchmark waits until this port answers.
createServer((_, answer) => answer.end('here')).listen(Number(PORT), '127.0.0.1')
