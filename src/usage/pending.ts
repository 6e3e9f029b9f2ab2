/**
 * Waiting until everything that was acknowledged before a question is stored. The queue's order says nothing
 * about that (a job that is tried again re-enters behind newer ones), so it asks for the very jobs.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type JobQueue, mostUnfinished } from '../queue/producer.ts'

const patienceMilliseconds = 2000
const pollMilliseconds = [2, 5, 10, 20, 40]
// Whole payloads, of up to a mebibyte each.
const mostRead = 40

/** `ids` of an account's entries that may not be stored yet; a lower bound when not `exact`. */
export type Pending = { ids: number[]; exact: boolean }

/**
 * Waits, at most 2 seconds, until no usage job exists that did when it was called, and says which entries of
 * the account are in those that still do. It does not wait for a backlog that cannot be done in time. Null when
 * the queue is out of reach.
 */
export async function awaitStored(queue: JobQueue, accountId: number): Promise<Pending | null> {
  try {
    const left = await awaitJobs(queue)
    if (left.length === 0) return { ids: [], exact: true }
    const payloads = await queue.readPayloads(left.slice(0, mostRead))
    const ids = payloads.flatMap((tuples) =>
      tuples.flatMap(([account, id]) => (account === accountId ? [id] : [])),
    )
    return { ids: [...new Set(ids)], exact: left.length <= mostRead }
  } catch {
    return null
  }
}

/** The jobs that were there at the call and still are when it resolves. */
async function awaitJobs(queue: JobQueue): Promise<string[]> {
  const deadline = Date.now() + patienceMilliseconds
  let left = [...(await queue.listUnfinished())]
  if (left.length > mostUnfinished) return left
  for (let polls = 0; left.length > 0 && Date.now() < deadline; polls++) {
    await delay(pollMilliseconds[polls] ?? pollMilliseconds.at(-1))
    const now = await queue.listUnfinished()
    // Past the bound the read is not whole: a job that is missing from it may still exist.
    if (now.size <= mostUnfinished) left = left.filter((id) => now.has(id))
  }
  return left
}
