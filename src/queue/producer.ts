/**
 * Adds jobs to the queues, and reads the state of the queues. It monitors the store: a usage entry may be
 * acknowledged only when the store that holds it cannot lose it.
 */
import type { Queue } from 'bullmq'
import { type BatchObserver, createBatcher } from '../platform/async/batcher.ts'
import { within } from '../platform/async/deadline.ts'
import { inSpan, type SpanOptions } from '../platform/tracing/tracing.ts'
import { openStore, type QueueOptions, type Store } from './connections.ts'
import { type JobName, jobs, type Payload, tries } from './jobs.ts'
import { cacheQueues } from './queue-cache.ts'
import { type QueueName, queueNames } from './queues.ts'
import { JobText } from './text-queue.ts'

/**
 * The state of the store at the last check. It is usually at most one second old, and about three if the
 * store is slow.
 */
export type QueueState = {
  reachable: boolean
  /** Sentences that say why usage should not be sent through the queue now; empty if it can be. */
  reasons: string[]
  /** The usage jobs in the queue; null when unknown. */
  backlog: Backlog | null
}

export type Backlog = {
  /** Jobs that wait, run, or wait for a retry. */
  jobs: number
  /** The number of these jobs that wait for a worker, and not for the time of a retry. */
  waiting: number
  /** The age of the oldest job that waits or runs. */
  oldestSeconds: number
  /** Jobs that failed and are not retried, because their payload was unreadable. There should be none. */
  failed: number
}

export type JobQueue = {
  /** The store of the queues. */
  store: Store['name']
  state(): QueueState
  /** Resolves after the first check of the store, whether or not the store responded. */
  looked: Promise<void>
  /**
   * Adds a job. Resolves when the store has acknowledged it, and its replicas too unless `allowVolatile`.
   * @throws when one of them fails or does not reply within two seconds, or when the connection breaks meanwhile.
   * The job may have been added.
   */
  add<K extends JobName>(name: K, payload: Payload<K>): Promise<void>
  /** Like add(), with a payload that is already JSON. */
  addText(name: JobName, payload: string): Promise<void>
  /**
   * Ids of the usage jobs that are neither done nor failed, from a read that began after the call. If it
   * returns more than `maxUnfinished`, some may be missing. Callers share reads.
   * @throws when the store is out of reach.
   */
  listUnfinished(): Promise<ReadonlySet<string>>
  /**
   * Lists all queues, each with its number of jobs by state and the age of the oldest job that waits or runs.
   * @throws when the store is out of reach.
   */
  countJobs(): Promise<QueueCount[]>
  /** The payloads of usage jobs. Jobs that are done meanwhile are missing. */
  readPayloads(ids: string[]): Promise<Payload<'usage.store'>[]>
  /** BullMQ's own queues, for its board. */
  listQueues(): Queue[]
  close(): Promise<void>
}

export type QueueCount = { queue: QueueName; counts: Record<string, number>; oldestSeconds: number }

export type ProducerOptions = QueueOptions & {
  allowVolatile: boolean
  backlogLimit: number
  /** Observes the reads that callers share. */
  observeReads?: BatchObserver
}

export const maxUnfinished = 20_000
const checkMs = 1000
// BullMQ waits for a connection without a limit. This is the limit of each call to the store.
const maxMs = 2000
const outOfReach = (store: Store) => [
  `${store.name === 'redis' ? 'Redis' : 'The queue in PostgreSQL'} is out of reach.`,
]

