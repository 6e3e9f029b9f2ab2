/** Finds the till for a refund in cash. A refund of more cash than is in the till is refused. */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { cashIn } from './model.ts'
import { findTill, findTillFor } from './queries.ts'

/**
 * Finds the till for a refund with findTillFor(), locks it, and checks that it has enough cash. No other
 * transaction can put cash into the till or take cash out until this one ends. Null if the refund does not
 * come out of a till.
 * @throws Problem till-short if there is too little cash in the till.
 */
export async function findTillToPayFrom(
  tx: Transaction,
  by: Authorship,
  { method, amountMinor, currency }: { method: string; amountMinor: bigint; currency: string },
): Promise<number | null> {
  const id = await findTillFor(tx, by, { method, currency }, { exclusive: true })
  if (id === null) return null
  // A separate statement, so that it sees the payments that were committed while findTillFor() waited for the
  // lock.
  const inTill = cashIn((await findTill(tx, by.accountId, id))!)
  if (inTill < amountMinor)
    throw moneyProblems.tillShort(toMoney(inTill, currency), toMoney(amountMinor, currency))
  return id
}
