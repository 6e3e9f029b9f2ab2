/** The SQL of tills: who has one open, what went into it and out of it, and its closing. */
import type { Transaction } from '../../platform/postgres/database.ts'

/**
 * The id of the till that a user has open for a currency; null for none. It stays open until the transaction ends: a
 * closing waits for it, and one that is under way is waited for. Call it after everything else is locked.
 */
export async function findOpenTill(
  tx: Transaction,
  accountId: number,
  userId: number,
  currency: string,
): Promise<number | null> {
  const [till] = await tx<{ id: number }[]>`
    select id from tills
    where account_id = ${accountId} and user_id = ${userId} and currency = ${currency} and closed_at is null
    for share`
  return till?.id ?? null
}
