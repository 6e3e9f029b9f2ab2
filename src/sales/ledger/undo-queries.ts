/** The SQL that undoes marks of refunds. */
import type { Authorship } from '../../events/actor.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { PaymentMethod } from './queries.ts'
import { isUndone } from './refund-queries.ts'

/** The row of `payments` that marks a refund as paid back. */
export type RefundMark = {
  id: number
  method: PaymentMethod
  /** In minor units, as text. */
  amount: string
  currency: string
  reference: string | null
  actor: string
  actorId: number | null
  /** Whether a provider's event made the mark, or confirmed all or part of it. */
  isConfirmed: boolean
  /** The till that the cash came out of, if there is one and it is still open. */
  openTillId: number | null
}

/**
 * Finds the mark of a refund and locks its open till, so that the till stays open until the transaction ends. Null if
 * the refund is not paid back. The caller has locked the sale.
 */
export async function lockMark(
  tx: Transaction,
  accountId: number,
  refundId: number,
): Promise<RefundMark | null> {
  const [mark] = await tx<(Omit<RefundMark, 'openTillId'> & { tillId: number | null })[]>`
    select id, method, amount_minor::text as amount, currency, reference, actor, actor_id as "actorId",
      event_id is not null or told_minor is not null as "isConfirmed", till_id as "tillId"
    from payments as back
    where account_id = ${accountId} and refund_id = ${refundId} and kind = 'refund' and not ${isUndone(tx, tx`back`)}`
  if (!mark) return null
  const { tillId, ...rest } = mark
  const [open] = await tx<{ id: number }[]>`
    select id from tills where account_id = ${accountId} and id = ${tillId} and closed_at is null for share`
  return { ...rest, openTillId: open?.id ?? null }
}

export type KnownMark = {
  /** Null for a payment that bought nothing. */
  refundId: number | null
  /** Null for a decision. */
  eventId: string | null
  actor: string | null
  actorId: number | null
  /**
   * For a decision: whether a provider’s event made the mark, or confirmed all or part of it. For a payment that bought
   * nothing: false only if a user or an API key made the mark; true also if the actor is unknown. Whether an event
   * confirmed such a mark later is not checked here.
   */
  isConfirmed: boolean
}

/** The marks of these refunds, without a lock. A refund that is not paid back has none. */
export function listMarks(
  sql: Queryable,
  accountId: number,
  { refundIds, eventIds }: { refundIds: readonly number[]; eventIds: readonly string[] },
) {
  return sql<KnownMark[]>`
    select refund_id as "refundId", null::text as "eventId", actor, actor_id as "actorId",
      event_id is not null or told_minor is not null as "isConfirmed"
    from payments as back
    where account_id = ${accountId} and refund_id = any(${[...refundIds]}::bigint[]) and kind = 'refund'
      and not ${isUndone(sql, sql`back`)}
    union all
    select null, event_id, refund_actor, refund_actor_id, coalesce(refund_actor not in ('user', 'key'), true)
    from payment_events
    where account_id = ${accountId} and event_id = any(${[...eventIds]}::text[]) and refunded_at is not null`
}

/** Makes a refund of a locked sale due again. */
export async function updateDueAgain(tx: Transaction, accountId: number, id: number): Promise<void> {
  await tx`
    update refunds set status = 'due', done_at = null
    where account_id = ${accountId} and id = ${id} and status = 'done'`
}

/** Makes the refund of a payment that bought nothing due again, and gives its locked basket the status `refund-due`. */
export async function updateUnusedDue(
  tx: Transaction,
  accountId: number,
  { basketId, eventId }: { basketId: number; eventId: string },
): Promise<void> {
  await tx`
    update payment_events set refunded_at = null, refund_method = null, refund_reference = null, refund_actor = null,
      refund_actor_id = null
    where account_id = ${accountId} and event_id = ${eventId} and basket_id = ${basketId}`
  await tx`
    update baskets set status = 'refund-due'
    where account_id = ${accountId} and id = ${basketId} and status = 'refunded'`
}

/**
 * The mark that a payment which bought nothing is paid back: by whom, and how. Null if the payment is not paid back.
 */
export async function findUnusedMark(
  sql: Queryable,
  accountId: number,
  { basketId, eventId }: { basketId: number; eventId: string },
) {
  const [mark] = await sql<
    {
      amount: string
      /** In minor units, as text. */
      refunded: string | null
      currency: string
      method: PaymentMethod | null
      reference: string | null
      actor: string | null
      actorId: number | null
    }[]
  >`
    select amount, refunded_minor::text as refunded, currency, refund_method as method, refund_reference as reference, refund_actor as actor,
      refund_actor_id as "actorId"
    from payment_events
    where account_id = ${accountId} and event_id = ${eventId} and basket_id = ${basketId} and refunded_at is not null`
  if (!mark) return null
  const { refunded, ...rest } = mark
  return { ...rest, refundedMinor: refunded === null ? null : BigInt(refunded) }
}

export type UndoneRefund = {
  basketId: number
  refundId: number | null
  eventId: string | null
  method: PaymentMethod | null
  amount: string
  currency: string
  reference: string | null
  reason: string
}

export async function insertUndone(
  tx: Transaction,
  { accountId, actor }: Authorship,
  undone: UndoneRefund,
): Promise<void> {
  const { basketId, refundId, eventId, method, amount, currency, reference, reason } = undone
  await tx`
    insert into undone_refunds (account_id, basket_id, refund_id, event_id, method, amount, currency, reference, reason,
      actor, actor_id)
    values (${accountId}, ${basketId}, ${refundId}, ${eventId}, ${method}, ${amount}, ${currency}, ${reference},
      ${reason}, ${actor.kind}, ${actor.id ?? null})`
}
