/** The SQL of partners' bookings beside their rows, which src/inventory/ writes: ids and questions. */

import { type RowKey, unnestKeys } from '../../inventory/lock-queries.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

/** Which of these bookings exist, and since when: what a try whose COMMIT got no answer has made. */
export function listMade(tx: Transaction, bookings: readonly RowKey[]) {
  return tx<{ id: number; createdAt: Date }[]>`
    select bookings.id, bookings.created_at as "createdAt"
    from ${unnestKeys(tx, bookings)}
    join bookings on bookings.account_id = key.account_id and bookings.id = key.id`
}

/** The ids of a product's waiver questions; null when the account has no such product in the shopfront. */
export async function findQuestionIds(
  sql: Queryable,
  accountId: number,
  activity: string,
): Promise<number[] | null> {
  const [product] = await sql<{ ids: number[] }[]>`
    select array(
      select questions.id from questions
      where questions.account_id = products.account_id and questions.product_id = products.id
    ) as ids
    from products
    where account_id = ${accountId} and activity_id = ${activity} and in_shopfront`
  return product?.ids.map(Number) ?? null
}

/** The first id of each of `blocks` fresh blocks of booking ids and of basket ids. */
export async function drawIdBlocks(sql: Queryable, sequence: 'booking_ids' | 'basket_ids', blocks: number) {
  const rows = await sql<{ first: number }[]>`
    select nextval(${sequence}::regclass) as first from generate_series(1, ${blocks})`
  return rows.map(({ first }) => first)
}

/** How many ids one block has: the increment of both sequences in sql/105.do.sales.sql. */
export const idBlockSize = 1000
