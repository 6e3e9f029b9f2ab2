/** Use cases of a partner with bookings it has made: looking one up, following what changes, cancelling. */

import type { Caller } from '../../../accounts/service.ts'
import { toActivityId } from '../../../catalogue/model.ts'
import { keyActor } from '../../../events/actor.ts'
import { readPage, usualLength } from '../../../http/paging.ts'
import { problems } from '../../../http/problems.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../../platform/postgres/run-once.ts'
import { writeCursor } from '../../../platform/text/cursor.ts'
import { cancel } from '../changes/cancelling.ts'
import { positionOf } from '../desk/service.ts'
import type { ListPosition } from '../model.ts'
import * as queries from './queries.ts'
import type { OwnBookingView, OwnListQuery } from './schemas.ts'

/** @throws Problem not-found when the partner has no booking of this reference. */
export async function readOwnBooking(sql: Sql, caller: Caller, reference: string): Promise<OwnBookingView> {
  const booking = await queries.findOwnBooking(sql, caller, reference)
  if (!booking) throw problems.bookingNotFound()
  return view(booking)
}

export type OwnPage = { bookings: OwnBookingView[]; next: string | null }

/**
 * The bookings of one payment, or else the next page of changes.
 * @throws Problem validation for a cursor or an instant that makes no sense.
 */
export function listOwnBookings(sql: Sql, caller: Caller, query: OwnListQuery): Promise<OwnPage> {
  const { PaymentReference, UpdatedSince } = query
  if (PaymentReference === undefined) return listChanges(sql, caller, query)
  if (UpdatedSince !== undefined) {
    throw problems.validation([{ field: 'UpdatedSince', message: 'cannot be given with PaymentReference' }])
  }
  return listOfPayment(sql, caller, PaymentReference, query)
}

async function listOfPayment(
  sql: Sql,
  caller: Caller,
  reference: string,
  { Limit, Cursor }: OwnListQuery,
): Promise<OwnPage> {
  const after = positionOf(Cursor)
  const { rows, next } = await readPage(
    Limit,
    (limit) => queries.listByPayment(sql, caller, { reference, after, limit }),
    ({ createdMicros, id }) => [createdMicros, id],
  )
  return { bookings: rows.map(view), next }
}

/**
 * Bookings by when they were changed last. Whoever follows `next`, which there always is, misses none: what a
 * transaction under way has changed is left out, and comes behind all that was listed.
 */
async function listChanges(
  sql: Sql,
  caller: Caller,
  { Limit = usualLength, Cursor, UpdatedSince }: OwnListQuery,
): Promise<OwnPage> {
  const since = Cursor === undefined && UpdatedSince !== undefined ? instantOf(UpdatedSince) : null
  const from = positionOf(Cursor)
  const horizon = await queries.readHorizon(sql)
  const first = since === null ? null : await queries.findFirstChanged(sql, caller, { since, horizon })
  if (since !== null && !first) return { bookings: [], next: writeCursor([horizon, 0]) }
  // The first is part of the list.
  const after: ListPosition | null = first ? [first[0], first[1] - 1] : from
  const rows = await queries.listChanged(sql, caller, { after, horizon, limit: Limit })
  const last = rows.at(-1)
  const isFull = rows.length === Limit && last
  return { bookings: rows.map(view), next: writeCursor(isFull ? [last.updatedXid, last.id] : [horizon, 0]) }
}

/** Unix milliseconds. */
function instantOf(text: string): number {
  const milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds)) {
    throw problems.validation([{ field: 'UpdatedSince', message: 'is not an instant' }])
  }
  return milliseconds
}

/**
 * Cancels a booking for the partner that made it; one that is cancelled already is answered as it is.
 * @throws Problem not-found, booking-not-changeable, or cutoff-passed.
 */
export function cancelOwnBooking(
  sql: Sql,
  once: OnceRequest,
  caller: Caller,
  reference: string,
): Promise<{ answer: OwnBookingView; replayed: boolean }> {
  return runOnce(sql, once, async (tx) => {
    if (!(await queries.findOwnBooking(tx, caller, reference))) throw problems.bookingNotFound()
    const subject = { accountId: caller.accountId, reference, actor: keyActor(caller) }
    await cancel(tx, subject, { by: 'partner', override: false, reason: null })
    return view((await queries.findOwnBooking(tx, caller, reference))!)
  })
}

function view(booking: queries.OwnBooking): OwnBookingView {
  return {
    BookingReference: booking.reference,
    Status: booking.status,
    ActivityID: toActivityId(booking.activity),
    Date: booking.date,
    Time: booking.time,
    Participants: booking.participants,
    PaymentReference: booking.paymentReference,
    CreatedAt: booking.createdAt.toISOString(),
    UpdatedAt: booking.updatedAt.toISOString(),
    CancelledAt: booking.cancelledAt?.toISOString() ?? null,
    CancelReason: booking.cancelReason,
    Attendance: booking.attendance,
  }
}
