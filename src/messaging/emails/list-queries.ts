/** The SQL that reads the outbox for lists, pages and gauges. */
import type { Queryable } from '../../platform/postgres/database.ts'
import type { EmailKind, EmailStatus, TestMessage } from './model.ts'

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
