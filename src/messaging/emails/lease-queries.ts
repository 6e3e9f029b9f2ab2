/**
 * The SQL of leases: a worker claims an e-mail and commits. The holder of the lease's token marks the e-mail
 * later, in one statement. No lock is held in between.
 */
import { inOrder, type Queryable, type Sql, type Transaction } from '../../platform/postgres/database.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'
import type { EmailKind, TestMessage } from './model.ts'

export type Email = {
  accountId: number
  id: number
  kind: EmailKind
  workflowId: number | null
  bookingId: number | null
  waitlistEntryId: number | null
  details: Record<string, unknown>
  messageId: string
  /** How many times it was tried. */
  attempts: number
  /** The token of its lease. */
  lease: string
  /** The trace of the cause; null if the cause was not traced. */
  traceContext: TraceContext | null
}

/** Below the id of every account; test accounts have ids below 0. */
export const beforeAllAccounts = Number.MIN_SAFE_INTEGER

/** The maximum number of unexpired leases of an account, in all workers together. */
export const maxLeasesPerAccount = 2

/**
 * Accounts take turns, by id. Finds the next account that has a due e-mail and fewer than `maxLeasesPerAccount` leases,
 * and claims the e-mail that has been due longest.
 * @param after the account whose turn was last; `beforeAllAccounts` if there was none.
 * @returns null when nothing can be claimed.
 */
export function claimEmail(
  sql: Sql,
  { after, leaseMs }: { after: number; leaseMs: number },
): Promise<Email | null> {
  return sql.begin(async (tx) => {
    const { claimed } = await inOrder({
      // A worker that is suspended here must not prevent other workers from claiming.
      limit: tx`set local idle_in_transaction_session_timeout = '1s'`,
      // One claim at a time, so that the next one counts this lease.
      lock: tx`select pg_advisory_xact_lock(hashtext('emails.claim'))`,
      claimed: claimAfter(tx, after, leaseMs),
    })
    if (claimed[0] || after === beforeAllAccounts) return claimed[0] ?? null
    const [first] = await claimAfter(tx, beforeAllAccounts, leaseMs)
    return first ?? null
  })
}

/** Claims like claimEmail(), but only in accounts with an id above `after`. Claims must run one at a time. */
export function claimAfter(tx: Transaction, after: number, leaseMs: number) {
  return tx<Email[]>`
    with recursive turn as (
      (
        select account_id from emails
        where status = 'queued' and account_id > ${after}
        order by account_id limit 1
      )
      union all
      select (
        select account_id from emails
        where status = 'queued' and account_id > turn.account_id
        order by account_id limit 1
      )
      from turn where turn.account_id is not null
    ), due as materialized (
      select oldest.account_id, oldest.id from turn
      cross join lateral (
        select account_id, id from emails
        where account_id = turn.account_id and status = 'queued' and next_try_at <= (select app_now())
        order by next_try_at limit 1
        for update skip locked
      ) as oldest
      where (
        select count(*) from emails
        where account_id = turn.account_id and lease is not null and leased_until > (select app_now())
      ) < ${maxLeasesPerAccount}
      limit 1
    )
    update emails set lease = gen_random_uuid(),
      leased_until = app_now() + ${leaseMs} * interval '1 millisecond',
      next_try_at = app_now() + ${leaseMs} * interval '1 millisecond'
    from due
    where emails.account_id = due.account_id and emails.id = due.id
    returning emails.account_id as "accountId", emails.id, kind, workflow_id as "workflowId",
      booking_id as "bookingId", waitlist_entry_id as "waitlistEntryId", details, message_id as "messageId",
      attempts, lease, trace_context as "traceContext"`
}

/**
 * Marks a leased e-mail as sent, and stores its subject in its details until the customer is erased.
 * @param testMessage the content of an e-mail of a test account; null for a live account.
 * @returns false if the lease was lost and nothing was marked. The functions below return the same.
 */
export async function markSent(
  tx: Transaction,
  email: Email,
  { subject, testMessage }: { subject: string; testMessage: TestMessage | null },
): Promise<boolean> {
  const { count } = await tx`
    update emails set status = 'sent', sent_at = app_now(), reason = null, attempts = ${email.attempts},
      details = details || jsonb_build_object('Subject', ${subject}::text),
      test_message = ${testMessage && JSON.stringify(testMessage)}::text::jsonb,
      ${released(tx)}, next_try_at = app_now()
    where ${isHeld(tx, email)}`
  return count === 1
}

/**
 * Marks a leased e-mail as `dropped`, which is final, or as `failed`, which only the operator can retry. A dropped
 * e-mail may be about an erased customer, so its text is deleted.
 */
export async function markEnded(
  sql: Queryable,
  email: Email,
  status: 'failed' | 'dropped',
  reason: string,
): Promise<boolean> {
  const { count } = await sql`
    update emails set status = ${status}, reason = ${reason}, attempts = ${email.attempts}, ${released(sql)},
      details = case when ${status === 'dropped'} then details - '{Message,Subject}'::text[] else details end, next_try_at = app_now()
    where ${isHeld(sql, email)}`
  return count === 1
}

/** Drops a leased e-mail, and lets its workflow act on the booking again. */
export async function reschedule(sql: Queryable, email: Email, reason: string): Promise<boolean> {
  const rows = await sql`
    with marked as (
      update emails set status = 'dropped', reason = ${reason}, ${released(sql)}, next_try_at = app_now()
      where ${isHeld(sql, email)}
      returning account_id, workflow_id, booking_id
    ), run as (
      delete from workflow_runs using marked
      where workflow_runs.account_id = marked.account_id and workflow_runs.workflow_id = marked.workflow_id
        and workflow_runs.booking_id = marked.booking_id
    )
    select from marked`
  return rows.length === 1
}

/** Returns a leased e-mail to the queue, to be tried after this many seconds. */
export async function postpone(
  sql: Queryable,
  email: Email,
  seconds: number,
  reason: string,
): Promise<boolean> {
  const { count } = await sql`
    update emails set attempts = ${email.attempts}, reason = ${reason}, ${released(sql)},
      next_try_at = app_now() + ${seconds} * interval '1 second'
    where ${isHeld(sql, email)}`
  return count === 1
}

function isHeld(sql: Queryable, { accountId, id, lease }: Email) {
  return sql`account_id = ${accountId} and id = ${id} and lease = ${lease} and status = 'queued'`
}

function released(sql: Queryable) {
  return sql`lease = null, leased_until = null`
}
