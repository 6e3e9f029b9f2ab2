/**
 * Finds the bookings for which a workflow has become due. It reads the current bookings, so there is no
 * stored schedule that a move or a cancellation would have to correct. Each booking gets the e-mail of a
 * swept workflow at most once. Most e-mails without a delay for confirmations and cancellations are already
 * queued with their events (at-once-queries.ts). Of these, the sweep queues only those beyond five workflows
 * for a trigger and product, and those for events that an earlier version of the service numbered. It queues
 * all other e-mails of swept workflows.
 */
import { forEachAccount } from '../../accounts/each-account.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { noteQueued } from '../emails/queued.ts'
import { insertDueEmails, listActiveWorkflows, lockSweep } from './sweep-queries.ts'

const turnMs = 10_000

/**
 * Queues an e-mail for everything that has become due. Safe to run at any time, repeatedly and concurrently.
 * @returns how many e-mails it queued.
 * @throws as forEachAccount().
 */
export async function sweepWorkflows(sql: Sql): Promise<number> {
  return forEachAccount(await listActiveWorkflows(sql), {
    limitMs: turnMs,
    work: ({ accountId, id }) =>
      sql.begin(async (tx) => {
        // If another process has locked the workflow, that process does this work.
        const sweep = await lockSweep(tx, accountId, id)
        const found = sweep ? await insertDueEmails(tx, sweep) : 0
        if (found > 0) noteQueued(tx)
        return found
      }),
  })
}
