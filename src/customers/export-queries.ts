/** The SQL that reads all data of a customer. */
import { type Bought, boughtColumns, peopleAbsent, peopleHere } from '../inventory/service.ts'
import type { TestMessage } from '../messaging/emails/model.ts'
import type { Queryable } from '../platform/postgres/database.ts'
import { operatorReason } from '../sales/booking/desk/queries.ts'
import type { CustomerIdentifier } from './model.ts'
import { isOfCustomer } from './queries.ts'

export type ExportedBookingRow = Bought & {
  id: number
  basketId: number
  reference: string
  status: string
  channel: string
  product: string
  date: string
  time: string
  timeZone: string
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  answers: { QuestionID: number; Question: string | null; Value: unknown }[]
  partner: string | null
  paymentReference: string | null
  reductionMinor: string | null
  reductionReason: string | null
  attendance: string | null
  peopleHere: number
  peopleAbsent: number
  createdAt: Date
  confirmedAt: Date | null
  cancelledAt: Date | null
  cancelReason: string | null
  /** The refund in minor units, as text; null if none was decided. */
  refundMinor: string | null
  internalNotes: string | null
}

/** The customer's bookings, the oldest first, each answer with the current text of its question. */
export function listBookings(sql: Queryable, accountId: number, who: CustomerIdentifier) {
  return sql<ExportedBookingRow[]>`
    select bookings.id, bookings.basket_id as "basketId", bookings.reference, bookings.status, bookings.channel,
      products.name as product, slot.date, slot.time, products.time_zone as "timeZone", ${boughtColumns(sql)},
      bookings.first_name as "firstName", bookings.last_name as "lastName", bookings.email, bookings.phone,
      array(
        select jsonb_build_object('QuestionID', answer->'QuestionID', 'Question', questions.label,
          'Value', answer->'Value')
        from jsonb_array_elements(bookings.answers) with ordinality as given (answer, place)
        left join questions on questions.account_id = bookings.account_id
          and questions.id = (answer->>'QuestionID')::bigint
        order by place
      ) as answers,
      partners.name as partner, coalesce(bookings.payment_reference, baskets.payment_reference) as "paymentReference",
      bookings.reduction_minor::text as "reductionMinor", bookings.reduction_reason as "reductionReason",
      bookings.attendance, ${peopleHere(sql)} as "peopleHere", ${peopleAbsent(sql)} as "peopleAbsent",
      bookings.created_at as "createdAt", bookings.confirmed_at as "confirmedAt",
      bookings.cancelled_at as "cancelledAt", bookings.cancel_reason as "cancelReason",
      bookings.refund_minor::text as "refundMinor", booking_notes.note as "internalNotes"
    from bookings
    left join booking_notes on booking_notes.account_id = bookings.account_id
      and booking_notes.booking_id = bookings.id
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    left join baskets on baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
    left join partners on partners.account_id = bookings.account_id and partners.id = bookings.partner_id
    where bookings.account_id = ${accountId} and ${isOfCustomer(sql, who)}
    order by bookings.id`
}

export type ExportedChangeRow = {
  bookingId: number
  madeAt: Date
  actor: string
  action: string
  details: object
}

export function listChanges(sql: Queryable, accountId: number, bookingIds: number[]) {
  return sql<ExportedChangeRow[]>`
    select event.booking_id as "bookingId", event.occurred_at as "madeAt", event.actor,
      substr(event.type, length('booking.') + 1) as action,
      case when ${operatorReason(sql)} is null then event.details
        else event.details || jsonb_build_object('Reason', ${operatorReason(sql)}) end as details
    from events as event
    join bookings on bookings.account_id = event.account_id and bookings.id = event.booking_id
    where event.account_id = ${accountId} and event.booking_id = any(${bookingIds}::bigint[])
    order by event.number nulls last, event.id`
}

