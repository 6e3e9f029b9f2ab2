/** Cash that is paid back out of a till: never more than is in it. */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { cashIn } from './model.ts'
import { findTill, findTillFor } from './queries.ts'

/**
 * The id of the till that a refund comes out of, as findTillFor(): it has that much cash, and no other cash moves in it until
 * the transaction ends. Null where the money comes out of no till.
 * @throws Problem till-short.
 */
export async function findTillToPayFrom(
  tx: Transaction,
  by: Authorship,
  { method, amountMinor, currency }: { method: string; amountMinor: bigint; currency: string },
): Promise<number | null> {
  const id = await findTillFor(tx, by, { method, currency }, { alone: true })
  if (id === null) return null
  // A statement of its own: it sees what was committed while the lock was waited for.
  const inTill = cashIn((await findTill(tx, by.accountId, id))!)
  if (inTill < amountMinor)
    throw moneyProblems.tillShort(toMoney(inTill, currency), toMoney(amountMinor, currency))
  return id
}
