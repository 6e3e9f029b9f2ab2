/** The SQL of payment providers: their sealed secrets, and the events that they sent. */

import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { RefundReason } from '../basket/schemas.ts'

export type SecretRow = { id: number; sealed: Buffer; createdAt: Date; revokedAt: Date | null }

/** An account's secrets, newest first. */
export function listSecrets(sql: Queryable, accountId: number) {
  return sql<SecretRow[]>`
    select id, sealed, created_at as "createdAt", revoked_at as "revokedAt" from payment_secrets
    where account_id = ${accountId} order by id desc`
}

/** The live secrets of the account with this slug, each with the database's present time in Unix seconds. */
export function listLiveSecrets(sql: Queryable, slug: string) {
  return sql<{ accountId: number; sealed: Buffer; now: number }[]>`
    select account_id as "accountId", sealed, extract(epoch from clock_timestamp())::double precision as now
    from payment_secrets
    where account_id = (select account_id from accounts where slug = ${slug}) and revoked_at is null`
}

export async function insertSecret(sql: Queryable, accountId: number, sealed: Buffer): Promise<void> {
  await sql`insert into payment_secrets (account_id, sealed) values (${accountId}, ${sealed})`
}

export async function updateSealed(
  sql: Queryable,
  accountId: number,
  id: number,
  sealed: Buffer,
): Promise<void> {
  await sql`update payment_secrets set sealed = ${sealed} where account_id = ${accountId} and id = ${id}`
}

/**
 * Revokes a secret; null if the account has no secret with this id. `revokedNow` is false if it was revoked
 * before.
 */
export async function revokeSecret(sql: Queryable, accountId: number, id: number) {
  const [secret] = await sql<{ revokedNow: boolean }[]>`
    with revoked as (
      update payment_secrets set revoked_at = now()
      where account_id = ${accountId} and id = ${id} and revoked_at is null
      returning id
    )
    select exists (select from revoked) as "revokedNow" from payment_secrets
    where account_id = ${accountId} and id = ${id}`
  return secret ?? null
}

export type PaymentEvent = {
  id: string
  bodyHash: Buffer
  basketId: number
  type: 'succeeded' | 'failed' | 'refunded'
  amount: string
  currency: string
  reference: string | null
}

/**
 * Inserts an event, after waiting for another transaction that is inserting the same event id. False if the event was
 * received before. updateEvent() writes its outcome.
 */
export async function insertEvent(tx: Transaction, accountId: number, event: PaymentEvent): Promise<boolean> {
  const { count } = await tx`
    insert into payment_events (account_id, event_id, body_hash, basket_id, type, amount, currency, reference,
      outcome, basket_status)
    values (${accountId}, ${event.id}, ${event.bodyHash}, ${event.basketId}, ${event.type}, ${event.amount},
      ${event.currency}, ${event.reference}, 'ignored', '')
    on conflict (account_id, event_id) do nothing`
  return count > 0
}

export type PaymentResult = 'completed' | 'refund-due' | 'released' | 'refunded' | 'ignored'
export type EventOutcome = { outcome: PaymentResult; basketStatus: string; refundReason: RefundReason | null }

export async function updateEvent(
  tx: Transaction,
  accountId: number,
  id: string,
  { outcome, basketStatus, refundReason }: EventOutcome,
): Promise<void> {
  await tx`
    update payment_events set outcome = ${outcome}, basket_status = ${basketStatus},
      refund_reason = ${refundReason}
    where account_id = ${accountId} and event_id = ${id}`
}

export async function findEvent(sql: Queryable, accountId: number, id: string) {
  const [event] = await sql<(EventOutcome & { bodyHash: Buffer })[]>`
    select body_hash as "bodyHash", outcome, basket_status as "basketStatus", refund_reason as "refundReason"
    from payment_events where account_id = ${accountId} and event_id = ${id}`
  return event ?? null
}

/** Whether another event has reported the same payment of this basket. */
export async function isReportedTwice(
  sql: Queryable,
  accountId: number,
  { id, basketId, reference }: PaymentEvent,
): Promise<boolean> {
  const rows = await sql`
    select from payment_events
    where account_id = ${accountId} and basket_id = ${basketId} and event_id <> ${id}
      and type = 'succeeded' and reference = ${reference}
    limit 1`
  return rows.length > 0
}
