/** Telling a worker that there is something to do. A wake-up may be lost: what is to be done is in the database. */
import type { JobQueue } from './producer.ts'

const gatherMs = 100
// A job that names no account is about all of them.
const maxNamed = 1000

/** Gives a function that has e-mails sent. It costs next to nothing, as do those below. */
export function createEmailWakeUp(queue: JobQueue): () => void {
  return gathering(queue, () => queue.add('emails.send', {}))
}

/** Gives a function that has the events of accounts numbered. */
export function createPumpWakeUp(queue: JobQueue): (accountIds: readonly number[]) => void {
  return ofAccounts(queue, 'events.number')
}

/** Gives a function that has the test accounts of live accounts follow them. */
export function createFollowWakeUp(queue: JobQueue): (accountIds: readonly number[]) => void {
  return ofAccounts(queue, 'test-accounts.follow')
}

/** Gives a function that has what happened in accounts delivered to their webhook endpoints. */
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

/** Has calls that come close together add one job. A failure is ignored. */
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
