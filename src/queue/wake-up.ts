/**
 * Wakes a worker when there is work. A wake-up may be lost: the work is in the database, and jobs also run on
 * a schedule. A call costs almost nothing, because all calls within 100 ms add one job.
 */
import type { JobQueue } from './producer.ts'

const gatherMs = 100
// If there are more accounts, the job names none, which means all accounts.
const maxNamed = 1000

/** Returns a function that makes a worker send e-mails. */
export function createEmailWakeUp(queue: JobQueue): () => void {
  return gathering(queue, () => queue.add('emails.send', {}))
}

/** Returns a function that makes a worker number the events of accounts. */
export function createPumpWakeUp(queue: JobQueue): (accountIds: readonly number[]) => void {
  return ofAccounts(queue, 'events.number')
}

/** Returns a function that makes a worker copy changes of live accounts to their test accounts. */
export function createFollowWakeUp(queue: JobQueue): (accountIds: readonly number[]) => void {
  return ofAccounts(queue, 'test-accounts.follow')
}

/** Returns a function that makes a worker deliver events of accounts to their webhook endpoints. */
export function createDeliverWakeUp(queue: JobQueue): (accountIds: readonly number[]) => void {
  return ofAccounts(queue, 'webhooks.deliver')
}

function ofAccounts(queue: JobQueue, job: 'events.number' | 'test-accounts.follow' | 'webhooks.deliver') {
  const gathered = new Set<number>()
  const wake = gathering(queue, () => {
    const Accounts = [...gathered]
    gathered.clear()
    return queue.add(job, Accounts.length <= maxNamed ? { Accounts } : {})
  })
  return (accountIds: readonly number[]) => {
    for (const accountId of accountIds) gathered.add(accountId)
    wake()
  }
}

/** Returns a function that adds one job for all calls within 100 ms. A failure is ignored. */
function gathering(queue: JobQueue, add: () => Promise<void>): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      if (queue.state().reachable) add().catch(() => {})
    }, gatherMs).unref()
  }
}
