/**
 * Finds the bookings for which a workflow has become due. It reads the current bookings: no schedule is
 * stored that a move or a cancellation would have to correct. Each booking gets a workflow’s e-mail at most
 * once. Confirmations and cancellations without a delay are queued with their events already; the sweep finds those
 * whose events a version before numbered.
 */
import { forEachAccount } from '../../accounts/each-account.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { noteEmails } from '../emails/left.ts'
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
        // If another process has locked the workflow, it does this work.
        const sweep = await lockSweep(tx, accountId, id)
        const found = sweep ? await insertDueEmails(tx, sweep) : 0
        if (found > 0) noteEmails(tx)
        return found
      }),
  })
}
