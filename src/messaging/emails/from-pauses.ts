/** From webhook endpoints that were paused because of their failures to the e-mails that tell their people. */
import type { Transaction } from '../../platform/postgres/database.ts'
import { noteEmails } from './left.ts'
import { insertPausedEmails } from './queries.ts'

/** Leaves the e-mails in the transaction that pauses the endpoints, so that each pause leaves them once. */
export async function leavePausedEmails(
  tx: Transaction,
  endpoints: readonly { accountId: number; id: number }[],
): Promise<void> {
  if ((await insertPausedEmails(tx, endpoints)) > 0) noteEmails(tx)
}
