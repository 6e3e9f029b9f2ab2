/** Telling a worker that there is something to do. A wake-up may be lost: what is to be done is in the database. */
import type { JobQueue } from './producer.ts'

const gatherMs = 100
// A job that names no account is about all of them.
const maxNamed = 1000

/**
 * Gives a function that costs next to nothing: calls that come close together add one job, for the accounts that they
 * name, and a failure is ignored.
 */
export function createWakeUp(
  queue: JobQueue,
  name: 'events.number' | 'emails.send',
): (accountIds?: readonly number[]) => void {
  let gathered: Set<number> | null = null
  const wake = () => {
    const accounts = [...(gathered ?? [])]
    gathered = null
    const isNamed = name === 'events.number' && accounts.length > 0 && accounts.length <= maxNamed
    if (queue.state().reachable) queue.add(name, isNamed ? { Accounts: accounts } : {}).catch(() => {})
  }
  return (accountIds = []) => {
    if (!gathered) {
      gathered = new Set()
      setTimeout(wake, gatherMs).unref()
    }
    for (const accountId of accountIds) gathered.add(accountId)
  }
}
