/**
 * BullMQ, on Redis or on PostgreSQL: the only file that names its classes, its connections and its keys.
 * Which of the two it is makes no difference to those who use it.
 */
import { createPostgresBackend, Queue, UnrecoverableError, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Logger } from 'pino'
import { ajv } from '../platform/validation.ts'
import { type Handlers, type JobName, jobs, queueName } from './jobs.ts'

export type QueueOptions = { redisUrl: string | undefined; databaseUrl: string; prefix: string; log: Logger }

export type JobWorker = {
  /** Finishes the jobs in hand, takes no more, and lets go of its connections. */
  close(): Promise<void>
}

type Connections = { queue: Queue; makeWorker: (run: Run) => Worker; close: () => Promise<void> }
type Run = (job: { name: string; data: unknown }) => Promise<unknown>

/** Takes up the jobs' schedules and works on jobs until closed, again and again through lost connections. */
export async function startJobWorker(options: QueueOptions, handlers: Handlers): Promise<JobWorker> {
  const connections = options.redisUrl ? onRedis(options, options.redisUrl) : onPostgres(options)
  const { queue, makeWorker } = connections
  const log = options.log
  queue.on('error', (error) => log.warn({ err: error }, 'queue out of reach'))
  const worker = makeWorker((job) => dispatch(handlers, job))
  worker.on('error', (error) => log.warn({ err: error }, 'queue out of reach'))
  worker.on('failed', (job, error) => log.error({ err: error, job: job?.name }, 'job failed'))
  worker.on('completed', (job, result) => log.info({ job: job.name, result }, 'job done'))
  await takeUpSchedules(queue)
  return {
    async close() {
      await worker.close()
      await queue.close()
      await connections.close()
    },
  }
}

function dispatch(handlers: Handlers, { name, data }: { name: string; data: unknown }): Promise<unknown> {
  if (!Object.hasOwn(jobs, name)) throw new UnrecoverableError(`there is no job named ${name}`)
  const job = name as JobName
  if (!ajv.validate(jobs[job].payload, data)) throw new UnrecoverableError(`payload ${ajv.errorsText()}`)
  return handlers[job](data as never)
}

async function takeUpSchedules(queue: Queue): Promise<void> {
  for (const [name, { schedule, attempts }] of Object.entries(jobs)) {
    const opts = { attempts, backoff: { type: 'exponential', delay: 1000 } }
    await queue.upsertJobScheduler(name, { pattern: schedule, tz: 'UTC' }, { name, data: {}, opts })
  }
}

const workerOptions = {
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 1000 },
  // A job that was stalled (its worker died) is simply done again, any number of times: every handler may run
  // twice. PostgreSQL keeps this number as an integer.
  maxStalledCount: 2 ** 31 - 1,
}

function onRedis({ prefix }: QueueOptions, url: string): Connections {
  const producer = new Redis(url, { maxRetriesPerRequest: null })
  const consumer = new Redis(url, { maxRetriesPerRequest: null })
  return {
    queue: new Queue(queueName, { connection: producer, prefix }),
    makeWorker: (run) => new Worker(queueName, run, { connection: consumer, prefix, ...workerOptions }),
    close: async () => {
      producer.disconnect()
      consumer.disconnect()
    },
  }
}

function onPostgres({ databaseUrl, log }: QueueOptions): Connections {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: '-c search_path=bullmq,public',
    application_name: 'abs-queue',
    max: 5,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'queue connection lost'))
  return {
    queue: new Queue(queueName, { connection: pool }, createPostgresBackend) as unknown as Queue,
    makeWorker: (run) =>
      new Worker(
        queueName,
        run,
        { connection: pool, ...workerOptions },
        createPostgresBackend,
      ) as unknown as Worker,
    close: () => pool.end(),
  }
}
