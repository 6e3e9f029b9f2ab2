/** The SQL that reads bookings for the operator, and the history and e-mails of a booking. */

import { liveAccountOf } from '../../../accounts/model.ts'
import type { OpeningPeriod } from '../../../catalogue/opening-hours.ts'
import type { Actor } from '../../../events/actor.ts'
import { unnestKeys } from '../../../inventory/lock-queries.ts'
import {
  type BookingStatus,
  type Bought,
  boughtColumns,
  peopleAbsent,
  peopleHere,
} from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'

/** `localStart` is `startsAt` in the product's time zone, as `YYYY-MM-DDTHH:MM:SS`. */
export type BookingRow = Bought & {
  accountId: number
  id: number
  reference: string
  status: BookingStatus
  channel: 'partner' | 'online' | 'pos'
  productId: number
  activity: string
  productName: string
  timeslotId: number
  date: string
  time: string
  startsAt: Date
  localStart: string
  /** Null unless its timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  answers: { QuestionID: number; Value: string | string[] }[]
  partnerId: number | null
  partnerName: string | null
  paymentReference: string | null
  basketId: number
  /** When its hold expires; null unless it is held. */
  heldUntil: Date | null
  /** The notes of its reseller, if any. */
  notes: string | null
  /** The notes of the operator's users, if any. */
  internalNotes: string | null
  /** The till's reduction, which is included in `discountMinor`. */
  reductionMinor: string | null
  reductionReason: string | null
  attendance: 'checked-in' | 'no-show' | null
  /** How many of the party are checked in. */
  peopleHere: number
  /** How many of the party did not come. */
  peopleAbsent: number
  createdAt: Date
  /** The same in microseconds, the precision of the database. */
  createdMicros: number
  confirmedAt: Date | null
  updatedAt: Date
  cancelledAt: Date | null
  cancelReason: 'operator' | 'partner' | 'customer' | 'closure' | null
  /** Exact, as text. */
  refundMinor: string | null
}

export const selectBookings = (sql: Queryable) =>
  sql`select ${bookingColumns(sql)} from bookings ${withOthers(sql)}`

const bookingColumns = (sql: Queryable) => sql`
  bookings.account_id as "accountId", bookings.id, bookings.reference, bookings.status, bookings.channel,
    products.id as "productId",
    products.activity_id as activity, products.name as "productName", slot.id as "timeslotId", slot.date,
    slot.time, slot.starts_at as "startsAt",
    to_char(slot.starts_at at time zone products.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS') as "localStart",
    slot.opening_hours as "openingHours", ${boughtColumns(sql)}, bookings.first_name as "firstName", bookings.last_name as "lastName",
    bookings.email, bookings.phone, bookings.answers, bookings.partner_id as "partnerId",
    partners.name as "partnerName",
    coalesce(bookings.payment_reference, baskets.payment_reference) as "paymentReference",
    bookings.basket_id as "basketId", case when bookings.status = 'held' then baskets.expires_at end as "heldUntil",
    reservations.notes, booking_notes.note as "internalNotes",
    bookings.reduction_minor::text as "reductionMinor", bookings.reduction_reason as "reductionReason",
    bookings.attendance, ${peopleHere(sql)} as "peopleHere", ${peopleAbsent(sql)} as "peopleAbsent",
    bookings.created_at as "createdAt",
    (extract(epoch from bookings.created_at) * 1000000)::bigint as "createdMicros",
    bookings.confirmed_at as "confirmedAt", bookings.updated_at as "updatedAt",
    bookings.cancelled_at as "cancelledAt", bookings.cancel_reason as "cancelReason",
    bookings.refund_minor::text as "refundMinor"`

const withOthers = (sql: Queryable) => sql`
  join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
  join products on products.account_id = slot.account_id and products.id = slot.product_id
  left join baskets on baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
  left join reservations on bookings.has_tickets and reservations.account_id = bookings.account_id
    and reservations.booking_id = bookings.id
  left join booking_notes on booking_notes.account_id = bookings.account_id
    and booking_notes.booking_id = bookings.id
  left join partners on partners.account_id = bookings.account_id and partners.id = bookings.partner_id`

