/**
 * All SQL of the reservations that resellers see. A reseller sees the reservations that it made. A key without a
 * partner sees those that were made without a partner.
 */
import { hasArrived } from '../../events/queries.ts'
import type { ContactMore } from '../../inventory/hold-model.ts'
import { type BookingStatus, type Bought, boughtColumns, peopleHere } from '../../inventory/service.ts'
import type { Fragment, Queryable } from '../../platform/postgres/database.ts'
import type { Answers } from '../../sales/booking/answers.ts'
import type { Viewer } from '../../sales/booking/partner/queries.ts'

/** A ticket of a reservation. Instants are text, as PostgreSQL writes them in JSON. */
export type ItemRow = {
  number: number
  /** The uuid that the reseller gave the item, or the one that was made for it. */
  uuid: string
  /** The content of its QR code. */
  code: string
  unitId: number
  resellerReference: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  more: ContactMore | null
  redeemedAt: string | null
}

export type OctoReservation = Bought & {
  accountId: number
  /** The partner who made it; 0 for a key without one. */
  resellerId: number
  productId: number
  timeslotId: number
  /** The UUID in OCTO's productId, which is the ActivityID of the product. */
  activity: string
  uuid: string
  reference: string
  status: BookingStatus
  attendance: 'checked-in' | 'no-show' | null
  /**
   * When the hold expires or expired. For a released hold: when the tickets became void. Means nothing for a
   * confirmed booking.
   */
  expiresAt: Date | null
  /** Whether the hold has expired, by app_now(). Also true if the booking is no longer held. */
  isOver: boolean
  createdAt: Date
  updatedAt: Date
  confirmedAt: Date | null
  /** How many of the party are checked in, and the times of the first and the last check-in. */
  peopleHere: number
  firstCheckedInAt: Date | null
  lastCheckedInAt: Date | null
  /** Whether its cut-off has passed, so that the reseller cannot cancel it once it is confirmed. */
  cutoffPassed: boolean
  cancelledAt: Date | null
  cancelReason: 'operator' | 'partner' | 'customer' | 'closure' | null
  cancelNote: string | null
  /** An exact decimal, as text. */
  refundMinor: string | null
  resellerReference: string | null
  notes: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  more: ContactMore | null
  answers: Answers
  /** In the order of their numbers. If the booking has ended, the items that it had at the end. */
  items: ItemRow[]
}

/** A condition on rows of reservations named `own`. Reseller 0 is a key without a partner. */
function isOwn(sql: Queryable, { accountId, partnerId }: Viewer) {
  return sql`own.account_id = ${accountId} and own.reseller_id = ${partnerId ?? 0}`
}

/** @param own a query in parentheses that selects rows of `reservations`. */
function selectReservations(sql: Queryable, own: Fragment) {
  return sql`
    select own.account_id as "accountId", own.reseller_id as "resellerId", slot.product_id as "productId", slot.id as "timeslotId", products.activity_id as activity, own.uuid, bookings.reference, bookings.status, bookings.attendance,
      coalesce(baskets.expires_at, item.ended_at) as "expiresAt", coalesce(baskets.expires_at <= app_now(), true) as "isOver",
      bookings.created_at as "createdAt", bookings.updated_at as "updatedAt", bookings.confirmed_at as "confirmedAt",
      ${peopleHere(sql)} as "peopleHere", checked_in.first_at as "firstCheckedInAt", checked_in.last_at as "lastCheckedInAt",
      slot.starts_at - make_interval(mins => products.cancel_cutoff_minutes) < app_now() as "cutoffPassed",
      bookings.cancelled_at as "cancelledAt", bookings.cancel_reason as "cancelReason",
      bookings.cancel_note as "cancelNote", bookings.refund_minor::text as "refundMinor",
      bookings.payment_reference as "resellerReference", own.notes, bookings.first_name as "firstName",
      bookings.last_name as "lastName", bookings.email, bookings.phone, own.contact as more, bookings.answers,
      ${boughtColumns(sql)}, item.list as items
    from ${own} as own
    join bookings on bookings.account_id = own.account_id and bookings.id = own.booking_id
    left join lateral (
      select min(occurred_at) as first_at, max(occurred_at) as last_at from events
      where events.account_id = bookings.account_id and events.booking_id = bookings.id
        and events.type = 'booking.checked-in' and ${hasArrived(sql, sql`events`)} and events.id > coalesce((
          select max(ending.id) from events as ending
          where ending.account_id = bookings.account_id and ending.booking_id = bookings.id
            and ending.type in ('booking.no-show', 'booking.attendance-cleared', 'booking.moved')
        ), 0)
    ) as checked_in on bookings.attendance = 'checked-in'
    -- A reservation has a basket only while it is held.
    left join baskets on baskets.account_id = bookings.account_id and baskets.id = bookings.basket_id
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    cross join lateral (
      -- The tickets that a booking has when it ends become void at the same instant, which is later than the instants at
      -- which it lost other tickets before. So the tickets with the latest voided_at are those that it had at its end.
      select coalesce(json_agg(json_build_object('number', number, 'uuid', coalesce(reseller_uuid, uuid), 'code', uuid,
        'unitId', unit_id, 'resellerReference', reseller_reference, 'firstName', first_name, 'lastName', last_name,
        'email', email, 'phone', phone, 'more', contact, 'redeemedAt', redeemed_at) order by number), '[]') as list,
        max(voided_at) as ended_at
      from (
        select *, coalesce(voided_at, 'infinity') = max(coalesce(voided_at, 'infinity')) over () as is_last
        from tickets
        where tickets.account_id = bookings.account_id and tickets.booking_id = bookings.id
      ) as ticket
      where is_last
    ) as item
    order by bookings.created_at desc, bookings.id desc`
}

