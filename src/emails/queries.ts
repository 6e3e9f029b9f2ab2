/** All SQL of e-mails: the outbox, what each is about, and the addresses that want no more. */
import type { Queryable, Transaction } from '../platform/database.ts'
import type { EmailKind, EmailStatus } from './model.ts'

export type Email = {
  accountId: number
  id: number
  kind: EmailKind
  workflowId: number | null
  bookingId: number | null
  waitlistEntryId: number | null
  details: Record<string, unknown>
  messageId: string
  /** How often it was tried. */
  attempts: number
}

/** Locks the e-mail that has been due for longest and that nobody else holds; null when there is none. */
export async function lockDueEmail(tx: Transaction): Promise<Email | null> {
  const [email] = await tx<Email[]>`
    select account_id as "accountId", id, kind, workflow_id as "workflowId", booking_id as "bookingId",
      waitlist_entry_id as "waitlistEntryId", details, message_id as "messageId", attempts
    from emails
    where status = 'queued' and next_try_at <= (select app_now())
    order by next_try_at limit 1
    for update skip locked`
  return email ?? null
}

export type BookingFacts = {
  id: number
  reference: string
  status: string
  attendance: string | null
  participants: number
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  productId: number
  productName: string
  durationMinutes: number
  timeZone: string
  date: string
  time: string
  startsAt: Date
  /** Wall clock text of the product's zone, `YYYY-MM-DDTHH:MM:SS`, as is `localEnd`. */
  localStart: string
  endsAt: Date
  localEnd: string
}

export type WorkflowFacts = {
  trigger: 'booking-confirmed' | 'booking-cancelled' | 'before-start' | 'after-end'
  offsetMinutes: number
  subject: string
  body: string
  active: boolean
}

export type OfferFacts = {
  /** Whether the places are still held for whoever it was offered to. */
  stands: boolean
  /** Wall clock text of the product's zone, `YYYY-MM-DD HH:MM`. */
  localUntil: string | null
}

