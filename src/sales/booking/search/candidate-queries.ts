/** The SQL that finds bookings by one part of a search. The queries do not sort, so that they stop at their limit. */
import type { Fragment, Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { NamedQuery } from './model.ts'

/**
 * Disables sequential scans for the rest of the transaction, so that words are found by their index. If PostgreSQL
 * estimates that many rows match, it would otherwise scan booking_words until it reaches the limit.
 */
export async function preferIndexOfWords(tx: Transaction): Promise<void> {
  await tx`select set_config('enable_seqscan', 'off', true)`
}

/** The ids of at most `limit` bookings with words that match a tsquery. */
export async function listMatches(
  sql: Queryable,
  accountId: number,
  query: string,
  limit: number,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`${matches(sql, accountId, query)} limit ${limit}`
  return rows.map(({ id }) => id)
}

// Each word begins with its account id, so the index of words finds only words of this account. The account id is
// compared as text, so that PostgreSQL does not use the primary key instead.
function matches(sql: Queryable, accountId: number, query: string): Fragment {
  return sql`
    select booking_id as id from booking_words
    where words @@ ${query}::text::tsquery and account_id::text = ${String(accountId)}`
}

/** Counts the timeslots of these products, up to `limit`. */
export async function countTimeslots(
  sql: Queryable,
  accountId: number,
  productIds: readonly number[],
  limit: number,
): Promise<number> {
  const [count] = await sql<{ timeslots: number }[]>`
    select count(*)::integer as timeslots from (
      select from timeslots where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
      limit ${limit}
    ) as found`
  return count!.timeslots
}

/**
 * The ids of four kinds of bookings, at most `limit` of each kind: bookings with words that match the query,
 * bookings of these partners, bookings of these sales, and bookings on timeslots of these products.
 */
export async function listNamed(
  sql: Queryable,
  accountId: number,
  { query, productIds, partnerIds, saleIds }: NamedQuery,
  limit: number,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    (${matches(sql, accountId, query)} limit ${limit})
    union
    (select id from bookings where account_id = ${accountId} and partner_id = any(${partnerIds}::bigint[])
      limit ${limit})
    union
    (select id from bookings where account_id = ${accountId} and basket_id = any(${saleIds}::bigint[]) limit ${limit})
    union
    (select sold.id
      from (
        select id from timeslots where account_id = ${accountId} and product_id = any(${productIds}::bigint[]) offset 0
      ) as slot
      cross join lateral (
        select id from bookings where account_id = ${accountId} and timeslot_id = slot.id offset 0
      ) as sold
      limit ${limit})`
  return rows.map(({ id }) => id)
}
