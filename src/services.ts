/** What a process works with, opened in order and closed in reverse. Tests open the same with other settings. */
import type { Logger } from 'pino'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { measureStores } from './metrics/stores.ts'
import type { Config } from './platform/config.ts'
import { openDatabase, type Sql } from './platform/database.ts'
import { createLogger } from './platform/logging.ts'
import { type JobQueue, openQueue } from './queue/producer.ts'

export type Services = {
  config: Config
  log: Logger
  sql: Sql
  queue: JobQueue
  metrics: Metrics
  /** Mutable: `draining` turns true when the process has begun to shut down. */
  state: { draining: boolean }
}

/** Opens what `name` (web or worker) needs. No store is waited for here. */
export function openServices(
  config: Config,
  databaseUrl: string,
  name: string,
  log: Logger = createLogger(config.LOG_LEVEL, name),
): Services {
  const metrics = createMetrics()
  const sql = openDatabase(databaseUrl, {
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: `abs-${name}`,
    patience: name === 'web' ? 'request' : 'job',
  })
  const queue = openQueue({
    redisUrl: config.REDIS_URL,
    databaseUrl,
    prefix: config.QUEUE_PREFIX,
    log,
    allowVolatile: config.ALLOW_VOLATILE_QUEUE === 1,
    backlogLimit: config.QUEUE_BACKLOG_LIMIT,
    observeReads: metrics.observeBatches('queue-reads'),
  })
  measureStores(metrics.registry, { sql, queue })
  return { config, log, sql, queue, metrics, state: { draining: false } }
}

export async function closeServices({ sql, queue }: Services): Promise<void> {
  await queue.close()
  await sql.end({ timeout: 5 })
}
