/**
 * The SQL of the till's reduction: the reduction agreed for an open basket, and the reductions of bookings
 * when they are sold.
 */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { TillReduction } from './till-schemas.ts'

/** The reduction that was agreed for a basket before its payment; null if there is none. */
export async function findAgreedReduction(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<TillReduction | null> {
  const [row] = await sql<{ reduction: TillReduction | null }[]>`
    select agreed_reduction as reduction from baskets where account_id = ${accountId} and id = ${basketId}`
  return row?.reduction ?? null
}

/**
 * Stores the agreed reduction of a basket, if it is open and the operator's own sale.
 * @param reduction null removes it.
 */
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

/** Writes the till's reductions of locked bookings, with the reason, and adds them to the discounts. */
export async function updateReductions(
  tx: Transaction,
  accountId: number,
  reason: string,
  bookings: readonly { id: number; minor: bigint }[],
): Promise<void> {
  await tx`
    update bookings set discount_minor = coalesce(discount_minor, 0) + given.minor, reduction_minor = given.minor,
      reduction_reason = ${reason}
    from unnest(
      ${bookings.map(({ id }) => id)}::bigint[], ${bookings.map(({ minor }) => String(minor))}::text[]::bigint[]
    ) as given (id, minor) where bookings.account_id = ${accountId} and bookings.id = given.id`
}
