/** Telling a worker that there is something to do. It may be lost: what is to be done is in the database. */
import type { JobQueue } from './producer.ts'

const gatherMilliseconds = 100

/** Gives a function that costs nothing: calls that come close together add one job, and a failure is nobody's. */
export function createWakeUp(queue: JobQueue, name: 'platform-events.record' | 'emails.send'): () => void {
  let due = false
  return () => {
    if (due) return
    due = true
    setTimeout(() => {
      due = false
      if (queue.state().reachable) queue.add(name, {}).catch(() => {})
    }, gatherMilliseconds).unref()
  }
}
