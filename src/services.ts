/** What a process works with, opened in order and closed in reverse. Tests open the same with other settings. */
import type { Logger } from 'pino'
import type { Config } from './platform/config.ts'
import { openDatabase, type Sql } from './platform/database.ts'
import { createLogger } from './platform/logging.ts'
import { type JobQueue, openQueue } from './queue/producer.ts'

export type Services = {
  config: Config
  log: Logger
  sql: Sql
  queue: JobQueue
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
  })
  return { config, log, sql, queue, state: { draining: false } }
}

export async function closeServices({ sql, queue }: Services): Promise<void> {
  await queue.close()
  await sql.end({ timeout: 5 })
}
