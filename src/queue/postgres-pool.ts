/** The connections of queues in PostgreSQL. */
import type { PgPool } from 'bullmq'
import pg from 'pg'
import type { Logger } from 'pino'
import { briefMs, type RedisTimeouts } from '../platform/redis/connection.ts'
import { queueNames } from './queues.ts'

const refusedPauseMs = 500

type Connected = (error: Error | null) => void

/**
 * Reports a failed connection only after half a second. BullMQ connects again at once, so while PostgreSQL starts
 * or shuts down, a worker would connect hundreds of times a second.
 */
class PausingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const connect = this.connect.bind(this) as (connected: Connected) => void
    // The pool calls connect() only with a callback.
    const pausing = (connected: Connected) =>
      connect((error) => (error ? void setTimeout(connected, refusedPauseMs, error) : connected(null)))
    this.connect = pausing as typeof this.connect
  }
}

/** @param timeouts `brief` for a process that adds jobs, and `endless` for a worker. */
export function openQueuePool(databaseUrl: string, timeouts: RedisTimeouts, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: '-c search_path=bullmq,public',
    application_name: 'abs-queue',
    ...(timeouts === 'brief'
      ? { max: 4, connectionTimeoutMillis: briefMs, query_timeout: briefMs }
      : {
          // A worker listens on one connection for each queue, and needs more for its queries.
          max: queueNames.length + 4,
          // A query of the queue takes milliseconds. One that takes 10 seconds has a dead connection.
          connectionTimeoutMillis: 5000,
          query_timeout: 10_000,
          Client: PausingClient,
        }),
  })
  pool.on('error', (error) => log.debug({ err: error }, 'queue connection'))
  // When a connection breaks, its query fails. Without this listener, the error of a connection that is checked out but
  // idle would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * The pool for one queue or worker of BullMQ, in a form that ignores listeners. BullMQ adds a listener to its
 * pool and never removes it. During an outage, a new queue is made each second, so the listeners would
 * accumulate.
 */
export function lendPool(pool: PgPool): PgPool {
  const lent: PgPool = {
    connect: () => pool.connect(),
    query: (text, values) => pool.query(text, values),
    end: async () => {},
    on: () => lent,
    removeAllListeners: () => lent,
  }
  return lent
}
