/** The SQL of refunds: the terms that count, decisions, and marking them as paid back. */
import type { Authorship } from '../../events/actor.ts'
import type { RefundStep } from '../../inventory/refund-terms.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { RefundAmounts, RefundCause } from './refund-model.ts'

/**
 * The refund terms of the products that these bookings are for, as they were in force when each was made, and how many
 * milliseconds are left until its start, by the database's clock; a booking without terms is missing.
 */
export function listRefundTerms(sql: Queryable, accountId: number, bookingIds: readonly number[]) {
  return sql<{ bookingId: number; steps: RefundStep[]; msBefore: number }[]>`
    select bookings.id as "bookingId", steps,
      floor(extract(epoch from slot.starts_at - (select app_now())) * 1000)::bigint as "msBefore"
    from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    cross join lateral (
      select steps from refund_terms as terms
      where terms.account_id = slot.account_id and terms.product_id = slot.product_id
        and terms.since <= bookings.created_at
      order by since desc limit 1
    ) as terms
    where bookings.account_id = ${accountId} and bookings.id = any(${[...bookingIds]}::bigint[])
      and steps <> '[]'`
}

export type NewRefund = RefundAmounts & {
  basketId: number
  /** Null for money that was paid too much. */
  bookingId: number | null
  cause: RefundCause
  byTermsMinor: bigint | null
  currency: string
}

/** Writes down decisions about locked sales; gives the id of each, in their order. */
export async function insertRefunds(
  tx: Transaction,
  { accountId, actor }: Authorship,
  refunds: readonly NewRefund[],
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    insert into refunds (account_id, basket_id, booking_id, cause, by_terms_minor, amount_minor, kept_minor, currency,
      status, actor, actor_id)
    select ${accountId}, basket_id, booking_id, cause, by_terms, amount, kept, currency,
      case when amount > 0 then 'due' else 'none' end, ${actor.kind}, ${actor.id ?? null}::bigint
    from unnest(
      ${refunds.map(({ basketId }) => basketId)}::bigint[],
      ${refunds.map(({ bookingId }) => bookingId)}::bigint[],
      ${refunds.map(({ cause }) => cause)}::text[],
      ${refunds.map(({ byTermsMinor }) => byTermsMinor?.toString() ?? null)}::text[]::bigint[],
      ${refunds.map(({ amountMinor }) => String(amountMinor))}::text[]::bigint[],
      ${refunds.map(({ keptMinor }) => String(keptMinor))}::text[]::bigint[],
      ${refunds.map(({ currency }) => currency)}::text[]
    ) with ordinality as given (basket_id, booking_id, cause, by_terms, amount, kept, currency, place)
    order by place
    returning id`
  return rows.map(({ id }) => id)
}

export type KnownRefund = {
  id: number
  basketId: number
  status: 'due' | 'done' | 'none'
  amountMinor: string
  currency: string
}

/** A decision by its id. Who holds the lock of its basket knows that it stays so. */
export async function findRefund(sql: Queryable, accountId: number, id: number): Promise<KnownRefund | null> {
  const [refund] = await sql<KnownRefund[]>`
    select id, basket_id as "basketId", status, amount_minor::text as "amountMinor", currency
    from refunds where account_id = ${accountId} and id = ${id}`
  return refund ?? null
}

/** The refunds of a sale that are due, of this amount, oldest first. */
export function listDueOf(
  sql: Queryable,
  accountId: number,
  basketId: number,
  { amountMinor, currency }: { amountMinor: bigint; currency: string },
) {
  return sql<KnownRefund[]>`
    select id, basket_id as "basketId", status, amount_minor::text as "amountMinor", currency
    from refunds
    where account_id = ${accountId} and basket_id = ${basketId} and status = 'due'
      and amount_minor = ${String(amountMinor)}::text::bigint and currency = ${currency}
    order by id`
}

/** Marks a decision about a locked sale as paid back. */
export async function updateDone(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update refunds set status = 'done', done_at = app_now()
    where account_id = ${accountId} and id = ${id} and status = 'due'`
}