/** The account's booking with this reference; null if there is none. */
export async function findBooking(sql: Queryable, accountId: number, reference: string) {
  const [booking] = await sql<BookingRow[]>`
    ${selectBookings(sql)}
    where bookings.account_id = ${accountId} and bookings.reference = ${reference}`
  return booking ?? null
}

/** Bookings by account and id, in any order. Unknown bookings are left out. */
export function listBookingsByKeys(
  sql: Queryable,
  keys: readonly { accountId: number; id: number }[],
): Promise<BookingRow[]> {
  return sql<BookingRow[]>`
    select ${bookingColumns(sql)} from ${unnestKeys(sql, keys)}
    join bookings on bookings.account_id = key.account_id and bookings.id = key.id
    ${withOthers(sql)}`
}

/** Confirmed bookings of a local day or of a timeslot, by time, timeslot and name. */
export function listParties(
  sql: Queryable,
  accountId: number,
  of: { date: string } | { timeslotId: number },
  limit: number,
): Promise<BookingRow[]> {
  const those = 'date' in of ? sql`slot.date = ${of.date}` : sql`bookings.timeslot_id = ${of.timeslotId}`
  return sql<BookingRow[]>`
    ${selectBookings(sql)}
    where bookings.account_id = ${accountId} and ${those} and bookings.status = 'confirmed'
    order by slot.time, slot.id, lower(bookings.last_name), bookings.id
    limit ${limit}`
}

export type BookingChangeRow = {
  action: string
  madeAt: Date
  actor: Actor['kind']
  actorId: number | null
  actorName: string | null
  details: object
}

/**
 * A column with the operator's reason for a cancellation or a reduction. The booking stores the reason, the
 * event does not.
 */
export function operatorReason(sql: Queryable) {
  return sql`(case event.type when 'booking.cancelled' then cancel_note when 'booking.reduced' then reduction_reason end)`
}

/** The history of a booking, oldest first. A key is named by its partner, and a user by e-mail address. */
export function listChanges(sql: Queryable, accountId: number, bookingId: number) {
  return sql<BookingChangeRow[]>`
    select substr(event.type, length('booking.') + 1) as action, event.occurred_at as "madeAt", event.actor,
      event.actor_id as "actorId", coalesce(partners.name, users.email) as "actorName",
      case when ${operatorReason(sql)} is null then event.details
        else event.details || jsonb_build_object('Reason', ${operatorReason(sql)}) end as details
    from events as event
    join bookings on bookings.account_id = event.account_id and bookings.id = event.booking_id
    left join api_keys on event.actor = 'key' and api_keys.account_id = event.account_id
      and api_keys.id = event.actor_id
    left join partners on partners.account_id = event.account_id
      and partners.id = case event.actor when 'partner' then event.actor_id else api_keys.partner_id end
    left join users on event.actor = 'user' and users.account_id = ${liveAccountOf(accountId)}
      and users.id = event.actor_id
    where event.account_id = ${accountId} and event.booking_id = ${bookingId}
    -- Events without a number are the newest.
    order by event.number nulls last, event.id`
}

export type BookingEmailRow = {
  kind: string
  /** The name of its workflow, while the workflow exists. */
  workflow: string | null
  status: 'queued' | 'sent' | 'failed' | 'dropped'
  createdAt: Date
  sentAt: Date | null
}

/** The e-mails about a booking, oldest first. */
export function listEmails(sql: Queryable, accountId: number, bookingId: number) {
  return sql<BookingEmailRow[]>`
    select kind, workflows.name as workflow, status, emails.created_at as "createdAt", sent_at as "sentAt"
    from emails
    left join workflows on workflows.account_id = emails.account_id and workflows.id = workflow_id
    where emails.account_id = ${accountId} and booking_id = ${bookingId}
    order by emails.id`
}
