/** The SQL of a payment provider's events for refunds. */
import type { Actor } from '../../events/actor.ts'
import type { Fragment, Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { ProviderEvent } from './provider-model.ts'
import type { PaymentMethod } from './queries.ts'

type MinorTexts = { refunded: string | null; unsettled: string | null }
type EventRow = Omit<ProviderEvent, 'refundedMinor' | 'unsettledMinor'> & MinorTexts

/** The provider's events of a sale, oldest first. */
export async function listEvents(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<ProviderEvent[]> {
  const rows = await sql<EventRow[]>`
    select event_id as id, type, amount, currency, reference, outcome, refunded_at as "refundedAt",
      refunded_minor::text as refunded, unsettled_minor::text as unsettled
    from payment_events
    where account_id = ${accountId} and basket_id = ${basketId}
    order by received_at, event_id`
  return rows.map(({ refunded, unsettled, ...row }) => {
    return { ...row, refundedMinor: toMinor(refunded), unsettledMinor: toMinor(unsettled) }
  })
}

function toMinor(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

/** How much money of the refund decisions about a sale is confirmed by events, in minor units of a currency. */
export async function findConfirmed(
  sql: Queryable,
  accountId: number,
  { basketId, currency }: { basketId: number; currency: string },
): Promise<bigint> {
  const [sum] = await sql<{ told: string }[]>`
    select coalesce(sum(coalesce(told_minor, case when event_id is not null then amount_minor else 0 end)), 0)::text as told
    from payments
    where account_id = ${accountId} and basket_id = ${basketId} and kind = 'refund' and currency = ${currency}`
  return BigInt(sum!.told)
}

/** A provider's refund of which at least a part has not been matched with anything yet. */
export type UnsettledEvent = Pick<
  ProviderEvent,
  'id' | 'amount' | 'currency' | 'reference' | 'unsettledMinor'
> & {
  basketId: number
}

/**
 * The unsettled refunds of these sales, oldest first. While the baskets are locked, no other transaction adds
 * one.
 */
export async function listUnsettled(
  sql: Queryable,
  accountId: number,
  basketIds: readonly number[],
): Promise<UnsettledEvent[]> {
  const rows = await sql<(Omit<UnsettledEvent, 'unsettledMinor'> & Pick<MinorTexts, 'unsettled'>)[]>`
    select event_id as id, basket_id as "basketId", amount, currency, reference, unsettled_minor::text as unsettled
    from payment_events
    where account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
      and ${isUnsettled(sql)}
    order by received_at, event_id`
  return rows.map(({ unsettled, ...row }) => ({ ...row, unsettledMinor: toMinor(unsettled) }))
}

/**
 * The condition for unsettled refunds in payment_events. The index payment_events_unsettled has the same
 * condition.
 */
function isUnsettled(sql: Queryable): Fragment {
  return sql`type = 'refunded' and (outcome = 'ignored' or unsettled_minor > 0)`
}

/** Accounts with an unsettled refund. */
export function listUnsettledAccounts(sql: Queryable) {
  return sql<{ accountId: number }[]>`
    select account_id as "accountId" from accounts
    where exists (
      select from payment_events where payment_events.account_id = accounts.account_id and ${isUnsettled(sql)}
    )
    order by account_id`
}

/** The next sales of an account, after the id `after`, that have an unsettled refund and money that it may pay back. */
export function listUnsettledSales(
  sql: Queryable,
  accountId: number,
  page: { after: number; limit: number },
) {
  return sql<{ basketId: number }[]>`
    select distinct basket_id as "basketId"
    from payment_events as event
    where account_id = ${accountId} and basket_id > ${page.after} and ${isUnsettled(sql)}
      and (
        exists (
          select from refunds where refunds.account_id = ${accountId} and refunds.basket_id = event.basket_id
            and (status = 'due' or kept_minor > 0 or set_off_minor > 0)
        ) or exists (
          select from payment_events as payment
          where payment.account_id = ${accountId} and payment.basket_id = event.basket_id
            and payment.outcome = 'refund-due'
        )
      )
    order by basket_id
    limit ${page.limit}`
}

/** Sets how much of a refund is unsettled. */
export async function updateUnsettled(
  tx: Transaction,
  accountId: number,
  id: string,
  unsettledMinor: bigint,
) {
  await tx`
    update payment_events set unsettled_minor = ${String(unsettledMinor)}::text::bigint
    where account_id = ${accountId} and event_id = ${id} and type = 'refunded'`
}

/** Stores that an ignored refund is settled, at least in part. */
export async function updateSettled(tx: Transaction, accountId: number, id: string): Promise<void> {
  await tx`
    update payment_events set outcome = 'refunded'
    where account_id = ${accountId} and event_id = ${id} and type = 'refunded' and outcome = 'ignored'`
}

/** Stores that a part of a payment of a locked basket was paid back. */
export async function addRefunded(tx: Transaction, accountId: number, id: string, partMinor: bigint) {
  await tx`
    update payment_events set refunded_minor = coalesce(refunded_minor, 0) + ${String(partMinor)}::text::bigint
    where account_id = ${accountId} and event_id = ${id} and outcome = 'refund-due' and refunded_at is null`
}

/** Payments that bought nothing and were paid back, and how. */
export type RefundedPayments = {
  paymentIds: readonly string[]
  method: PaymentMethod
  reference: string | null
  actor: Actor
}

/**
 * Marks payments of a locked basket as paid back. The basket becomes `refunded` if no payment of it is due
 * for a refund.
 */
export async function updateRefunded(
  tx: Transaction,
  accountId: number,
  basketId: number,
  { paymentIds, method, reference, actor }: RefundedPayments,
): Promise<void> {
  await tx`
    update payment_events set refunded_at = now(), refund_method = ${method}, refund_reference = ${reference},
      refund_actor = ${actor.kind}, refund_actor_id = ${actor.id ?? null}
    where account_id = ${accountId} and event_id = any(${[...paymentIds]}::text[])`
  await tx`
    update baskets set status = 'refunded'
    where account_id = ${accountId} and id = ${basketId} and status = 'refund-due' and not exists (
      select from payment_events
      where account_id = ${accountId} and basket_id = ${basketId} and outcome = 'refund-due' and refunded_at is null
    )`
}
