/** The SQL of partners' bookings beside their rows, which src/inventory/ writes: ids and questions. */

import type { Queryable, Transaction } from '../../platform/postgres/database.ts'

/** Which of these references exist, and since when: what an attempt whose COMMIT got lost had done. */
export function listMadeReferences(tx: Transaction, references: { accountId: number; reference: string }[]) {
  return tx<{ reference: string; createdAt: Date }[]>`
    select bookings.reference, bookings.created_at as "createdAt"
    from unnest(
      ${references.map(({ accountId }) => accountId)}::bigint[],
      ${references.map(({ reference }) => reference)}::text[]
    ) as drawn (account_id, reference)
    join bookings using (account_id, reference)`
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
