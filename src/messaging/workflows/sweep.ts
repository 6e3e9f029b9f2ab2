/**
 * Finds the bookings for which a workflow has become due, from the bookings as they are: there is no schedule that
 * a move or a cancellation could leave wrong. Each booking gets a workflow’s e-mail at most once.
 */
import type { Sql } from '../../platform/postgres/database.ts'
import { noteEmails } from '../emails/left.ts'
import { insertDueEmails, listActiveWorkflows, lockSweep } from './sweep-queries.ts'

/**
 * Leaves an e-mail for everything that has become due; safe to run at any time, any number of times, also at once.
 * @returns how many e-mails it left.
 */
export async function sweepWorkflows(sql: Sql): Promise<number> {
  let left = 0
  for (const { accountId, id } of await listActiveWorkflows(sql)) {
    left += await sql.begin(async (tx) => {
      // Who else has it does the same.
      const sweep = await lockSweep(tx, accountId, id)
      const found = sweep ? await insertDueEmails(tx, sweep) : 0
      if (found > 0) noteEmails(tx)
      return found
    })
  }
  return left
}
