/**
 * Opens the queues of BullMQ, on Redis or on PostgreSQL. Only this file makes queues and workers of BullMQ,
 * and reads its keys and tables. The callers of a Store do not need to know which of the two it uses.
 */
import { createPostgresBackend, Queue, Worker, type WorkerOptions } from 'bullmq'
import type { Logger } from 'pino'
import { awaitReplicas, connectRedis, inspect, type RedisTimeouts } from '../platform/redis/connection.ts'
import { lendPool, openQueuePool } from './postgres-pool.ts'
import type { QueueName } from './queues.ts'
import { takeText } from './text-queue.ts'

export type QueueOptions = {
  /** The value of REDIS_URL; undefined for queues in PostgreSQL. */
  redisUrl: string | undefined
  databaseUrl: string
  prefix: string
  log: Logger
}

/** The operations on a queue that both stores have: BullMQ has a type of its own for each store. */
export type StoreQueue = Pick<
  Queue,
  'name' | 'add' | 'getJob' | 'getJobCounts' | 'getRanges' | 'toKey' | 'upsertJobScheduler' | 'close'
> & {
  on(event: 'error', listener: (error: Error) => void): unknown
  waitUntilReady(): Promise<unknown>
}
type WorkedJob = {
  name: string
  data: unknown
  /** `telemetry.metadata` is the trace context of the process that added the job, if it traces. */
  opts?: { telemetry?: { metadata?: string } }
}
export type StoreWorker = Pick<Worker, 'name' | 'close'> & {
  waitUntilReady(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'failed', listener: (job: WorkedJob | undefined, error: Error) => void): unknown
  on(event: 'completed', listener: (job: WorkedJob, result: unknown) => void): unknown
  on(event: 'stalled', listener: () => void): unknown
}

export type Store = {
  name: 'redis' | 'postgres'
  makeQueue(name: QueueName): StoreQueue
  /** A worker that takes jobs as soon as it has connected. A worker whose waitUntilReady() rejects never does. */
  makeWorker(name: QueueName, run: Run, settings: WorkSettings): StoreWorker
  /**
   * Ids of jobs that are neither done nor failed, read at one instant. It returns at most `most` ids: in all on
   * PostgreSQL, and for each state on Redis.
   */
  listUnfinished(queue: StoreQueue, most: number): Promise<string[]>
  /**
   * When the oldest job that waits or runs was added, in Unix milliseconds; null when there is none. On Redis, a job
   * that was retried may be missed.
   */
  findOldest(queue: StoreQueue): Promise<number | null>
  /**
   * Lists why the store may lose acknowledged jobs (`volatile`), and why no job should be added (`full`). Empty
   * lists mean that the store has no fault. @throws when the store does not respond.
   */
  listFaults(): Promise<StoreFaults>
  /**
   * Resolves when the replicas of Redis that the last listFaults() found have all earlier writes of this
   * connection; at once on PostgreSQL. @throws when that takes too long.
   */
  settle(): Promise<void>
  /**
   * Calls `back` each time the connection to Redis is ready, also the first time, and `lost` each time it breaks or
   * cannot be made. On PostgreSQL, it calls `back` once, immediately, and never `lost`.
   */
  watch(lost: () => void, back: () => void): void
  /**
   * Closes the connection to Redis for good if it is down, or as soon as it breaks: commands then fail at once.
   * Does nothing on PostgreSQL, whose queries fail after a timeout.
   */
  failFast(): void
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

export function openStore(options: QueueOptions, timeouts: RedisTimeouts): Store {
  return options.redisUrl ? onRedis(options, options.redisUrl, timeouts) : onPostgres(options, timeouts)
}

const unfinishedStates = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const

function onRedis({ prefix, log }: QueueOptions, urls: string, timeouts: RedisTimeouts): Store {
  const redis = connectRedis(urls, timeouts)
  let replicas = 0
  // Logged at level debug, because `watch`, the queue and the worker also report each loss.
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
    failFast() {
      if (redis.status !== 'ready') redis.disconnect()
      redis.on('close', () => redis.disconnect())
    },
    close: async () => redis.disconnect(),
  }
}

function onPostgres({ databaseUrl, log }: QueueOptions, timeouts: RedisTimeouts): Store {
  const pool = openQueuePool(databaseUrl, timeouts, log)
  return {
    name: 'postgres',
    makeQueue: (name) => takeText(new Queue(name, { connection: lendPool(pool) }, createPostgresBackend)),
    makeWorker(name, run, settings) {
      const options = { connection: lendPool(pool), autorun: false, ...settings }
      const worker = new Worker(name, run, options, createPostgresBackend)
      runWhenReady(worker)
      return closedWhenReady(worker)
    },
    async listUnfinished(queue, most) {
      // One statement: on PostgreSQL, getRanges of BullMQ reads each state by itself, and misses a job that changes its
      // state.
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
    watch: (_, back) => back(),
    failFast() {},
    close: () => pool.end(),
  }
}

/**
 * Runs the worker as soon as it has connected. A worker that runs while PostgreSQL refuses its connection (for example,
 * because the database does not exist) asks again and again without a pause, so that nothing else in the process runs.
 * The caller gets the error of the connection from waitUntilReady().
 */
function runWhenReady(worker: Pick<Worker, 'waitUntilReady' | 'run' | 'emit'>): void {
  worker.waitUntilReady().then(
    () => worker.run().catch((error) => worker.emit('error', error)),
    () => {},
  )
}

/**
 * Makes close() wait until the worker has connected, which takes at most a few timeouts of the pool. A worker that is
 * closed while it connects takes a connection to listen on and never releases it, so that the pool never ends.
 */
function closedWhenReady(worker: StoreWorker): StoreWorker {
  const close = worker.close.bind(worker)
  worker.close = async () => {
    await worker.waitUntilReady().catch(() => {})
    await close()
  }
  return worker
}

function earliest(times: number[]): number | null {
  return times.length > 0 ? Math.min(...times) : null
}
