/** The SQL that detects changes for open pages: it reads the last number of an account's log. */
import type { Queryable } from '../../platform/postgres/database.ts'

/** The last number of each account. The map has no entry for an account without a counter. */
export async function readLastNumbers(
  sql: Queryable,
  accountIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await sql<{ accountId: number; lastNumber: number }[]>`
    select account_id as "accountId", last_number as "lastNumber" from event_counters
    where account_id = any(${[...accountIds]}::bigint[])`
  return new Map(rows.map(({ accountId, lastNumber }) => [accountId, lastNumber]))
}
