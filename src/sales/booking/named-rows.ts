/** Bookings that are named by account and id in a query. */
import type { Queryable } from '../../platform/postgres/database.ts'

/** Converts the keys to rows with the name `key`, for the `from` of a query. */
export function keysOf(sql: Queryable, keys: readonly { accountId: number; id: number }[]) {
  return sql`unnest(
    ${keys.map(({ accountId }) => accountId)}::bigint[], ${keys.map(({ id }) => id)}::bigint[]
  ) as key (account_id, id)`
}
