/**
 * The SQL that writes the outbox, and of unsubscribing. list-queries.ts reads the outbox, lease-queries.ts contains the
 * SQL of leases, and facts.ts the SQL that reads the data for each e-mail.
 */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { type TraceContext, traceContext } from '../../platform/tracing/tracing.ts'
import type { EmailKind } from './model.ts'

/** Idempotent: does nothing if the address is opted out already, or if there is no such account. */
export async function insertOptOut(sql: Queryable, accountId: number, hash: Buffer): Promise<void> {
  await sql`
    insert into email_optouts (account_id, address_hash)
    select account_id, ${hash} from accounts where account_id = ${accountId}
    on conflict do nothing`
}

export async function insertTestEmail(
  tx: Transaction,
  accountId: number,
  { workflowId, bookingId, to }: { workflowId: number; bookingId: number | null; to: string },
): Promise<number> {
  const [made] = await tx<{ id: number }[]>`
    insert into emails (account_id, kind, workflow_id, booking_id, details, trace_context)
    values (${accountId}, 'test', ${workflowId}, ${bookingId}, ${tx.json({ To: to })}, ${traceContext()})
    returning id`
  return made!.id
}

/** Counts one more test e-mail of an account for today (UTC). False if the account already has `most` of them. */
export async function countTestEmail(tx: Transaction, accountId: number, most: number): Promise<boolean> {
  // greatest() is needed, because a transaction that began before midnight may run after one that began
  // later.
  const { count } = await tx`
    insert into test_email_counts as counted (account_id, day, emails)
    values (${accountId}, (app_now() at time zone 'UTC')::date, 1)
    on conflict (account_id) do update set day = greatest(counted.day, excluded.day),
      emails = case when counted.day < excluded.day then 1 else counted.emails + 1 end
    where counted.day < excluded.day or counted.emails < ${most}`
  return count > 0
}

/** Whole seconds until the next day in UTC, at least 1. */
export async function findSecondsUntilMidnight(sql: Queryable): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select ceil(extract(epoch from date_trunc('day', utc) + interval '1 day' - utc))::integer as seconds
    from (select app_now() at time zone 'UTC' as utc) as now`
  return row!.seconds
}

/** E-mails about bookings of an account, to be queued. Their text is composed when they are sent. */
export type NewEmails = {
  accountId: number
  kind: EmailKind
  bookingIds: readonly number[]
  /** The details that all of them share. */
  details: object
  /**
   * The trace context of their cause. If it is null or left out, the context of the active span is stored.
   */
  traceContext?: TraceContext | null
}

/** Queues an e-mail for each of these bookings that has an address; returns how many. */
export async function insertEmails(
  tx: Transaction,
  { accountId, kind, bookingIds, details, traceContext: cause }: NewEmails,
): Promise<number> {
  const { count } = await tx`
    insert into emails (account_id, kind, booking_id, details, trace_context)
    select ${accountId}, ${kind}, id, ${JSON.stringify(details)}::text::jsonb, ${cause ?? traceContext()}
    from bookings
    where account_id = ${accountId} and id = any(${[...bookingIds]}::bigint[]) and email <> ''
    order by id`
  return count
}

/**
 * Queues one e-mail for each of these waitlist entries, about its offer; returns how many. If a booking has
 * no address, the worker later drops its e-mail and stores the reason.
 */
export async function insertOfferEmails(
  tx: Transaction,
  entries: readonly { accountId: number; id: number; traceContext: TraceContext | null }[],
): Promise<number> {
  const { count } = await tx`
    insert into emails (account_id, kind, booking_id, waitlist_entry_id, trace_context)
    select entry.account_id, 'waitlist-offer', entry.booking_id, entry.id, offered.trace_context
    from unnest(
      ${entries.map(({ accountId }) => accountId)}::bigint[], ${entries.map(({ id }) => id)}::bigint[],
      ${entries.map((entry) => entry.traceContext)}::text[]
    ) with ordinality as offered (account_id, id, trace_context, place)
    join waitlist_entries as entry on entry.account_id = offered.account_id and entry.id = offered.id
    order by place`
  return count
}

/**
 * If an account's own endpoints, or those of one partner, caused this many e-mails about pauses in 24 hours,
 * a further pause causes none. The limit is needed because the addresses are not verified.
 */
const maxPausedEmails = 20

/**
 * Queues the e-mails about paused webhook endpoints, unless the limit above is reached: to the address of the
 * endpoint, or else to each owner of the account who is not disabled (for a test account, of its live
 * account). Returns how many.
 */
export async function insertPausedEmails(
  tx: Transaction,
  endpoints: readonly { accountId: number; id: number }[],
): Promise<number> {
  const { count } = await tx`
    insert into emails (account_id, kind, details, trace_context)
    select endpoint.account_id, 'webhook-paused', jsonb_build_object('EndpointID', endpoint.id,
      'PartnerID', endpoint.partner_id, 'PausedAt', endpoint.paused_at, 'To', recipient.email), ${traceContext()}
    from unnest(
      ${endpoints.map(({ accountId }) => accountId)}::bigint[], ${endpoints.map(({ id }) => id)}::bigint[]
    ) with ordinality as paused (account_id, id, place)
    join webhook_endpoints as endpoint on endpoint.account_id = paused.account_id and endpoint.id = paused.id
    cross join lateral (
      select endpoint.email where endpoint.email is not null
      union all
      select users.email from users
      where endpoint.email is null and users.account_id = abs(endpoint.account_id) and role = 'owner'
        and disabled_at is null
    ) as recipient
    where (
      select count(*) from emails as earlier
      where earlier.account_id = endpoint.account_id and kind = 'webhook-paused'
        and details -> 'PartnerID' = coalesce(to_jsonb(endpoint.partner_id), 'null')
        and created_at > app_now() - interval '1 day'
    ) < ${maxPausedEmails}
    order by place, recipient.email`
  return count
}

/** Queues a failed e-mail again, and sets its number of tries back to 0. False if it has not failed. */
export async function requeue(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const { count } = await sql`
    update emails set status = 'queued', attempts = 0, next_try_at = app_now(), reason = null,
      lease = null, leased_until = null
    where account_id = ${accountId} and id = ${id} and status = 'failed'`
  return count === 1
}
