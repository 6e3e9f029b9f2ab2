/** What is said after a change of a booking: also where the money is that is to be paid back. */
import type { Queryable } from '../../platform/postgres/database.ts'
import { readLedger } from '../../sales/ledger/service.ts'

/** The word for the notice of a change. It says where to find what is to be paid back of the sale, or still to be paid. */
export async function doneWithRefund(
  sql: Queryable,
  accountId: number,
  { BasketID }: { BasketID: number },
  done: 'moved' | 'amended',
): Promise<string> {
  const ledger = (await readLedger(sql, accountId, [BasketID])).get(BasketID)
  if (!ledger) return done
  if (ledger.due > 0n) return `${done}-refund`
  return ledger.balance > 0n ? `${done}-owed` : done
}
