/** The SQL that finds sales by their number, or by a reference of a payment or a refund. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'

/** The last code point. A text followed by it sorts after everything that begins with the text. */
const lastLetter = '\u{10FFFF}'

/** A part of a search. `isBeginning`: it also matches references that begin with it. */
export type SaleTerm = { text: string; isBeginning: boolean }

/**
 * For each term, the ids of sales with this number, or with this reference of a payment, a refund or a provider’s
 * event. Each kind of reference adds at most `limit` sales, exact matches first.
 */
export async function listSalesOf(
  sql: Queryable,
  accountId: number,
  terms: readonly SaleTerm[],
  limit: number,
): Promise<number[][]> {
  const texts = terms.map(({ text }) => text.toLowerCase())
  const lasts = terms.map(({ isBeginning }, index) => `${texts[index]}${isBeginning ? lastLetter : ''}`)
  const rows = await sql<{ ids: number[] }[]>`
    select array(
      (select id from baskets where account_id = ${accountId} and id = term.number)
      union ${withReference(sql, sql`payments`, sql`reference`, { accountId, limit })}
      union ${withReference(sql, sql`payment_events`, sql`reference`, { accountId, limit })}
      union ${withReference(sql, sql`payment_events`, sql`refund_reference`, { accountId, limit })}
    ) as ids
    from unnest(${texts}::text[], ${lasts}::text[], ${texts.map(numberOf)}::bigint[])
      with ordinality as term (first, last, number, place)
    order by place`
  return rows.map(({ ids }) => ids)
}

// Sorted as the index is, so that the query stops at the limit.
function withReference(
  sql: Queryable,
  table: Fragment,
  column: Fragment,
  { accountId, limit }: { accountId: number; limit: number },
): Fragment {
  const folded = sql`lower(${column}) collate "C"`
  return sql`(
    select basket_id from ${table}
    where account_id = ${accountId} and ${folded} >= term.first and ${folded} <= term.last
    order by ${folded} limit ${limit}
  )`
}

function numberOf(text: string): number | null {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : null
  return number !== null && Number.isSafeInteger(number) ? number : null
}
