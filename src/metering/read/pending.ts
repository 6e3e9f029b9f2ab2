/**
 * Waiting until everything that was acknowledged before a question is stored. The queue's order says nothing
 * about that (a job that is tried again re-enters behind newer ones), so it asks for the very jobs.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type BatchObserver, createBatcher } from '../../platform/async/batcher.ts'
import { type JobQueue, mostUnfinished } from '../../queue/producer.ts'

const usualMaxWaitMs = 2000
const pollMilliseconds = [2, 5, 10, 20, 40]
// Whole payloads, of up to a mebibyte each; so many at once come within the queue's time.
const [mostRead, readAtOnce] = [40, 10]

/** `ids` of an account's entries that may not be stored yet; a lower bound when not `exact`. */
export type Pending = { ids: number[]; exact: boolean }

/**
 * Waits, at most 2 seconds, until no usage job exists that did when it was called, and says which entries of
 * the account are in those that still do. It does not wait for a backlog that cannot be done in time. Null when
 * the queue is out of reach.
 */
export type AwaitStored = (accountId: number) => Promise<Pending | null>

type AwaitStoredOptions = {
  observe?: BatchObserver
  /** Longest time to wait for a job; left out, 2 seconds. */
  maxWaitMs?: number
}

/** One for the whole process: payloads are read once for all who wait, so that they never fill the memory. */
export function createAwaitStored(
  queue: JobQueue,
  { observe, maxWaitMs = usualMaxWaitMs }: AwaitStoredOptions = {},
): AwaitStored {
  const reads = createBatcher<string[], Contents>({
    maxSize: 10_000,
    concurrency: 1,
    maxWaiting: 10_000,
    refusal: () => new Error('too many wait for a look at what is left'),
    observe,
    async run(callers) {
      const contents = await readContents(queue, callers)
      return callers.map(() => contents)
    },
  })
  return async (accountId) => {
    try {
      const left = await awaitJobs(queue, maxWaitMs)
      if (left.length === 0) return { ids: [], exact: true }
      const { jobs, idsOf } = await reads.add(left)
      return { ids: [...(idsOf.get(accountId) ?? [])], exact: left.every((job) => jobs.has(job)) }
    } catch {
      return null
    }
  }
}

/** What was found in some jobs: the ids of entries, by account. */
type Contents = { jobs: ReadonlySet<string>; idsOf: ReadonlyMap<number, ReadonlySet<number>> }

/** Whoever waits for the fewest jobs comes first: a small backlog is told exactly, beside any other. */
async function readContents(queue: JobQueue, callers: string[][]): Promise<Contents> {
  const wanted = callers.toSorted((one, other) => one.length - other.length)
  const jobs = [...new Set(wanted.flatMap((left) => left.slice(0, mostRead)))].slice(0, mostRead)
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

/** The jobs that were there at the call and still are when it resolves. */
async function awaitJobs(queue: JobQueue, maxWaitMs: number): Promise<string[]> {
  const deadline = performance.now() + maxWaitMs
  let left = [...(await queue.listUnfinished())]
  if (left.length > mostUnfinished) return left
  for (let polls = 0; left.length > 0 && performance.now() < deadline; polls++) {
    await delay(pollMilliseconds[polls] ?? pollMilliseconds.at(-1))
    const now = await queue.listUnfinished()
    // Past the bound the read is not whole: a job that is missing from it may still exist.
    if (now.size <= mostUnfinished) left = left.filter((id) => now.has(id))
  }
  return left
}
