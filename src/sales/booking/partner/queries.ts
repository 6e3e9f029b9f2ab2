/**
 * All SQL by which partners see bookings: each partner its own, and a key without a partner those that were booked
 * without one. The order of changes is that of the transactions that made them, by their ids.
 */

import type { Caller } from '../../../accounts/service.ts'
import type { BookingStatus } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ListPosition } from '../model.ts'

export type Viewer = Pick<Caller, 'accountId' | 'partnerId'>

export type OwnBooking = {
  id: number
  reference: string
  status: BookingStatus
  activity: string
  date: string
  time: string
  participants: number
  paymentReference: string | null
  attendance: 'checked-in' | 'no-show' | null
  createdAt: Date
  /** The same in microseconds, as exact as it is kept. */
  createdMicros: number
  updatedAt: Date
  /** The id of the transaction that changed it last. */
  updatedXid: number
  cancelledAt: Date | null
  cancelReason: 'operator' | 'partner' | 'customer' | 'closure' | null
}

const selectOwn = (sql: Queryable, viewer: Viewer) => sql`
  select bookings.id, reference, bookings.status, products.activity_id as activity, slot.date, slot.time,
    participants, payment_reference as "paymentReference", attendance, bookings.created_at as "createdAt",
    (extract(epoch from bookings.created_at) * 1000000)::bigint as "createdMicros",
    bookings.updated_at as "updatedAt", updated_xid::text::bigint as "updatedXid",
    cancelled_at as "cancelledAt", cancel_reason as "cancelReason"
  from bookings
  join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
  join products on products.account_id = slot.account_id and products.id = slot.product_id
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

/** Bookings of one payment, the newest first; `after` a booking, by createdMicros and id. */
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
 * The id below which every transaction has ended: what those have changed can be seen by whoever asks after this,
 * and nothing will ever be added to it.
 */
export async function readHorizon(sql: Queryable): Promise<number> {
  const [row] = await sql<{ horizon: number }[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon`
  return row!.horizon
}

/** Bookings in the order in which they were changed last, behind `after` and below the horizon. */
export function listChanged(
  sql: Queryable,
  viewer: Viewer,
  { after, horizon, limit }: { after: ListPosition | null; horizon: number; limit: number },
) {
  return sql<OwnBooking[]>`
    ${selectOwn(sql, viewer)} and updated_xid < ${xid(sql, horizon)}
      ${after ? sql`and (updated_xid, bookings.id) > (${xid(sql, after[0])}, ${after[1]})` : sql``}
    order by ${byChange(sql)}
    limit ${limit}`
}

/**
 * The place of the first booking that was changed at or after an instant (Unix milliseconds), below the horizon;
 * null when there is none. Read from the index alone, which also holds the instants.
 */
export async function findFirstChanged(
  sql: Queryable,
  viewer: Viewer,
  { since, horizon }: { since: number; horizon: number },
): Promise<ListPosition | null> {
  const [first] = await sql<{ xid: number; id: number }[]>`
    select updated_xid::text::bigint as xid, id from bookings
    where ${isOwn(sql, viewer)} and updated_at >= ${instant(sql, since * 1000)}
      and updated_xid < ${xid(sql, horizon)}
    order by ${byChange(sql)}
    limit 1`
  return first ? [first.xid, first.id] : null
}

/** Where the partner is null, the index serves this order only when it is named with it. */
function byChange(sql: Queryable) {
  return sql`bookings.partner_id, bookings.updated_xid, bookings.id`
}

function xid(sql: Queryable, id: number) {
  return sql`${String(id)}::text::xid8`
}