export type ExportedEmailRow = {
  bookingId: number
  kind: string
  status: string
  reason: string | null
  createdAt: Date
  sentAt: Date | null
  /**
   * `Message`: the template of the operator's message to all bookings of a timeslot. `Subject`: the subject
   * that was sent, or its template if the message was not sent.
   */
  own: { Subject?: string; Message?: string } | null
  /** The content of an e-mail of test mode. */
  testMessage: TestMessage | null
}

export function listEmails(sql: Queryable, accountId: number, bookingIds: number[]) {
  return sql<ExportedEmailRow[]>`
    select booking_id as "bookingId", kind, status, reason, created_at as "createdAt", sent_at as "sentAt",
      test_message as "testMessage",
      (select jsonb_object_agg(key, value) from jsonb_each(details) where key in ('Subject', 'Message')) as own
    from emails
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])
    order by id`
}

export type WaitRow = { bookingId: number; status: string; createdAt: Date; offeredAt: Date | null }

export function listWaits(sql: Queryable, accountId: number, bookingIds: number[]) {
  return sql<WaitRow[]>`
    select booking_id as "bookingId", status, created_at as "createdAt", offered_at as "offeredAt"
    from waitlist_entries
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])
    order by id`
}

export type ExportedPaymentRow = {
  basketId: number
  type: string
  amount: string
  currency: string
  reference: string | null
  outcome: string
  receivedAt: Date
  refundedAt: Date | null
}

export function listPayments(sql: Queryable, accountId: number, basketIds: number[]) {
  return sql<ExportedPaymentRow[]>`
    select basket_id as "basketId", type, amount, currency, reference, outcome, received_at as "receivedAt",
      refunded_at as "refundedAt"
    from payment_events
    where account_id = ${accountId} and basket_id = any(${basketIds}::bigint[])
    order by received_at, event_id`
}

export type ExportedLedgerRow = {
  basketId: number
  kind: string
  method: string
  amount: string
  currency: string
  reference: string | null
  madeAt: Date
}

/** The payments and refunds of baskets. */
export function listLedger(sql: Queryable, accountId: number, basketIds: number[]) {
  return sql<ExportedLedgerRow[]>`
    select basket_id as "basketId", kind, method, amount_minor::text as amount, currency, reference,
      made_at as "madeAt"
    from payments
    where account_id = ${accountId} and basket_id = any(${basketIds}::bigint[])
    order by id`
}

export type ExportedUndoneRow = {
  basketId: number
  amount: string
  currency: string
  reason: string | null
  undoneAt: Date
}

/**
 * Refunds of baskets that were marked as paid back, and whose mark was removed because the money was not paid
 * back.
 */
export function listUndoneRefunds(sql: Queryable, accountId: number, basketIds: number[]) {
  return sql<ExportedUndoneRow[]>`
    select basket_id as "basketId", amount, currency, reason, undone_at as "undoneAt"
    from undone_refunds
    where account_id = ${accountId} and basket_id = any(${basketIds}::bigint[])
    order by id`
}

/** When an address was unsubscribed from the e-mails that follow an activity; null when it was not. */
export async function findOptOut(sql: Queryable, accountId: number, hash: Buffer): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }[]>`
    select created_at as "createdAt" from email_optouts
    where account_id = ${accountId} and address_hash = ${hash}`
  return row?.createdAt ?? null
}

/** The promotions that a customer used, found by the hash of their address or by their baskets. */
export function listPromotionUses(
  sql: Queryable,
  accountId: number,
  { hash, basketIds }: { hash: Buffer | null; basketIds: number[] },
) {
  return sql<{ code: string; usedAt: Date }[]>`
    select promotions.code, use.created_at as "usedAt"
    from promotion_uses as use
    join promotions on promotions.account_id = use.account_id and promotions.id = use.promotion_id
    where use.account_id = ${accountId}
      and (use.customer_hash = ${hash} or use.basket_id = any(${basketIds}::bigint[]))
    order by use.created_at, use.basket_id`
}
