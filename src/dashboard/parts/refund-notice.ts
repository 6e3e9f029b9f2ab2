/** The notice after a change of a booking. It also says whether a refund or a payment is due. */
import type { Queryable } from '../../platform/postgres/database.ts'
import { readLedger } from '../../sales/ledger/service.ts'

/** The word for the notice after a change. The notice names a due refund of the sale, or else an open balance. */
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
