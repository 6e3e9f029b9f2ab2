/** Runs the jobs of all queues. It recovers from lost connections. */
import { ErrorCode, UnrecoverableError } from 'bullmq'
import { tryAgain } from '../platform/async/try-again.ts'
import { ajv } from '../platform/schema/validation.ts'
import { inSpan, type SpanOptions, type TracedSpan } from '../platform/tracing/tracing.ts'
import { openStore, type QueueOptions, type Run, type Store } from './connections.ts'
import { type Handlers, type JobName, jobs, type Payload, tries } from './jobs.ts'
import { type QueueName, queues } from './queues.ts'

/**
 * `processed` is called for every try of a job, and `stalled` for every job whose worker died or was too busy to
 * renew its lock.
 */
export type JobObserver = {
  processed(queue: QueueName, job: JobName | 'unknown', outcome: 'completed' | 'failed'): void
  stalled(queue: QueueName): void
}

export type JobWorker = {
  /** Calls `listener` each time a job of the queue has completed, but not when a try fails. */
  onFinished(queue: QueueName, listener: () => void): void
  /**
   * Takes no more jobs, finishes those that are running, and closes its connections. If the queue is down, other
   * workers run these jobs again later.
   */
  close(): Promise<void>
}

const settings = {
  // Completed jobs are removed at once. Otherwise a request for usage could mistake entries that have just
  // been stored for entries that are not stored yet.
  removeOnComplete: { count: 0 },
  // A job whose worker died runs again, without a limit (this is the largest integer of PostgreSQL). So every handler
  // must be safe to repeat.
  maxStalledCount: 2 ** 31 - 1,
  // The jobs of a dead worker are taken over within 15 seconds.
  lockDuration: 10_000,
  stalledInterval: 5000,
  runRetryDelay: 1000,
}

const outageMs = 10_000

/**
 * Sets up the schedules of jobs, and runs the jobs of all queues until it is closed. Waits while Redis is down.
 * @throws if the queues are in PostgreSQL and PostgreSQL refuses connections.
 */
export function startJobWorker(
  options: QueueOptions,
  handlers: Handlers,
  observe?: JobObserver,
): Promise<JobWorker> {
  // A busy machine may need seconds to accept a connection.
  return tryAgain(() => startOnce(options, handlers, observe), {
    tries: 5,
    when: isSlowConnection,
    pauseMs: 1000,
  })
}

async function startOnce(
  options: QueueOptions,
  handlers: Handlers,
  observe?: JobObserver,
): Promise<JobWorker> {
  const { log } = options
  const store = openStore(options, 'endless')
  const spans = new WeakMap<object, TracedSpan>()
  const run: Run = (job) =>
    inSpan(`process ${job.name}`, runOf(job), (span) => {
      if (span) spans.set(job, span)
      return dispatch(handlers, job)
    })
  /** Writes log lines of a job with the ids of its span. */
  const asJob = (job: object | undefined, write: () => void) => {
    const span = job && spans.get(job)
    if (span) span.run(write)
    else write()
  }
  const sayOutage = everySoOften(outageMs)
  const workers = Object.entries(queues).map(([name, { concurrency }]) => {
    const keep = keepsFailed(name as QueueName)
    const worker = store.makeWorker(name as QueueName, run, { ...settings, ...keep, concurrency })
    const observeTry = (job = '', outcome: 'completed' | 'failed') =>
      observe?.processed(name as QueueName, isJob(job) ? job : 'unknown', outcome)
    worker.on('error', (error) =>
      sayOutage(() => log.warn({ err: error, queue: name }, 'queue out of reach')),
    )
    worker.on('failed', (job, error) => {
      observeTry(job?.name, 'failed')
      asJob(job, () => log.error({ err: error, job: job?.name }, 'job failed'))
    })
    worker.on('stalled', () => observe?.stalled(name as QueueName))
    worker.on('completed', (job, result) => {
      observeTry(job.name, 'completed')
      // There are thousands of usage jobs a second, and most scheduled jobs find nothing to do.
      const level = name === 'usage' || hasDoneNothing(result) ? 'debug' : 'info'
      asJob(job, () => log[level]({ job: job.name, result }, 'job done'))
    })
    return worker
  })
  const close = async () => {
    store.failFast()
    await Promise.all(workers.map((worker) => worker.close()))
    await store.close()
  }
  try {
    await Promise.all(workers.map((worker) => worker.waitUntilReady()))
    await setUpSchedules(store)
  } catch (error) {
    // The caller gets no JobWorker to close, so the workers must be closed here.
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

/** Whether the result of a job means that there was nothing to do: no result, 0, or an object without members. */
function hasDoneNothing(result: unknown): boolean {
  if (typeof result === 'object' && result !== null) return Object.keys(result).length === 0
  return result === undefined || result === null || result === 0
}

/** Whether the pool got no connection in time: this error has no code. */
function isSlowConnection(error: unknown): boolean {
  return /timeout/i.test((error as Error).message)
}

/**
 * Returns a function that runs work at most once in this time, because an outage causes many errors a second.
 */
function everySoOften(milliseconds: number): (work: () => void) => void {
  let last = Number.NEGATIVE_INFINITY
  return (work) => {
    if (performance.now() - last < milliseconds) return
    last = performance.now()
    work()
  }
}

/** A failed usage job holds accepted entries, so it is never removed. */
function keepsFailed(queue: QueueName) {
  return queue === 'usage' ? {} : { removeOnFail: { count: 1000 } }
}

/** A job without a trace context, such as a scheduled job, begins a trace. */
function runOf({ name, opts }: Parameters<Run>[0]): SpanOptions {
  const metadata = opts?.telemetry?.metadata
  return {
    kind: 'consumer',
    attributes: {
      'messaging.system': 'bullmq',
      ...(isJob(name) && { 'messaging.destination.name': jobs[name].queue }),
    },
    parent: typeof metadata === 'string' ? metadata : null,
  }
}

function dispatch(handlers: Handlers, { name, data }: { name: string; data: unknown }): Promise<unknown> {
  if (!isJob(name)) throw new UnrecoverableError(`there is no job named ${name}`)
  return handle(handlers, name, data)
}

function isJob(name: string): name is JobName {
  return Object.hasOwn(jobs, name)
}

function handle<K extends JobName>(handlers: Handlers, name: K, data: unknown): Promise<unknown> {
  if (!isPayload(name, data)) throw new UnrecoverableError(`the payload is not valid: ${ajv.errorsText()}`)
  return handlers[name](data)
}

function isPayload<K extends JobName>(name: K, data: unknown): data is Payload<K> {
  return ajv.validate(jobs[name].payload, data)
}

async function setUpSchedules(store: Store): Promise<void> {
  for (const queueName of Object.keys(queues) as QueueName[]) {
    const queue = store.makeQueue(queueName)
    queue.on('error', () => {})
    const ours = Object.entries(jobs).filter(([, { queue }]) => queue === queueName)
    for (const [name, job] of ours) {
      if (!('schedule' in job)) continue
      const repeat = { pattern: job.schedule, tz: 'UTC' }
      const template = { name, data: {}, opts: tries(name as JobName) }
      const takeUp = () => queue.upsertJobScheduler(name, repeat, template)
      await tryAgain(takeUp, { tries: 3, when: isAlreadyScheduled }).catch((error) => {
        if (!isAlreadyScheduled(error)) throw error
      })
    }
    await queue.close()
  }
}

/** Whether the next job of a schedule exists already: another worker that is starting has just made it. */
function isAlreadyScheduled(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === ErrorCode.SchedulerJobIdCollision || code === ErrorCode.SchedulerJobSlotsBusy
}
