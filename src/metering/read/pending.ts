/**
 * Waits, for a limited time, until all entries that were acknowledged before a call are stored. The order of
 * the queue does not show this, because a retried job re-enters the queue behind newer jobs. So this module
 * watches the ids of the unfinished jobs.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type BatchObserver, createBatcher } from '../../platform/async/batcher.ts'
import { type JobQueue, maxUnfinished } from '../../queue/producer.ts'

const defaultMaxWaitMs = 2000
const pollMs = [2, 5, 10, 20, 40]
// Limits, so that each read ends within the queue's timeout: a payload has up to 75 KiB, or it is one batch
// request of up to 10 MiB.
const [maxRead, readAtOnce] = [40, 10]

/** The ids of an account's entries that may not be stored yet. If not `exact`, some ids may be missing. */
export type Pending = { ids: number[]; exact: boolean }

/**
 * Waits for at most 2 seconds until the usage jobs that existed at the call are done, and returns the ids of
 * the account's entries in jobs that still exist. If there are more than `maxUnfinished` jobs, it does not
 * wait. Null if the queue is out of reach, or if too many callers wait for its payloads.
 */
export type AwaitStored = (accountId: number) => Promise<Pending | null>

type AwaitStoredOptions = {
  observe?: BatchObserver
  /** The longest wait for all jobs together; 2 seconds by default. */
  maxWaitMs?: number
}

/** Create it once in a process: callers share the reads of payloads, which limits the memory that payloads take. */
export function createAwaitStored(
  queue: JobQueue,
  { observe, maxWaitMs = defaultMaxWaitMs }: AwaitStoredOptions = {},
): AwaitStored {
  const reads = createBatcher<string[], Contents>({
    maxSize: 10_000,
    concurrency: 1,
    maxWaiting: 10_000,
    refusal: () => new Error('too many requests wait for the unfinished jobs'),
    observe,
    async run(callers) {
      const contents = await readContents(queue, callers)
      return callers.map(() => contents)
    },
  })
  return async (accountId) => {
    try {
      const unfinishedJobs = await awaitJobs(queue, maxWaitMs)
      if (unfinishedJobs.length === 0) return { ids: [], exact: true }
      const { jobs, idsOf } = await reads.add(unfinishedJobs)
      return { ids: [...(idsOf.get(accountId) ?? [])], exact: unfinishedJobs.every((job) => jobs.has(job)) }
    } catch {
      return null
    }
  }
}

/** The jobs whose payloads were read, and the ids of their entries by account. */
type Contents = { jobs: ReadonlySet<string>; idsOf: ReadonlyMap<number, ReadonlySet<number>> }

/**
 * Reads the payloads of at most `maxRead` jobs for all callers together. The jobs of callers with the fewest
 * unfinished jobs come first, so that the results of these callers are exact even if others have a large
 * backlog.
 */
async function readContents(queue: JobQueue, callers: string[][]): Promise<Contents> {
  const wanted = callers.toSorted((one, other) => one.length - other.length)
  const jobs = [...new Set(wanted.flatMap((left) => left.slice(0, maxRead)))].slice(0, maxRead)
  const idsOf = new Map<number, Set<number>>()
  for (let next = 0; next < jobs.length; next += readAtOnce) {
    const payloads = await queue.readPayloads(jobs.slice(next, next + readAtOnce))
    for (const [account, id] of payloads.flat()) {
      const ids = idsOf.get(account)
      if (ids) ids.add(id)
      else idsOf.set(account, new Set([id]))
    }
  }
  return { jobs: new Set(jobs), idsOf }
}

/** Waits, and returns the jobs that existed at the call and still exist. */
async function awaitJobs(queue: JobQueue, maxWaitMs: number): Promise<string[]> {
  const deadline = performance.now() + maxWaitMs
  let left = [...(await queue.listUnfinished())]
  if (left.length > maxUnfinished) return left
  for (let polls = 0; left.length > 0 && performance.now() < deadline; polls++) {
    await delay(pollMs[polls] ?? pollMs.at(-1))
    const now = await queue.listUnfinished()
    // Above the limit the list is incomplete: a job that is not in the list may still exist.
    if (now.size <= maxUnfinished) left = left.filter((id) => now.has(id))
  }
  return left
}
