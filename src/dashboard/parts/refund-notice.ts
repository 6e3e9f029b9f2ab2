/** What is said after a change of a booking: also where the money is that is to be paid back. */
import type { Queryable } from '../../platform/postgres/database.ts'
import { readLedger } from '../../sales/ledger/service.ts'

/** The word for the notice of a change, of a sale of which something is to be paid back with where that is listed. */
export async function doneWithRefund(
  sql: Queryable,
  accountId: number,
  { BasketID }: { BasketID: number },
  done: 'moved' | 'amended',
): Promise<string> {
  const ledger = (await readLedger(sql, accountId, [BasketID])).get(BasketID)
  return ledger && ledger.due > 0n ? `${done}-refund` : done
}
