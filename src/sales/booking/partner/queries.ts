/**
 * The SQL that reads bookings as partners see them, except for OCTO. A partner sees its own bookings. A key without a
 * partner sees the bookings that keys without a partner made. Changes are in the order of the event log.
 */

import type { Caller } from '../../../accounts/service.ts'
import { unnestKeys } from '../../../inventory/lock-queries.ts'
import { type BookingStatus, type Bought, boughtColumns } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ListPosition } from '../model.ts'

export type Viewer = Pick<Caller, 'accountId' | 'partnerId'>

export type OwnBooking = Bought & {
  accountId: number
  id: number
  reference: string
  status: BookingStatus
  activity: string
  date: string
  time: string
  paymentReference: string | null
  attendance: 'checked-in' | 'no-show' | null
  createdAt: Date
  /** The same in microseconds, the precision of the database. */
  createdMicros: number
  updatedAt: Date
  cancelledAt: Date | null
  cancelReason: 'operator' | 'partner' | 'customer' | 'closure' | null
  /** Exact, as text. */
  refundMinor: string | null
}

const ownColumns = (sql: Queryable) => sql`
  bookings.account_id as "accountId", bookings.id, reference, bookings.status, products.activity_id as activity, slot.date, slot.time,
  ${boughtColumns(sql)}, payment_reference as "paymentReference", attendance, bookings.created_at as "createdAt",
  (extract(epoch from bookings.created_at) * 1000000)::bigint as "createdMicros",
  bookings.updated_at as "updatedAt", cancelled_at as "cancelledAt", cancel_reason as "cancelReason",
  refund_minor::text as "refundMinor"`

const withSlots = (sql: Queryable) => sql`
  join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
  join products on products.account_id = slot.account_id and products.id = slot.product_id`

const selectOwn = (sql: Queryable, viewer: Viewer) => sql`
  select ${ownColumns(sql)} from bookings ${withSlots(sql)}
  where ${isOwn(sql, viewer)}`

function isOwn(sql: Queryable, { accountId, partnerId }: Viewer) {
  return partnerId === null
    ? sql`bookings.account_id = ${accountId} and bookings.partner_id is null and bookings.channel = 'partner'`
    : sql`bookings.account_id = ${accountId} and bookings.partner_id = ${partnerId}`
}

export async function findOwnBooking(sql: Queryable, viewer: Viewer, reference: string) {
  const [booking] = await sql<OwnBooking[]>`${selectOwn(sql, viewer)} and reference = ${reference}`
  return booking ?? null
}

/** Bookings of any partner by account and id, for webhooks. */
export function listByKeys(
  sql: Queryable,
  keys: readonly { accountId: number; id: number }[],
): Promise<OwnBooking[]> {
  return sql<OwnBooking[]>`
    select ${ownColumns(sql)} from ${unnestKeys(sql, keys)}
    join bookings on bookings.account_id = key.account_id and bookings.id = key.id
    ${withSlots(sql)}`
}

/** Bookings of one payment, newest first, after the given booking (createdMicros and id). */
export function listByPayment(
  sql: Queryable,
  viewer: Viewer,
  { reference, after, limit }: { reference: string; after: ListPosition | null; limit: number },
) {
  return sql<OwnBooking[]>`
    ${selectOwn(sql, viewer)} and payment_reference = ${reference}
      ${after ? sql`and (bookings.created_at, bookings.id) < (${instant(sql, after[0])}, ${after[1]})` : sql``}
    order by bookings.created_at desc, bookings.id desc
    limit ${limit}`
}

function instant(sql: Queryable, micros: number) {
  return sql`(timestamptz 'epoch' + ${micros} * interval '1 microsecond')`
}

/**
 * Bookings whose latest event has a number above `after`, in the order of these numbers. Each row has the number
 * of that event. The erasure of a customer changes nothing that a partner sees, so its event is ignored.
 */
export function listChanged(
  sql: Queryable,
  viewer: Viewer,
  { after, limit }: { after: number; limit: number },
) {
  return sql<(OwnBooking & { number: number })[]>`
    select event.number, ${ownColumns(sql)}
    from events as event
    -- Reads one event after another in the order of the index: without "offset 0", the planner may read and sort them all.
    cross join lateral (
      select * from bookings
      where bookings.account_id = event.account_id and bookings.id = event.booking_id
      offset 0
    ) as bookings
    ${withSlots(sql)}
    where ${isShown(sql, viewer)} and event.number > ${after}
      and not exists (
        select from events as later
        where later.account_id = event.account_id and later.booking_id = event.booking_id
          and later.number > event.number and later.type <> 'booking.customer-erased'
        offset 0
      )
    order by event.number
    limit ${limit}`
}

/**
 * The number of the first event of the viewer's bookings at or after an instant (Unix milliseconds); null if
 * there is none. The index contains the instants, so the table is not read.
 */
export async function findFirstSince(sql: Queryable, viewer: Viewer, since: number): Promise<number | null> {
  const [first] = await sql<{ number: number }[]>`
    select event.number from events as event
    where ${isShown(sql, viewer)} and event.occurred_at >= ${instant(sql, since * 1000)}
    order by event.number
    limit 1`
  return first?.number ?? null
}

/** Whether an event belongs to the change feed of the viewer. */
function isShown(sql: Queryable, { accountId, partnerId }: Viewer) {
  return sql`event.account_id = ${accountId} and event.number is not null
    and event.type <> 'booking.customer-erased'
    and event.partner_id = ${partnerId ?? 0}`
}