/** By the database's clock. */
export async function findNow(sql: Queryable): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select app_now() as now`
  return row!.now
}

export async function findAccountName(sql: Queryable, accountId: number): Promise<string> {
  const [account] = await sql<{ name: string }[]>`select name from accounts where account_id = ${accountId}`
  return account!.name
}

/** A booking by its id or its reference, with all that words can be made of; null when there is none. */
export async function findBookingFacts(
  sql: Queryable,
  accountId: number,
  key: { id: number } | { reference: string },
): Promise<BookingFacts | null> {
  const wanted = 'id' in key ? sql`bookings.id = ${key.id}` : sql`bookings.reference = ${key.reference}`
  const [booking] = await sql<BookingFacts[]>`
    select bookings.id, reference, bookings.status, attendance, participants, first_name as "firstName",
      last_name as "lastName", email, phone, products.id as "productId", products.name as "productName",
      duration_minutes as "durationMinutes", time_zone as "timeZone", date, time, starts_at as "startsAt",
      ${wallClock(sql, sql`starts_at`)} as "localStart", ends_at as "endsAt",
      ${wallClock(sql, sql`ends_at`)} as "localEnd"
    from bookings
    join timeslots on timeslots.account_id = bookings.account_id and timeslots.id = timeslot_id
    join products on products.account_id = bookings.account_id and products.id = product_id
    cross join lateral (select starts_at + duration_minutes * interval '1 minute' as ends_at) as computed
    where bookings.account_id = ${accountId} and ${wanted}`
  return booking ?? null
}

function wallClock(sql: Queryable, instant: ReturnType<typeof sql>) {
  return sql`to_char(${instant} at time zone time_zone, 'YYYY-MM-DD"T"HH24:MI:SS')`
}

export async function findWorkflowFacts(sql: Queryable, accountId: number, id: number) {
  const [workflow] = await sql<WorkflowFacts[]>`
    select trigger, offset_minutes as "offsetMinutes", subject, body, active
    from workflows where account_id = ${accountId} and id = ${id}`
  return workflow ?? null
}

/** The words an account confirms bookings of a product with: those for this very product before those for all. */
export async function findConfirmationWords(sql: Queryable, accountId: number, productId: number) {
  const [words] = await sql<{ subject: string; body: string }[]>`
    select subject, body from workflows
    where account_id = ${accountId} and active and trigger = 'booking-confirmed'
      and (product_id = ${productId} or product_id is null)
    order by product_id nulls last, id limit 1`
  return words ?? null
}

/** How the offer of a waitlist entry stands. */
export async function findOfferFacts(sql: Queryable, accountId: number, entryId: number) {
  const [offer] = await sql<OfferFacts[]>`
    select entry.status = 'offered' and baskets.status = 'open' and expires_at > app_now() as stands,
      to_char(expires_at at time zone time_zone, 'YYYY-MM-DD HH24:MI') as "localUntil"
    from waitlist_entries as entry
    join bookings on bookings.account_id = entry.account_id and bookings.id = booking_id
    join baskets on baskets.account_id = entry.account_id and baskets.id = basket_id
    join timeslots on timeslots.account_id = entry.account_id and timeslots.id = bookings.timeslot_id
    join products on products.account_id = entry.account_id and products.id = product_id
    where entry.account_id = ${accountId} and entry.id = ${entryId}`
  return offer ?? null
}

export type MailEvent = {
  meter: 'workflow-email-sent' | 'waitlist-notified'
  extraInfo: Record<string, number>
}

/** Marks a locked e-mail as sent, with the platform event it causes, if any. */
export async function markSent(
  tx: Transaction,
  { accountId, id, attempts }: Email,
  event: MailEvent | null,
): Promise<void> {
  await tx`
    update emails set status = 'sent', sent_at = app_now(), reason = null, attempts = ${attempts}
    where account_id = ${accountId} and id = ${id}`
  if (event)
    await tx`
      insert into platform_events (account_id, meter, extra_info)
      values (${accountId}, ${event.meter}, ${tx.json(event.extraInfo)})`
}

/** Marks a locked e-mail as never to be sent. */
export async function markEnded(
  tx: Transaction,
  { accountId, id, attempts }: Email,
  status: 'failed' | 'dropped',
  reason: string,
): Promise<void> {
  await tx`
    update emails set status = ${status}, reason = ${reason}, attempts = ${attempts}
    where account_id = ${accountId} and id = ${id}`
}

/** Leaves a locked e-mail to be tried in so many seconds. */
export async function postpone(
  tx: Transaction,
  { accountId, id, attempts }: Email,
  seconds: number,
  reason: string,
): Promise<void> {
  await tx`
    update emails set attempts = ${attempts}, reason = ${reason},
      next_try_at = app_now() + ${seconds} * interval '1 second'
    where account_id = ${accountId} and id = ${id}`
}

/** Lets a workflow act on a booking again, as if it had not; with its e-mail locked and not sent. */
export async function deleteRun(tx: Transaction, { accountId, workflowId, bookingId }: Email): Promise<void> {
  await tx`
    delete from workflow_runs
    where account_id = ${accountId} and workflow_id = ${workflowId} and booking_id = ${bookingId}`
}

export async function isOptedOut(sql: Queryable, accountId: number, hash: Buffer): Promise<boolean> {
  const [found] = await sql`
    select from email_optouts where account_id = ${accountId} and address_hash = ${hash}`
  return found !== undefined
}

/** Again changes nothing. */
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
    insert into emails (account_id, kind, workflow_id, booking_id, details)
    values (${accountId}, 'test', ${workflowId}, ${bookingId}, ${tx.json({ To: to })})
    returning id`
  return made!.id
}

export type EmailRow = {
  id: number
  kind: EmailKind
  status: EmailStatus
  bookingReference: string | null
  workflowId: number | null
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
  /** Only those made before this one. */
  before: number | null
  limit: number
}

/** Newest first. */
export function listEmails(sql: Queryable, accountId: number, filter: EmailFilter): Promise<EmailRow[]> {
  const { status, kind, bookingReference, before, limit } = filter
  return sql<EmailRow[]>`
    select ${emailColumns(sql)}
    from emails left join bookings on bookings.account_id = emails.account_id and bookings.id = booking_id
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
    from emails left join bookings on bookings.account_id = emails.account_id and bookings.id = booking_id
    where emails.account_id = ${accountId} and emails.id = ${id}`
  return email ?? null
}

function emailColumns(sql: Queryable) {
  return sql`emails.id, kind, emails.status, reference as "bookingReference", workflow_id as "workflowId",
    waitlist_entry_id as "waitlistEntryId", attempts, next_try_at as "nextTryAt", reason,
    emails.created_at as "createdAt", sent_at as "sentAt"`
}

/** Queues a failed e-mail anew, with all its tries; false when it has not failed. */
export async function requeue(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const { count } = await sql`
    update emails set status = 'queued', attempts = 0, next_try_at = app_now(), reason = null
    where account_id = ${accountId} and id = ${id} and status = 'failed'`
  return count === 1
}