/** Names a reservation by its reseller and the uuid that the reseller uses. */
export type ReservationName = Viewer & { uuid: string }

/** The reservation for each name, in order; undefined if there is none. */
export async function findReservations(
  sql: Queryable,
  names: readonly ReservationName[],
): Promise<(OctoReservation | undefined)[]> {
  const own = sql`(
    select own.* from unnest(
      ${names.map(({ accountId }) => accountId)}::bigint[],
      ${names.map(({ partnerId }) => partnerId ?? 0)}::bigint[],
      ${names.map(({ uuid }) => uuid)}::uuid[]
    ) as name (account_id, reseller_id, uuid)
    join reservations as own on own.account_id = name.account_id and own.reseller_id = name.reseller_id
      and own.uuid = name.uuid
  )`
  const rows = await sql<OctoReservation[]>`${selectReservations(sql, own)}`
  const found = new Map(rows.map((row) => [`${row.accountId} ${row.resellerId} ${row.uuid}`, row]))
  return names.map(({ accountId, partnerId, uuid }) => {
    return found.get(`${accountId} ${partnerId ?? 0} ${uuid.toLowerCase()}`)
  })
}

/** Days are local days of the timeslots, both included. Null matches everything. */
export type ReservationFilter = {
  resellerReference: string | null
  reference: string | null
  days: { from: string; to: string } | null
  activity: string | null
}

const maxReservations = 500
// A booking may have a thousand items, and the response repeats the whole unit for each of them.
const maxItems = 5000

/**
 * The reservations that match, newest first: at most 500. The response repeats all units of the product for
 * each reservation, so the list ends when the total of items and repeated units reaches 5000.
 */
export function listReservations(sql: Queryable, reseller: Viewer, filter: ReservationFilter) {
  const { resellerReference, reference, days, activity } = filter
  const own = sql`(
    select account_id, booking_id, reseller_id, uuid, notes, contact from (
      select newest.*,
        sum(size.items) over (order by created_at desc, booking_id desc) - size.items as items_before
      from (
        select own.*, bookings.created_at, slot.product_id
        from reservations as own
        join bookings on bookings.account_id = own.account_id and bookings.id = own.booking_id
        join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
        join products on products.account_id = slot.account_id and products.id = slot.product_id
        where ${isOwn(sql, reseller)}
          ${resellerReference === null ? sql`` : sql`and bookings.payment_reference = ${resellerReference}`}
          ${reference === null ? sql`` : sql`and bookings.reference = ${reference}`}
          ${days === null ? sql`` : sql`and slot.date between ${days.from} and ${days.to}`}
          ${activity === null ? sql`` : sql`and products.activity_id = ${activity}`}
        order by bookings.created_at desc, bookings.id desc
        limit ${maxReservations}
      ) as newest
      cross join lateral (
        select (
          select count(*) from tickets
          where tickets.account_id = newest.account_id and tickets.booking_id = newest.booking_id
        ) + (
          select count(*) from units
          where units.account_id = newest.account_id and units.product_id = newest.product_id
        ) as items
      ) as size
    ) as counted
    where items_before < ${maxItems}
  )`
  return sql<OctoReservation[]>`${selectReservations(sql, own)}`
}
