/** Queues e-mails about webhook endpoints that the service paused, because of failures or a 410 response. */
import type { Transaction } from '../../platform/postgres/database.ts'
import { insertPausedEmails } from './queries.ts'
import { noteQueued } from './queued.ts'

/** Queues the e-mails in the transaction that pauses the endpoints, once for each pause. */
export async function queuePausedEmails(
  tx: Transaction,
  endpoints: readonly { accountId: number; id: number }[],
): Promise<void> {
  if ((await insertPausedEmails(tx, endpoints)) > 0) noteQueued(tx)
}