export function openQueue(options: ProducerOptions): JobQueue {
  const { log, allowVolatile, backlogLimit } = options
  const store = openStore(options, 'brief')
  const queues = cacheQueues(store, log)
  let state: QueueState = { reachable: false, reasons: ['The queue has not responded yet.'], backlog: null }
  // Counts lost connections and failed calls. If it changes during a call, the result of the call is not reliable.
  let losses = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function lose(): void {
    losses++
    state = { reachable: false, reasons: outOfReach(store), backlog: null }
  }

  function sayReasons(reasons: string[]): void {
    if (reasons.length > 0) log.warn({ reasons }, 'the queue takes no usage')
    else log.info('the queue takes usage')
  }

  // A single failure is not logged, because with a Redis cluster the next call may reach the right node.
  function fail(error: unknown): void {
    if (!closed && ++failures === 2) log.warn({ err: error }, 'queue out of reach')
    lose()
  }

  async function look(): Promise<void> {
    const before = losses
    try {
      const queue = queues.get('usage')
      const [faults, { failed = 0, ...counts }, oldest] = await soon(
        Promise.all([
          store.listFaults(),
          queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized', 'failed'),
          store.findOldest(queue),
        ]),
      )
      if (losses !== before) return
      const unfinished = Object.values(counts).reduce((sum, count) => sum + count, 0)
      const full = unfinished >= backlogLimit ? [`${unfinished} usage jobs are in the queue.`] : []
      const reasons = [...(allowVolatile ? [] : faults.volatile), ...faults.full, ...full]
      const oldestSeconds = ageOf(oldest)
      if (state.reasons.join() !== reasons.join()) sayReasons(reasons)
      failures = 0
      state = {
        reachable: true,
        reasons,
        backlog: { jobs: unfinished, waiting: counts.waiting ?? 0, oldestSeconds, failed },
      }
    } catch (error) {
      fail(error)
    }
  }

  // One check at a time, a second after the last one. A restored connection is checked at once, unless a check is
  // under way.
  let looking: Promise<void> | undefined
  const { promise: looked, resolve: hasLooked } = withResolvers()
  function watchOver(): void {
    clearTimeout(timer)
    if (closed || looking) return
    looking = look().finally(() => {
      looking = undefined
      hasLooked()
      if (!closed) timer = setTimeout(watchOver, checkMs).unref()
    })
  }
  store.watch(lose, watchOver)
  timer = setTimeout(watchOver, checkMs).unref()

  const reads = createBatcher<void, ReadonlySet<string>>({
    maxSize: 100_000,
    concurrency: 1,
    maxWaiting: 100_000,
    refusal: () => new Error('too many requests wait for the state of the queue'),
    observe: options.observeReads,
    async run(callers) {
      const ids = new Set(await soon(store.listUnfinished(queues.get('usage'), maxUnfinished + 1)))
      return callers.map(() => ids)
    },
  })

  async function addText(name: JobName, payload: string): Promise<void> {
    const before = losses
    try {
      await inSpan(`send ${name}`, sendingOf(name), async (span) => {
        const options = { ...tries(name), ...(span && { telemetry: { metadata: span.context } }) }
        await soon(queues.get(jobs[name].queue).add(name, new JobText(payload), options))
        if (!allowVolatile) await soon(store.settle())
      })
    } catch (error) {
      fail(error)
      throw error
    }
    if (losses !== before) throw new Error('the connection to the queue was lost meanwhile')
  }

  async function countOne(name: QueueName): Promise<QueueCount> {
    const queue = queues.get(name)
    const [counts, oldest] = await Promise.all([
      queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
      store.findOldest(queue),
    ])
    return { queue: name, counts, oldestSeconds: ageOf(oldest) }
  }

  return {
    store: store.name,
    state: () => state,
    looked,
    add: (name, payload) => addText(name, JSON.stringify(payload)),
    addText,
    listUnfinished: () => reads.add(),
    countJobs: () => soon(Promise.all(queueNames.map(countOne))),
    async readPayloads(ids) {
      const queue = queues.get('usage')
      const found = await soon(Promise.all(ids.map((id) => queue.getJob(id))))
      return found.flatMap((job) => (job ? [job.data as Payload<'usage.store'>] : []))
    },
    listQueues: () => queueNames.map((name) => queues.get(name) as Queue),
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
      await queues.close()
      await store.close()
    },
  }
}

function sendingOf(name: JobName): SpanOptions {
  const attributes = { 'messaging.system': 'bullmq', 'messaging.destination.name': jobs[name].queue }
  return { kind: 'producer', attributes }
}

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Seconds since an instant of this or another machine's clock; 0 for null. */
function ageOf(instant: number | null): number {
  return instant === null ? 0 : Math.max(0, (Date.now() - instant) / 1000)
}

function soon<T>(work: Promise<T>): Promise<T> {
  return within(maxMs, work, () => new Error('the queue did not respond in time'))
}
