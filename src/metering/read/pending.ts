/**
 * Waits until everything that was acknowledged before a call is stored. The order of the queue does not show
 * this (a retried job re-enters behind newer ones), so it waits for the jobs themselves.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type BatchObserver, createBatcher } from '../../platform/async/batcher.ts'
import { type JobQueue, mostUnfinished } from '../../queue/producer.ts'

const usualMaxWaitMs = 2000
const pollMilliseconds = [2, 5, 10, 20, 40]
// Payloads have up to a mebibyte each. This many at once arrive within the time limit of the queue.
const [mostRead, readAtOnce] = [40, 10]

/** `ids` of an account's entries that may not be stored yet; a lower bound when not `exact`. */
export type Pending = { ids: number[]; exact: boolean }

/**
 * Waits, at most 2 seconds, until no usage job exists that existed at the call, and returns the account's
 * entries in jobs that still exist. It does not wait for a backlog that needs more time. Null when the queue
 * is out of reach.
 */
export type AwaitStored = (accountId: number) => Promise<Pending | null>

type AwaitStoredOptions = {
  observe?: BatchObserver
  /** Longest wait for a job; 2 seconds when left out. */
  maxWaitMs?: number
}

/** One for the whole process: payloads are read once for all callers, so that they never fill the memory. */
export function createAwaitStored(
  queue: JobQueue,
  { observe, maxWaitMs = usualMaxWaitMs }: AwaitStoredOptions = {},
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
      const left = await awaitJobs(queue, maxWaitMs)
      if (left.length === 0) return { ids: [], exact: true }
      const { jobs, idsOf } = await reads.add(left)
      return { ids: [...(idsOf.get(accountId) ?? [])], exact: left.every((job) => jobs.has(job)) }
    } catch {
      return null
    }
  }
}

/** The ids of entries in some jobs, by account. */
type Contents = { jobs: ReadonlySet<string>; idsOf: ReadonlyMap<number, ReadonlySet<number>> }

/**
 * The caller that waits for the fewest jobs comes first, so that a small backlog is exact beside a large one.
 */
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

/** The jobs that existed at the call and still exist when it resolves. */
async function awaitJobs(queue: JobQueue, maxWaitMs: number): Promise<string[]> {
  const deadline = performance.now() + maxWaitMs
  let left = [...(await queue.listUnfinished())]
  if (left.length > mostUnfinished) return left
  for (let polls = 0; left.length > 0 && performance.now() < deadline; polls++) {
    await delay(pollMilliseconds[polls] ?? pollMilliseconds.at(-1))
    const now = await queue.listUnfinished()
    // Past the limit the read is not complete: a job that is missing from it may still exist.
    if (now.size <= mostUnfinished) left = left.filter((id) => now.has(id))
  }
  return left
}
