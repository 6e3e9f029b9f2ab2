/**
 * BullMQ on Redis or on PostgreSQL: the only file that names its classes, connections, keys and tables. Which of
 * the two it is makes no difference to those who use what it gives.
 */
import { createPostgresBackend, Queue, Worker, type WorkerOptions } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Logger } from 'pino'
import type { QueueName } from './jobs.ts'

export type QueueOptions = {
  redisUrl: string | undefined
  databaseUrl: string
  prefix: string
  log: Logger
}

/** Gives up soon, so that a producer can go another way (`brief`), or tries for ever, as workers do. */
export type Patience = 'brief' | 'endless'

export type Store = {
  name: 'redis' | 'postgres'
  makeQueue(name: QueueName): Queue
  makeWorker(name: QueueName, run: Run, settings: WorkSettings): Worker
  /** Ids of jobs that are neither done nor given up, read at one instant; `most` of each state at the most. */
  listUnfinished(queue: Queue, most: number): Promise<string[]>
  /** When the oldest job that waits or runs was added, Unix milliseconds; null when there is none. */
  findOldest(queue: Queue): Promise<number | null>
  /** Why what it acknowledges may be lost, or why it should take no more; nothing when all is well. */
  listFaults(): Promise<Faults>
  /** Calls `lost` whenever the connection breaks and `back` whenever it stands again. */
  watch(lost: () => void, back: () => void): void
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
export type Run = (job: { name: string; data: unknown }) => Promise<unknown>
export type Faults = { volatile: string[]; full: string[] }

const briefMilliseconds = 1000

export function openStore(options: QueueOptions, patience: Patience): Store {
  return options.redisUrl ? onRedis(options, options.redisUrl, patience) : onPostgres(options, patience)
}

const unfinishedStates = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const

function onRedis({ prefix, log }: QueueOptions, url: string, patience: Patience): Store {
  const redis = new Redis(url, {
    retryStrategy: () => 200,
    connectTimeout: 2000,
    // What waits for an answer this long is cut off: its peer has vanished without a word.
    socketTimeout: patience === 'brief' ? 3 * briefMilliseconds : 30_000,
    ...(patience === 'brief'
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: briefMilliseconds }
      : { maxRetriesPerRequest: null }),
  })
  // Every lost connection is told by `watch`, or by the queue and the worker that use it.
  redis.on('error', (error) => log.debug({ err: error }, 'redis'))
  return {
    name: 'redis',
    makeQueue: (name) => new Queue(name, { connection: redis, prefix }),
    makeWorker: (name, run, settings) => new Worker(name, run, { connection: redis, prefix, ...settings }),
    listUnfinished: (queue, most) => queue.getRanges([...unfinishedStates], 0, most - 1),
    async findOldest(queue) {
      const ids = await queue.getRanges(['waiting', 'active'], 0, 0, true)
      const added = await Promise.all(ids.map((id) => redis.hget(queue.toKey(id), 'timestamp')))
      return earliest(added.flatMap((time) => (time ? [Number(time)] : [])))
    },
    async listFaults() {
      const [memory, ...settings] = await Promise.all([
        redis.info('memory'),
        ...Object.keys(durable).map((name) => readSetting(redis, name)),
      ])
      return { volatile: settings.flatMap((setting) => setting ?? []), full: memoryFaults(memory!) }
    },
    watch(lost, back) {
      redis.on('close', lost)
      redis.on('ready', back)
    },
    close: async () => redis.disconnect(),
  }
}

/** What a Redis that forgets nothing it has acknowledged is set to. */
const durable: Record<string, string> = {
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
}
const mostMemoryUsed = 0.9

/** What is wrong with a setting; null when it is as it should be. A server that will not tell is not trusted. */
async function readSetting(redis: Redis, name: string): Promise<string | null> {
  const answer = await redis.config('GET', name).catch((error: Error) => {
    if (error.name === 'ReplyError') return []
    throw error
  })
  const value = (answer as string[])[1] ?? 'unknown'
  return value === durable[name] ? null : `Redis has ${name} ${value}, not ${durable[name]}.`
}

function memoryFaults(info: string): string[] {
  const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
  const [used, most] = [read('used_memory'), read('maxmemory')]
  return most > 0 && used >= mostMemoryUsed * most ? [`Redis uses ${used} of its ${most} bytes.`] : []
}

function onPostgres({ databaseUrl, log }: QueueOptions, patience: Patience): Store {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: '-c search_path=bullmq,public',
    application_name: 'abs-queue',
    // A worker keeps one connection for each queue, to listen on.
    max: patience === 'brief' ? 4 : 8,
    ...(patience === 'brief'
      ? { connectionTimeoutMillis: briefMilliseconds, query_timeout: briefMilliseconds }
      : { connectionTimeoutMillis: 5000 }),
  })
  pool.on('error', (error) => log.debug({ err: error }, 'queue connection'))
  return {
    name: 'postgres',
    makeQueue: (name) => new Queue(name, { connection: pool }, createPostgresBackend) as unknown as Queue,
    makeWorker: (name, run, settings) =>
      new Worker(name, run, { connection: pool, ...settings }, createPostgresBackend) as unknown as Worker,
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
    // Each query takes a connection that works, or fails.
    watch: (_, back) => back(),
    close: () => pool.end(),
  }
}

function earliest(times: number[]): number | null {
  return times.length > 0 ? Math.min(...times) : null
}
