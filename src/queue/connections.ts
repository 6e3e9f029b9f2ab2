/**
 * BullMQ on Redis or on PostgreSQL: the only file that names its classes, keys and tables. Which of the two it is
 * makes no difference to those who use what it gives.
 */
import { createPostgresBackend, Queue, Worker, type WorkerOptions } from 'bullmq'
import pg from 'pg'
import type { Logger } from 'pino'
import {
  awaitReplicas,
  briefMilliseconds,
  connectRedis,
  inspect,
  type RedisTimeouts,
} from '../platform/redis/connection.ts'
import { type QueueName, queueNames } from './queues.ts'
import { takeText } from './text-queue.ts'

export type QueueOptions = {
  /** As REDIS_URL has it; undefined for queues in PostgreSQL. */
  redisUrl: string | undefined
  databaseUrl: string
  prefix: string
  log: Logger
}

/** Gives up soon, so that a producer can go another way (`brief`), or tries for ever, as workers do. */

/** What is done with a queue, whatever keeps it: BullMQ's own classes are another type for each store. */
export type StoreQueue = Pick<
  Queue,
  'name' | 'add' | 'getJob' | 'getJobCounts' | 'getRanges' | 'toKey' | 'upsertJobScheduler' | 'close'
> & {
  on(event: 'error', listener: (error: Error) => void): unknown
  waitUntilReady(): Promise<unknown>
}
type WorkedJob = { name: string; data: unknown }
export type StoreWorker = Pick<Worker, 'name' | 'close'> & {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'failed', listener: (job: WorkedJob | undefined, error: Error) => void): unknown
  on(event: 'completed', listener: (job: WorkedJob, result: unknown) => void): unknown
  on(event: 'stalled', listener: () => void): unknown
}

export type Store = {
  name: 'redis' | 'postgres'
  makeQueue(name: QueueName): StoreQueue
  makeWorker(name: QueueName, run: Run, settings: WorkSettings): StoreWorker
  /** Ids of jobs that are neither done nor given up, read at one instant; `most` of each state at the most. */
  listUnfinished(queue: StoreQueue, most: number): Promise<string[]>
  /** When the oldest job that waits or runs was added, Unix milliseconds; null when there is none. */
  findOldest(queue: StoreQueue): Promise<number | null>
  /** Why what it acknowledges may be lost, or why it should take no more; nothing when all is well. */
  listFaults(): Promise<StoreFaults>
  /**
   * Resolves when what was added before outlives a failover as well. @throws when that is not so soon.
   */
  settle(): Promise<void>
  /** Calls `lost` whenever the connection breaks and `back` whenever it stands again. */
  watch(lost: () => void, back: () => void): void
  /** From now on nothing is waited for that needs a connection which is away: it fails. */
  loseHope(): void
  close(): Promise<void>
}
export type WorkSettings = Pick<
  WorkerOptions,
  | 'concurrency'
  | 'removeOnComplete'
  | 'removeOnFail'
  | 'maxStalledCount'
  | 'lockDuration'
  | 'stalledInterval'
  | 'runRetryDelay'
>
export type Run = (job: WorkedJob) => Promise<unknown>
export type StoreFaults = { volatile: string[]; full: string[] }

export function openStore(options: QueueOptions, patience: RedisTimeouts): Store {
  return options.redisUrl ? onRedis(options, options.redisUrl, patience) : onPostgres(options, patience)
}

const unfinishedStates = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const

function onRedis({ prefix, log }: QueueOptions, urls: string, patience: RedisTimeouts): Store {
  const redis = connectRedis(urls, patience)
  let replicas = 0
  // Every lost connection is told by `watch`, or by the queue and the worker that use it.
  redis.on('error', (error) => log.debug({ err: error }, 'redis'))
  return {
    name: 'redis',
    makeQueue: (name) => takeText(new Queue(name, { connection: redis, prefix })),
    makeWorker: (name, run, settings) => new Worker(name, run, { connection: redis, prefix, ...settings }),
    listUnfinished: (queue, most) => queue.getRanges([...unfinishedStates], 0, most - 1),
    async findOldest(queue) {
      const ids = await queue.getRanges(['waiting', 'active'], 0, 0, true)
      const added = await Promise.all(ids.map((id) => redis.hget(queue.toKey(id), 'timestamp')))
      return earliest(added.flatMap((time) => (time ? [Number(time)] : [])))
    },
    async listFaults() {
      const { volatile, full, replicas: found } = await inspect(redis)
      replicas = found
      return { volatile, full }
    },
    settle: () => awaitReplicas(redis, replicas),
    watch(lost, back) {
      redis.on('close', lost)
      redis.on('ready', back)
    },
    loseHope() {
      if (redis.status !== 'ready') redis.disconnect()
      redis.on('close', () => redis.disconnect())
    },
    close: async () => redis.disconnect(),
  }
}

function onPostgres({ databaseUrl, log }: QueueOptions, patience: RedisTimeouts): Store {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: '-c search_path=bullmq,public',
    application_name: 'abs-queue',
    // A worker keeps one connection for each queue, to listen on, and needs others to work with.
    max: patience === 'brief' ? 4 : queueNames.length + 4,
    ...(patience === 'brief'
      ? { connectionTimeoutMillis: briefMilliseconds, query_timeout: briefMilliseconds }
      : // Whatever is asked of the queue is soon answered, or its connection has fallen silent.
        { connectionTimeoutMillis: 5000, query_timeout: 10_000 }),
  })
  // BullMQ adds listeners for each queue and each worker: more than Node expects of one emitter.
  pool.setMaxListeners(10 + 3 * queueNames.length)
  pool.on('error', (error) => log.debug({ err: error }, 'queue connection'))
  // Whoever has a connection hears of its end by the failure of what it asks; one that is lent and asks nothing just
  // then would otherwise end the process with an error that nobody listens for.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    name: 'postgres',
    makeQueue: (name) => takeText(new Queue(name, { connection: pool }, createPostgresBackend)),
    makeWorker: (name, run, settings) =>
      new Worker(name, run, { connection: pool, ...settings }, createPostgresBackend),
    async listUnfinished(queue, most) {
      // One statement: BullMQ's own getRanges reads state by state here and misses a job that moves meanwhile.
      const { rows } = await pool.query<{ id: string }>(
        `select id from bullmq.job where queue = $1 and state not in ('completed', 'failed') limit $2`,
        [queue.name, most],
      )
      return rows.map(({ id }) => id)
    },
    async findOldest(queue) {
      const { rows } = await pool.query<{ oldest: string | null }>(
        `select min(added_at_ms) as oldest from bullmq.job where queue = $1 and state in ('waiting', 'active')`,
        [queue.name],
      )
      return rows[0]?.oldest ? Number(rows[0].oldest) : null
    },
    listFaults: async () => {
      await pool.query('select 1')
      return { volatile: [], full: [] }
    },
    settle: async () => {},
    // Each query takes a connection that works, or fails.
    watch: (_, back) => back(),
    loseHope() {},
    close: () => pool.end(),
  }
}

function earliest(times: number[]): number | null {
  return times.length > 0 ? Math.min(...times) : null
}
