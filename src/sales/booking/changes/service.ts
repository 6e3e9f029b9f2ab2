/**
 * The operator's use cases of changing bookings. Each is one transaction that also writes the history and returns
 * the changed booking. All but describeBooking() have an idempotency key.
 */

import { problems } from '../../../http/problems.ts'
import { withAlternatives } from '../../../inventory/alternatives.ts'
import { changeBookings } from '../../../inventory/service.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { type OnceRequest, runAgain, runOnce } from '../../../platform/postgres/run-once.ts'
import type { BookingRecord } from '../desk/schemas.ts'
import { getBooking } from '../desk/service.ts'
import { type Amendment, amend } from './amending.ts'
import { type AttendanceGiven, attend, attendanceAfter } from './attending.ts'
import { type Cancellation, cancel } from './cancelling.ts'
import { describeLocked, requireShown } from './describing.ts'
import { checkStatus, lockBooking, type Subject } from './locking.ts'
import { type MoveTarget, move } from './moving.ts'
import * as queries from './queries.ts'
import type { DescriptionRequest } from './schemas.ts'

export type ChangedBooking = { answer: BookingRecord; replayed: boolean }

function change(
  sql: Sql,
  once: OnceRequest,
  { accountId, reference }: Subject,
  work: (tx: Transaction) => Promise<void>,
): Promise<ChangedBooking> {
  return runOnce(sql, once, async (tx) => {
    await work(tx)
    return getBooking(tx, accountId, reference)
  })
}

/**
 * `wasCancelled`: this request found the booking cancelled, and nothing changed; false for a replay.
 * @throws as cancel() in cancelling.ts.
 */
export async function cancelBooking(
  sql: Sql,
  once: OnceRequest,
  subject: Subject,
  cancellation: Cancellation,
): Promise<ChangedBooking & { wasCancelled: boolean }> {
  let wasCancelled = false
  const changed = await change(sql, once, subject, async (tx) => {
    wasCancelled = !(await cancel(tx, subject, cancellation))
  })
  return { ...changed, wasCancelled }
}

/** @throws as move() in moving.ts; insufficient-capacity or timeslot-unavailable, with alternatives. */
export function moveBooking(sql: Sql, once: OnceRequest, subject: Subject, target: MoveTarget) {
  return withAlternatives(sql, () => change(sql, once, subject, (tx) => move(tx, subject, target)), {
    shopfrontOnly: true,
  })
}

/** @throws as amend() in moving.ts; insufficient-capacity or timeslot-unavailable, with alternatives. */
export function amendBooking(sql: Sql, once: OnceRequest, subject: Subject, amendment: Amendment) {
  return withAlternatives(sql, () => change(sql, once, subject, (tx) => amend(tx, subject, amendment)), {
    shopfrontOnly: true,
  })
}

/**
 * Stores whether the party of a confirmed booking came, how many people of it are here and how many did not
 * come. The attendance null removes what is stored. `wasSame`: this request changed nothing; false for a
 * replay.
 * @throws Problem not-found, booking-not-changeable, or validation as attendanceAfter() in attending.ts.
 */
export async function recordAttendance(
  sql: Sql,
  once: OnceRequest,
  subject: Subject,
  given: AttendanceGiven,
): Promise<ChangedBooking & { wasSame: boolean }> {
  let wasSame = false
  const changed = await change(sql, once, subject, async (tx) => {
    const booking = await lockBooking(tx, subject)
    checkStatus(booking, 'attend')
    wasSame = !(await attend(tx, subject.actor, booking, attendanceAfter(booking, given)))
  })
  return { ...changed, wasSame }
}

/**
 * Writes the event after which the confirmation of a confirmed booking is sent again.
 * @throws Problem not-found, booking-not-changeable or no-email-address.
 */
export function resendConfirmation(sql: Sql, once: OnceRequest, subject: Subject) {
  return change(sql, once, subject, async (tx) => {
    const { accountId, actor } = subject
    const booking = await lockBooking(tx, subject)
    checkStatus(booking, 'remind')
    const { email } = await queries.readDescription(tx, accountId, booking.id)
    if (email === null) throw problems.noEmailAddress()
    await changeBookings(tx, actor, [{ booking, to: {}, action: 'confirmation-resent' }])
  })
}

/**
 * Changes the customer and the answers: only the given fields of the customer, and all answers together. The
 * history stores the names of changed fields, not their values.
 * @param seen the version of what the caller's form showed, if it sends one.
 * @throws Problem not-found, booking-not-changeable, edited-meanwhile, customer-erased, or validation for a
 *   question that the product does not ask, unless it was answered before.
 */
export function describeBooking(
  sql: Sql,
  subject: Subject,
  request: DescriptionRequest,
  seen?: string,
): Promise<BookingRecord> {
  const { accountId, actor, reference } = subject
  return runAgain(sql, async (tx) => {
    const booking = await lockBooking(tx, subject)
    await requireShown(tx, booking, request, seen)
    await describeLocked(tx, actor, booking, request)
    return getBooking(tx, accountId, reference)
  })
}
