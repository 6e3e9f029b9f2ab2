/**
 * The SQL that finds a customer's bookings and erases their data. response-queries.ts does so in stored responses, and
 * export-queries.ts reads data for export.
 */
import { endsAt } from '../inventory/on-sale.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import type { Erasure } from './erasure-queries.ts'
import { type CustomerIdentifier, erasedName, erasedReason } from './model.ts'

/** Whether a row of `bookings` belongs to this customer. At least one identifier is given. */
export function isOfCustomer(sql: Queryable, { email, phone, reference }: CustomerIdentifier) {
  return sql`(false
    ${email === null ? sql`` : sql`or lower(bookings.email) = lower(${email})`}
    ${phone === null ? sql`` : sql`or bookings.phone = ${phone}`}
    ${reference === null ? sql`` : sql`or bookings.reference = ${reference}`})`
}

/**
 * Whether a booking prevents an erasure: `pending` is held or on the waitlist, `upcoming` is confirmed and
 * not over.
 */
const phase = (sql: Queryable) => sql`
  case when bookings.status in ('held', 'waitlisted') then 'pending'
    when bookings.status = 'confirmed'
      and ${endsAt(sql)} > (select app_now()) then 'upcoming'
    else 'over' end`

const withSlots = (sql: Queryable) => sql`
  bookings
  join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
  join products on products.account_id = slot.account_id and products.id = slot.product_id`

export type CustomerBookings = { reference: string; phase: 'pending' | 'upcoming' | 'over' }

/** The customer's bookings that are not erased, the oldest first. */
export function listCustomerBookings(sql: Queryable, accountId: number, who: CustomerIdentifier) {
  return sql<CustomerBookings[]>`
    select bookings.reference, ${phase(sql)} as phase from ${withSlots(sql)}
    where bookings.account_id = ${accountId} and ${isOfCustomer(sql, who)} and bookings.erasure_id is null
    order by bookings.id`
}

/** Locks some of the customer's bookings that can be erased, in the order of their ids. Returns the ids. */
export async function lockErasable(
  tx: Transaction,
  accountId: number,
  who: CustomerIdentifier,
  { includeUpcoming, limit }: { includeUpcoming: boolean; limit: number },
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select bookings.id from ${withSlots(tx)}
    where bookings.account_id = ${accountId} and ${isOfCustomer(tx, who)} and bookings.erasure_id is null
      and ${phase(tx)} = any(${includeUpcoming ? ['over', 'upcoming'] : ['over']}::text[])
    order by bookings.id limit ${limit}
    for update of bookings`
  return rows.map(({ id }) => id)
}

export type ErasedBooking = {
  id: number
  basketId: number
  timeslotId: number
  partnerId: number | null
  channel: 'partner' | 'online' | 'pos'
  hasTickets: boolean
}

/**
 * Erases the customer of locked bookings, with answers, notes and typed reasons, and adds the number of
 * bookings to the erasure. Other data of the bookings stays. Returns the bookings.
 * @param showUpdate whether UpdatedAt of the bookings changes.
 */
export async function eraseBookings(
  tx: Transaction,
  { accountId, id }: Erasure,
  bookingIds: number[],
  { showUpdate }: { showUpdate: boolean },
): Promise<ErasedBooking[]> {
  const erased = await tx<ErasedBooking[]>`
    update bookings set first_name = ${erasedName.firstName}, last_name = ${erasedName.lastName}, email = null,
      phone = null, answers = '[]', cancel_note = null, reduction_reason = null, erasure_id = ${id}
      ${showUpdate ? tx`, updated_at = now()` : tx``}
    where account_id = ${accountId} and id = any(${bookingIds}::bigint[])
    returning id, basket_id as "basketId", timeslot_id as "timeslotId", partner_id as "partnerId", channel,
      has_tickets as "hasTickets"`
  await deleteWords(tx, accountId, bookingIds)
  await tx`
    update promotion_uses set customer_hash = null
    where account_id = ${accountId} and basket_id = any(${erased.map(({ basketId }) => basketId)}::bigint[])
      and customer_hash is not null`
  await tx`
    update undone_refunds set reason = null
    where account_id = ${accountId} and basket_id = any(${erased.map(({ basketId }) => basketId)}::bigint[])
      and reason is not null`
  await tx`
    delete from booking_notes where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])`
  // No more e-mails can be sent to this customer, so the rows that prevent a second e-mail are not needed.
  await tx`
    delete from workflow_runs using workflows
    where workflows.account_id = ${accountId} and workflow_runs.account_id = ${accountId}
      and workflow_runs.workflow_id = workflows.id and workflow_runs.booking_id = any(${bookingIds}::bigint[])`
  // Another process may have marked this erasure as finished with fewer bookings, so mark it as unfinished
  // again.
  await tx`
    update erasures set bookings = bookings + ${bookingIds.length}, finished_at = null
    where account_id = ${accountId} and id = ${id}`
  return erased
}

/** Deletes the search words of bookings. The worker writes the words of the remaining data again. */
export async function deleteWords(tx: Transaction, accountId: number, bookingIds: number[]): Promise<void> {
  await tx`
    delete from booking_words where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])`
}

/**
 * Deletes an address from the uses of promotions. eraseBookings() does not find the uses of baskets whose
 * customer was changed after the payment.
 */
export async function clearUses(sql: Queryable, accountId: number, hash: Buffer): Promise<void> {
  await sql`
    update promotion_uses set customer_hash = null where account_id = ${accountId} and customer_hash = ${hash}`
}

/** Deletes the e-mails to an address that users sent to test a workflow. Returns their message ids. */
export async function deleteTestsTo(sql: Queryable, accountId: number, email: string): Promise<string[]> {
  const rows = await sql<{ messageId: string }[]>`
    delete from emails
    where account_id = ${accountId} and kind = 'test' and lower(details->>'To') = lower(${email})
    returning message_id as "messageId"`
  return rows.map(({ messageId }) => messageId)
}

/** The ids of the next bookings of an erasure: those after the id `after`, in order, at most `limit`. */
export async function listErased(
  sql: Queryable,
  { accountId, id }: Erasure,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from bookings
    where account_id = ${accountId} and erasure_id = ${id} and id > ${after}
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/**
 * Clears the e-mails about erased bookings: removes their subjects and texts, drops queued e-mails, and
 * replaces the reason of e-mails that were not sent, which may contain the address. If an e-mail is leased or
 * locked, a worker may be sending it: it is skipped and counted as `busy`.
 */
export async function clearEmails(tx: Transaction, accountId: number, bookingIds: number[]) {
  const found = await tx<{ id: number; messageId: string; isLocked: boolean }[]>`
    with locked as (
      select id from emails
      where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])
        and (leased_until is null or leased_until <= app_now())
      for update skip locked
    )
    select id, message_id as "messageId", id in (select id from locked) as "isLocked" from emails
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])`
  const locked = found.filter(({ isLocked }) => isLocked)
  const { count } = await tx`
    update emails set status = case when status = 'queued' then 'dropped' else status end,
      reason = case when status <> 'sent' then ${erasedReason} end, details = details - '{Message,Subject}'::text[],
      test_message = null, lease = null, leased_until = null
    where account_id = ${accountId} and id = any(${locked.map(({ id }) => id)}::bigint[])
      and (status = 'queued' or reason <> ${erasedReason} or details ?| '{Message,Subject}'::text[]
        or test_message is not null)`
  return {
    cleared: count,
    busy: found.length - locked.length,
    messageIds: locked.map(({ messageId }) => messageId),
  }
}
