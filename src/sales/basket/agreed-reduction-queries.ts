/** The reduction that was agreed on at the till, from its form to the payment. */
import type { Queryable } from '../../platform/postgres/database.ts'
import type { TillReduction } from './till-schemas.ts'

/** Null if there is none. */
export async function findAgreedReduction(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<TillReduction | null> {
  const [row] = await sql<{ reduction: TillReduction | null }[]>`
    select agreed_reduction as reduction from baskets where account_id = ${accountId} and id = ${basketId}`
  return row?.reduction ?? null
}

/** Changes nothing of a basket that is not open, or that a reseller holds. @param reduction null removes it. */
export async function updateAgreedReduction(
  sql: Queryable,
  accountId: number,
  basketId: number,
  reduction: TillReduction | null,
): Promise<void> {
  await sql`
    update baskets set agreed_reduction = ${reduction === null ? null : sql.json(reduction)}
    where account_id = ${accountId} and id = ${basketId} and status = 'open' and channel <> 'partner'`
}
