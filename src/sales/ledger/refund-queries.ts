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
  amountMinor: bigint
  currency: string
}
type KnownRow<T> = Omit<T, 'amountMinor'> & { amount: string }

/** A decision by its id. Who holds the lock of its basket knows that it stays so. */
export async function findRefund(sql: Queryable, accountId: number, id: number): Promise<KnownRefund | null> {
  const [refund] = await sql<KnownRow<KnownRefund>[]>`
    select id, basket_id as "basketId", status, amount_minor::text as amount, currency
    from refunds where account_id = ${accountId} and id = ${id}`
  return refund ? exact(refund) : null
}

function exact<T extends { amount: string }>({ amount, ...row }: T) {
  return { ...row, amountMinor: BigInt(amount) }
}

/** With the payment that somebody wrote down by hand; null of a refund that is due. */
export type UntoldRefund = KnownRefund & { paymentId: number | null }

/** The refunds of a sale that no provider's event has told of, oldest first: what is due, or was paid back online by hand. */
export async function listUntold(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<UntoldRefund[]> {
  const rows = await sql<KnownRow<UntoldRefund>[]>`
    select refunds.id, refunds.basket_id as "basketId", status, refunds.amount_minor::text as amount,
      refunds.currency, back.id as "paymentId"
    from refunds
    left join payments as back on back.account_id = ${accountId} and back.refund_id = refunds.id
    where refunds.account_id = ${accountId} and refunds.basket_id = ${basketId}
      and (status = 'due' or (status = 'done' and back.method = 'online' and back.event_id is null))
    order by refunds.id`
  return rows.map(exact)
}

/** Notes which event told of what was written down by hand. */
export async function updateTold(tx: Transaction, accountId: number, paymentId: number, eventId: string) {
  await tx`
    update payments set event_id = ${eventId}
    where account_id = ${accountId} and id = ${paymentId} and kind = 'refund' and event_id is null`
}

/** The events that told of refunds of a sale that were decided. */
export async function listToldEvents(sql: Queryable, accountId: number, basketId: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select event_id as id from payments
    where account_id = ${accountId} and basket_id = ${basketId} and kind = 'refund' and event_id is not null`
  return rows.map(({ id }) => id)
}

/** A provider's word that it paid something back, of which nothing was known when it came. */
export type KeptEvent = {
  id: string
  basketId: number
  amount: string
  currency: string
  reference: string | null
}

/** What was kept of these sales, oldest first. Who holds the locks of their baskets knows that nothing is added. */
export function listKept(sql: Queryable, accountId: number, basketIds: readonly number[]) {
  return sql<KeptEvent[]>`
    select event_id as id, basket_id as "basketId", amount, currency, reference
    from payment_events
    where account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
      and type = 'refunded' and outcome = 'ignored'
    order by received_at, event_id`
}

/** Says that an event that was kept has told of a refund: it is found no more. */
export async function updateKept(tx: Transaction, accountId: number, id: string): Promise<void> {
  await tx`
    update payment_events set outcome = 'refunded'
    where account_id = ${accountId} and event_id = ${id} and type = 'refunded' and outcome = 'ignored'`
}

/** Marks a decision about a locked sale as paid back. */
export async function updateDone(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update refunds set status = 'done', done_at = app_now()
    where account_id = ${accountId} and id = ${id} and status = 'due'`
}
