/**
 * The SQL of the outbox and of unsubscribing. lease-queries.ts contains the SQL of leases, and facts.ts the
 * SQL that reads the data for each e-mail.
 */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { type TraceContext, traceContext } from '../../platform/tracing/tracing.ts'
import type { EmailKind, EmailStatus, TestMessage } from './model.ts'

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

export type EmailRow = {
  id: number
  kind: EmailKind
  status: EmailStatus
  /**
   * The fixed address of a test or of an e-mail about a pause; else the current address of the booking, even
   * after sending.
   */
  to: string | null
  /**
   * The subject as it was sent. Null before that, after the customer is erased, and for e-mails that earlier versions
   * sent.
   */
  subject: string | null
  bookingReference: string | null
  workflowId: number | null
  workflowName: string | null
  waitlistEntryId: number | null
  attempts: number
  nextTryAt: Date
  reason: string | null
  createdAt: Date
  sentAt: Date | null
}

export type EmailFilter = {
  status?: EmailStatus | undefined
  kind?: EmailKind | undefined
  bookingReference?: string | undefined
  /** Only e-mails with an id below this. */
  before: number | null
  limit: number
}

/** Newest first. */
export function listEmails(sql: Queryable, accountId: number, filter: EmailFilter): Promise<EmailRow[]> {
  const { status, kind, bookingReference, before, limit } = filter
  return sql<EmailRow[]>`
    select ${emailColumns(sql)}
    ${emailSources(sql)}
    where emails.account_id = ${accountId}
      ${before === null ? sql`` : sql`and emails.id < ${before}`}
      ${status === undefined ? sql`` : sql`and emails.status = ${status}`}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${
        bookingReference === undefined
          ? sql``
          : sql`and booking_id = (
              select id from bookings where account_id = ${accountId} and reference = ${bookingReference})`
      }
    order by emails.id desc limit ${limit}`
}

export async function findEmail(sql: Queryable, accountId: number, id: number): Promise<EmailRow | null> {
  const [email] = await sql<EmailRow[]>`
    select ${emailColumns(sql)}
    ${emailSources(sql)}
    where emails.account_id = ${accountId} and emails.id = ${id}`
  return email ?? null
}

/** The content of an e-mail of a test account. Null before it is sent, and for e-mails of live accounts. */
export async function findTestMessage(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<TestMessage | null> {
  const [email] = await sql<{ message: TestMessage | null }[]>`
    select test_message as message from emails where account_id = ${accountId} and id = ${id}`
  return email?.message ?? null
}

function emailColumns(sql: Queryable) {
  return sql`emails.id, kind, emails.status, coalesce(details ->> 'To', email) as "to",
    ${sentSubject(sql)} as subject, reference as "bookingReference", workflow_id as "workflowId", workflows.name as "workflowName",
    waitlist_entry_id as "waitlistEntryId", attempts, next_try_at as "nextTryAt", reason,
    emails.created_at as "createdAt", sent_at as "sentAt"`
}

// Before a message to a timeslot is sent, its `Subject` is the template. Earlier versions kept the template after
// sending, too.
function sentSubject(sql: Queryable) {
  return sql`case when emails.status = 'sent' and not (kind = 'message' and details ->> 'Subject' like '%{%')
    then details ->> 'Subject' end`
}

function emailSources(sql: Queryable) {
  return sql`from emails
    left join bookings on bookings.account_id = emails.account_id and bookings.id = booking_id
    left join workflows on workflows.account_id = emails.account_id and workflows.id = workflow_id`
}

/** E-mails that are overdue; `oldest` is when the first of them was due. */
export type Overdue = { emails: number; oldest: Date | null }

export async function findOverdue(sql: Queryable, accountId: number): Promise<Overdue> {
  const [row] = await sql<Overdue[]>`
    select count(*) as emails, min(next_try_at) as oldest from emails
    where account_id = ${accountId} and status = 'queued' and next_try_at <= app_now()`
  return row!
}

/**
 * One row: the overdue e-mails of all live accounts, and for how many seconds the oldest has been due (0 if there is
 * none).
 */
export function sumOverdue(sql: Queryable) {
  return sql<{ emails: number; oldestSeconds: number }[]>`
    select count(*) as emails,
      coalesce(extract(epoch from app_now() - min(next_try_at)), 0)::float8 as "oldestSeconds"
    from emails where account_id > 0 and status = 'queued' and next_try_at <= (select app_now())`
}

/** Queues a failed e-mail again, and sets its number of tries back to 0. False if it has not failed. */
export async function requeue(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const { count } = await sql`
    update emails set status = 'queued', attempts = 0, next_try_at = app_now(), reason = null,
      lease = null, leased_until = null
    where account_id = ${accountId} and id = ${id} and status = 'failed'`
  return count === 1
}
