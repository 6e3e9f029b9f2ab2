/** Refunds in cash out of a till: never more than is in it. */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { cashIn } from './model.ts'
import { findTill, findTillFor } from './queries.ts'

/**
 * Finds the till for a refund with findTillFor(), and checks that it has enough cash. No other cash goes in or out until the
 * transaction ends. Null if the refund comes out of no till.
 * @throws Problem till-short.
 */
export async function findTillToPayFrom(
  tx: Transaction,
  by: Authorship,
  { method, amountMinor, currency }: { method: string; amountMinor: bigint; currency: string },
): Promise<number | null> {
  const id = await findTillFor(tx, by, { method, currency }, { exclusive: true })
  if (id === null) return null
  // A separate statement, which sees what was committed while this one waited for the lock.
  const inTill = cashIn((await findTill(tx, by.accountId, id))!)
  if (inTill < amountMinor)
    throw moneyProblems.tillShort(toMoney(inTill, currency), toMoney(amountMinor, currency))
  return id
}
