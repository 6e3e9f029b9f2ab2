/** Use cases of a partner with its own bookings: read one, list those of a payment, follow changes, cancel. */

import type { Caller } from '../../../accounts/service.ts'
import { testModeView } from '../../../accounts/test-mode-view.ts'
import { toActivityId } from '../../../catalogue/model.ts'
import { keyActor } from '../../../events/actor.ts'
import { findReadPosition, readLogCursor, writeLogCursor } from '../../../events/cursor.ts'
import { defaultLength, readPage } from '../../../http/paging.ts'
import { problems } from '../../../http/problems.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../../platform/postgres/run-once.ts'
import { boughtView } from '../bought-view.ts'
import { cancel } from '../changes/cancelling.ts'
import { positionOf } from '../desk/service.ts'
import { owedView, refundView } from '../money-views.ts'
import * as queries from './queries.ts'
import type { OwnBookingView, OwnListQuery } from './schemas.ts'

/** @throws Problem not-found when the partner has no booking with this reference. */
export async function readOwnBooking(sql: Sql, caller: Caller, reference: string): Promise<OwnBookingView> {
  const booking = await queries.findOwnBooking(sql, caller, reference)
  if (!booking) throw problems.bookingNotFound()
  return view(booking)
}

export type OwnPage = { bookings: OwnBookingView[]; next: string | null }

/**
 * The bookings of one payment, or the next page of changes.
 * @throws Problem validation for an invalid cursor or instant, and for an instant with a payment reference.
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
 * Bookings in the order of their latest events. A caller that follows `next`, which is always given, misses none: a
 * later event has a higher number.
 */
async function listChanges(
  sql: Sql,
  caller: Caller,
  { Limit = defaultLength, Cursor, UpdatedSince }: OwnListQuery,
): Promise<OwnPage> {
  const since = Cursor === undefined && UpdatedSince !== undefined ? instantOf(UpdatedSince) : null
  // The end of the log is read first, so that the list that is read after it is complete up to that end.
  const { after: from, end } = await findReadPosition(sql, caller.accountId, readLogCursor(Cursor))
  const first = since === null ? null : await queries.findFirstSince(sql, caller, since)
  if (since !== null && first === null) return { bookings: [], next: writeLogCursor(end) }
  // The first event belongs to the list.
  const after = first === null ? from : first - 1
  const rows = await queries.listChanged(sql, caller, { after, limit: Limit })
  const last = rows.at(-1)?.number ?? after
  // The list may have events after the end that was read before it. The next page must not list these
  // bookings again.
  const reached = rows.length === Limit ? last : Math.max(last, end.number)
  return { bookings: rows.map(view), next: writeLogCursor({ ...end, number: reached }) }
}

/** Reads an instant as Unix milliseconds. @throws Problem validation. */
function instantOf(text: string): number {
  const milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds)) {
    throw problems.validation([{ field: 'UpdatedSince', message: 'is not an instant' }])
  }
  return milliseconds
}

/**
 * Cancels a booking for the partner that made it. A booking that is already cancelled is returned as it is.
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

/**
 * Bookings as their partners see them. The key of each is a text of account id and booking id (`7 12`). Unknown
 * bookings are left out.
 */
export async function listOwnViews(
  sql: Sql,
  keys: readonly { accountId: number; id: number }[],
): Promise<Map<string, OwnBookingView>> {
  const bookings = await queries.listByKeys(sql, keys)
  return new Map(bookings.map((booking) => [`${booking.accountId} ${booking.id}`, view(booking)]))
}

function view(booking: queries.OwnBooking): OwnBookingView {
  return {
    BookingReference: booking.reference,
    Status: booking.status,
    ActivityID: toActivityId(booking.activity),
    Date: booking.date,
    Time: booking.time,
    ...boughtView(booking),
    PaymentReference: booking.paymentReference,
    CreatedAt: booking.createdAt.toISOString(),
    UpdatedAt: booking.updatedAt.toISOString(),
    CancelledAt: booking.cancelledAt?.toISOString() ?? null,
    CancelReason: booking.cancelReason,
    Refund: refundView(booking),
    Owed: owedView(booking),
    Attendance: booking.attendance,
    ...testModeView(booking),
  }
}
