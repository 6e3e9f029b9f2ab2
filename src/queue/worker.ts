/** The side of the queues that works on jobs, again and again through lost connections. */
import { ErrorCode, UnrecoverableError } from 'bullmq'
import { tryAgain } from '../platform/async/try-again.ts'
import { ajv } from '../platform/schema/validation.ts'
import { openStore, type QueueOptions, type Run, type Store } from './connections.ts'
import { type Handlers, type JobName, jobs, type Payload, tries } from './jobs.ts'
import { type QueueName, queues } from './queues.ts'

/** Told of every try of a job, and of every job that was taken over from a worker that is gone. */
export type JobObserver = {
  processed(queue: QueueName, job: JobName | 'unknown', outcome: 'completed' | 'failed'): void
  stalled(queue: QueueName): void
}

export type JobWorker = {
  /** Calls back whenever a job of the queue has been finished. */
  onFinished(queue: QueueName, listener: () => void): void
  /** Finishes the jobs in hand (if the queue is away, others will), takes no more, and lets go of its connections. */
  close(): Promise<void>
}

const settings = {
  // A job that is unknown to the queue is done: summaries wait for that.
  removeOnComplete: { count: 0 },
  // A job that was stalled (its worker died) is simply done again, however often: every handler may run twice.
  // The most that PostgreSQL's integer holds.
  maxStalledCount: 2 ** 31 - 1,
  // A dead worker's jobs are taken over within 15 seconds.
  lockDuration: 10_000,
  stalledInterval: 5000,
  runRetryDelay: 1000,
}

const outageMilliseconds = 10_000

/** Takes up the jobs' schedules and works on the jobs of all queues until closed. */
export async function startJobWorker(
  options: QueueOptions,
  handlers: Handlers,
  observe?: JobObserver,
): Promise<JobWorker> {
  const { log } = options
  const store = openStore(options, 'endless')
  const run: Run = (job) => dispatch(handlers, job)
  const sayOutage = everySoOften(outageMilliseconds)
  const workers = Object.entries(queues).map(([name, { concurrency }]) => {
    const keep = keepsFailed(name as QueueName)
    const worker = store.makeWorker(name as QueueName, run, { ...settings, ...keep, concurrency })
    const tell = (job = '', outcome: 'completed' | 'failed') =>
      observe?.processed(name as QueueName, isJob(job) ? job : 'unknown', outcome)
    worker.on('error', (error) =>
      sayOutage(() => log.warn({ err: error, queue: name }, 'queue out of reach')),
    )
    worker.on('failed', (job, error) => {
      tell(job?.name, 'failed')
      log.error({ err: error, job: job?.name }, 'job failed')
    })
    worker.on('stalled', () => observe?.stalled(name as QueueName))
    worker.on('completed', (job, result) => {
      tell(job.name, 'completed')
      // Usage comes by the thousand a second, and says nothing when it is stored.
      log[name === 'usage' ? 'debug' : 'info']({ job: job.name, result }, 'job done')
    })
    return worker
  })
  const close = async () => {
    store.loseHope()
    await Promise.all(workers.map((worker) => worker.close()))
    await store.close()
  }
  try {
    // A machine that is busy may need seconds to answer a connection.
    await tryAgain(() => takeUpSchedules(store), {
      tries: 5,
      when: isSlowConnection,
      pauseMilliseconds: 1000,
    })
  } catch (error) {
    // Otherwise they would work on, with nobody left to end them.
    await close()
    throw error
  }
  return {
    onFinished(queue, listener) {
      workers.find(({ name }) => name === queue)!.on('completed', listener)
    },
    close,
  }
}

/** Whether a connection of the pool was not there in time: it has no code. */
function isSlowConnection(error: unknown): boolean {
  return /timeout/i.test((error as Error).message)
}

/** Runs what it is given, unless it did so a moment ago: an outage makes an error many times a second. */
function everySoOften(milliseconds: number): (work: () => void) => void {
  let last = Number.NEGATIVE_INFINITY
  return (work) => {
    if (performance.now() - last < milliseconds) return
    last = performance.now()
    work()
  }
}

/** A failed job of usage holds entries that were accepted, so none is thrown away. */
function keepsFailed(queue: QueueName) {
  return queue === 'usage' ? {} : { removeOnFail: { count: 1000 } }
}

function dispatch(handlers: Handlers, { name, data }: { name: string; data: unknown }): Promise<unknown> {
  if (!isJob(name)) throw new UnrecoverableError(`there is no job named ${name}`)
  return handle(handlers, name, data)
}

function isJob(name: string): name is JobName {
  return Object.hasOwn(jobs, name)
}

function handle<K extends JobName>(handlers: Handlers, name: K, data: unknown): Promise<unknown> {
  if (!isPayload(name, data)) throw new UnrecoverableError(`payload ${ajv.errorsText()}`)
  return handlers[name](data)
}

function isPayload<K extends JobName>(name: K, data: unknown): data is Payload<K> {
  return ajv.validate(jobs[name].payload, data)
}

async function takeUpSchedules(store: Store): Promise<void> {
  for (const queueName of Object.keys(queues) as QueueName[]) {
    const queue = store.makeQueue(queueName)
    queue.on('error', () => {})
    const ours = Object.entries(jobs).filter(([, { queue }]) => queue === queueName)
    for (const [name, job] of ours) {
      if (!('schedule' in job)) continue
      const repeat = { pattern: job.schedule, tz: 'UTC' }
      const template = { name, data: {}, opts: tries(name as JobName) }
      const takeUp = () => queue.upsertJobScheduler(name, repeat, template)
      await tryAgain(takeUp, { tries: 3, when: isTakenUp }).catch((error) => {
        if (!isTakenUp(error)) throw error
      })
    }
    await queue.close()
  }
}

/** Whether the next job of a schedule stands already: another worker that starts at this moment has just made it. */
function isTakenUp(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === ErrorCode.SchedulerJobIdCollision || code === ErrorCode.SchedulerJobSlotsBusy
}
