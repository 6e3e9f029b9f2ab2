/**
 * The side of the queues that adds jobs and looks at those that wait. It watches over its store: an entry that
 * nobody has anywhere else may only go where it is not forgotten.
 */
import type { Queue } from 'bullmq'
import type { Logger } from 'pino'
import { type BatchObserver, createBatcher } from '../platform/async/batcher.ts'
import { within } from '../platform/async/deadline.ts'
import { openStore, type QueueOptions, type Store, type StoreQueue } from './connections.ts'
import { type JobName, jobs, type Payload, tries } from './jobs.ts'
import { type QueueName, queueNames } from './queues.ts'
import { JobText } from './text-queue.ts'

/** How the store was when it was last looked at, about a second ago at the most. */
export type QueueState = {
  reachable: boolean
  /** Why usage should not be put there now, in sentences; none when it may. */
  reasons: string[]
  /** What is left to do of usage; null when unknown. */
  backlog: Backlog | null
}

export type Backlog = {
  /** Jobs that wait, run, or wait to be tried again. */
  jobs: number
  /** Of these, those that only wait. */
  waiting: number
  /** How long the oldest that waits or runs has been there. */
  oldestSeconds: number
  /** Jobs that were given up, which none should be: their payload was unreadable. */
  failed: number
}

export type JobQueue = {
  /** What keeps the queues. */
  store: Store['name']
  state(): QueueState
  /** Resolves when the store was looked at for the first time, whatever was found. */
  looked: Promise<void>
  /**
   * Adds a job; when it resolves, the store has acknowledged it, over a connection that stood all the while.
   * @throws when the store does not answer within a second: the job may then have been added all the same.
   */
  add<K extends JobName>(name: K, payload: Payload<K>): Promise<void>
  /** The same with a payload that is JSON already. */
  addText(name: JobName, payload: string): Promise<void>
  /**
   * Ids of the usage jobs that are neither done nor given up, from one read that began after the call; more than
   * `mostUnfinished` of them are not all of them. Callers share reads.
   * @throws when the store is out of reach.
   */
  listUnfinished(): Promise<ReadonlySet<string>>
  /** Every queue with its jobs by state, and the age of the oldest that waits or runs. @throws as listUnfinished(). */
  countJobs(): Promise<QueueCount[]>
  /** The payloads of usage jobs; those that are gone meanwhile are missing. */
  readPayloads(ids: string[]): Promise<Payload<'usage.store'>[]>
  /** BullMQ's own queues, for its board. */
  listQueues(): Queue[]
  close(): Promise<void>
}

export type QueueCount = { queue: QueueName; counts: Record<string, number>; oldestSeconds: number }

export type ProducerOptions = QueueOptions & {
  allowVolatile: boolean
  backlogLimit: number
  /** Told of the reads that callers share. */
  observeReads?: BatchObserver
}

export const mostUnfinished = 20_000
const checkMilliseconds = 1000
// BullMQ waits for a connection without end; nothing here may.
const mostMilliseconds = 2000
const outOfReach = (store: Store) => [
  `${store.name === 'redis' ? 'Redis' : 'The queue in PostgreSQL'} is out of reach.`,
]

export function openQueue(options: ProducerOptions): JobQueue {
  const { log, allowVolatile, backlogLimit } = options
  const store = openStore(options, 'brief')
  const queues = keepQueues(store, log)
  let state: QueueState = { reachable: false, reasons: ['The queue has not answered yet.'], backlog: null }
  // Grows whenever the connection is lost: what began before that is not to be relied on.
  let losses = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function lose(): void {
    losses++
    state = { reachable: false, reasons: outOfReach(store), backlog: null }
  }

  // One failure is nothing to wake anybody for: of a cluster, another node may be the right one.
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
      if (state.reasons.join() !== reasons.join())
        log[reasons.length > 0 ? 'warn' : 'info']({ reasons }, 'queue')
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

  // One check at a time, each a second after the last; a connection that stands again is checked at once.
  let looking: Promise<void> | undefined
  const { promise: looked, resolve: hasLooked } = withResolvers()
  function watchOver(): void {
    clearTimeout(timer)
    if (closed || looking) return
    looking = look().finally(() => {
      looking = undefined
      hasLooked()
      if (!closed) timer = setTimeout(watchOver, checkMilliseconds).unref()
    })
  }
  store.watch(lose, watchOver)
  timer = setTimeout(watchOver, checkMilliseconds).unref()

  const reads = createBatcher<void, ReadonlySet<string>>({
    maxSize: 100_000,
    concurrency: 1,
    maxWaiting: 100_000,
    refusal: () => new Error('too many wait for a look at the queue'),
    observe: options.observeReads,
    async run(callers) {
      const ids = new Set(await soon(store.listUnfinished(queues.get('usage'), mostUnfinished + 1)))
      return callers.map(() => ids)
    },
  })

  async function addText(name: JobName, payload: string): Promise<void> {
    const before = losses
    try {
      await soon(queues.get(jobs[name].queue).add(name, new JobText(payload), tries(name)))
      if (!allowVolatile) await soon(store.settle())
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

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Seconds since an instant of this or another machine's clock; 0 when there was none. */
function ageOf(instant: number | null): number {
  return instant === null ? 0 : Math.max(0, (Date.now() - instant) / 1000)
}

function soon<T>(work: Promise<T>): Promise<T> {
  return within(mostMilliseconds, work, () => new Error('the queue did not answer in time'))
}

/** BullMQ's queues, made when first used. One whose start failed would fail for ever, so it is made anew. */
function keepQueues(store: Store, log: Logger) {
  const made = new Map<QueueName, StoreQueue>()
  return {
    get(name: QueueName): StoreQueue {
      const standing = made.get(name)
      if (standing) return standing
      const queue = store.makeQueue(name)
      queue.on('error', (error) => log.debug({ err: error }, 'queue'))
      queue.waitUntilReady().catch(() => {
        if (made.get(name) === queue) made.delete(name)
      })
      made.set(name, queue)
      return queue
    },
    async close() {
      // A queue that never became ready has nothing to close.
      await Promise.allSettled([...made.values()].map((queue) => queue.close()))
    },
  }
}
