/**
 * The queries for partners' bookings: they draw ids, find bookings of earlier tries, and list the ids of
 * questions. src/inventory/ writes the bookings.
 */

import { type RowKey, unnestKeys } from '../../inventory/lock-queries.ts'
import { type Bought, boughtColumns } from '../../inventory/service.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

/**
 * Finds which of these bookings exist, and reads their creation time and what they bought. It is for attempts
 * with an earlier try whose COMMIT got no response.
 */
export function listMade(sql: Queryable, bookings: readonly RowKey[]) {
  return sql<(Bought & { id: number; createdAt: Date })[]>`
    select bookings.id, bookings.created_at as "createdAt", ${boughtColumns(sql)}
    from ${unnestKeys(sql, bookings)}
    join bookings on bookings.account_id = key.account_id and bookings.id = key.id`
}

/**
 * The ids of products' waiver questions, in the order of the products; null for a product that is not in the
 * shopfront of its account.
 */
export async function listQuestionIds(
  sql: Queryable,
  asked: readonly { accountId: number; activity: string }[],
): Promise<{ ids: number[] | null }[]> {
  const rows = await sql<{ place: number; ids: number[] }[]>`
    select asked.place, array(
      select questions.id from questions
      where questions.account_id = products.account_id and questions.product_id = products.id
    ) as ids
    from unnest(
      ${asked.map((_, index) => index)}::integer[],
      ${asked.map(({ accountId }) => accountId)}::bigint[],
      ${asked.map(({ activity }) => activity)}::uuid[]
    ) as asked (place, account_id, activity)
    join products on products.account_id = asked.account_id and products.activity_id = asked.activity
      and products.in_shopfront`
  const byPlace = new Map(rows.map(({ place, ids }) => [place, ids.map(Number)]))
  return asked.map((_, place) => ({ ids: byPlace.get(place) ?? null }))
}

/** Draws new blocks of booking ids or of basket ids, and returns the first id of each block. */
export async function drawIdBlocks(sql: Queryable, sequence: 'booking_ids' | 'basket_ids', blocks: number) {
  const rows = await sql<{ first: number }[]>`
    select nextval(${sequence}::regclass) as first from generate_series(1, ${blocks})`
  return rows.map(({ first }) => first)
}

/** How many ids one block has: the increment of both sequences in sql/105.do.sales.sql. */
export const idBlockSize = 1000
