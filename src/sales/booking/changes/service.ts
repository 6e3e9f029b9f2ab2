/**
 * Use cases of changing bookings for their operator. Each is one transaction with one row of history, answers the
 * booking as it is then, and happens once for each idempotency key.
 */

import { problems } from '../../../http/problems.ts'
import { withAlternatives } from '../../../inventory/alternatives.ts'
import { changeBookings } from '../../../inventory/service.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { type OnceRequest, runAgain, runOnce } from '../../../platform/postgres/run-once.ts'
import { type Answers, checkAnswers, idsOfAnswered, toStoredAnswers } from '../answers.ts'
import { toCustomer } from '../customer.ts'
import type { BookingRecord } from '../desk/schemas.ts'
import { getBooking } from '../desk/service.ts'
import { type AttendanceGiven, attend, attendanceAfter } from './attending.ts'
import { type Cancellation, cancel } from './cancelling.ts'
import { checkStatus, lockBooking, type Subject } from './locking.ts'
import { type BookingDescription, changedFields } from './model.ts'
import { type Amendment, amend, type MoveTarget, move } from './moving.ts'
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

/** `wasCancelled`: somebody else cancelled it before, and nothing changed. @throws as cancel() in cancelling.ts. */
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
 * Keeps whether the party of a confirmed booking came, how many of it are here and how many did not come; null takes back what
 * was said.
 * @throws Problem not-found, booking-not-changeable, or validation for more people than the party has.
 */
export function recordAttendance(sql: Sql, once: OnceRequest, subject: Subject, given: AttendanceGiven) {
  return change(sql, once, subject, async (tx) => {
    const booking = await lockBooking(tx, subject)
    checkStatus(booking, 'attend')
    await attend(tx, subject.actor, booking, attendanceAfter(booking, given))
  })
}

/**
 * Leaves the confirmation of a confirmed booking to be sent once more.
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
 * Changes the customer and the answers: only the given fields of the customer, and all answers together. The history stores
 * the names of changed fields, not their values.
 * @throws Problem not-found, booking-not-changeable, customer-erased, or validation for a question that the product does
 * not ask, unless it was answered before.
 */
export function describeBooking(
  sql: Sql,
  subject: Subject,
  request: DescriptionRequest,
): Promise<BookingRecord> {
  const { accountId, actor, reference } = subject
  return runAgain(sql, async (tx) => {
    const booking = await lockBooking(tx, subject)
    checkStatus(booking, 'describe')
    const from = await queries.readDescription(tx, accountId, booking.id)
    if (request.Answers)
      await checkQuestions(tx, accountId, booking.timeslotId, request.Answers, from.answers)
    const to = described(from, request)
    const fields = changedFields(from, to)
    if (fields.length > 0) {
      const written = await queries.updateDescriptions(tx, accountId, [{ bookingId: booking.id, ...to }])
      if (written === 0) throw problems.customerErased()
      const details = { Fields: fields }
      await changeBookings(tx, actor, [{ booking, to: {}, action: 'customer-changed', details }])
    }
    return getBooking(tx, accountId, reference)
  })
}

function described(from: BookingDescription, { Customer, Answers }: DescriptionRequest): BookingDescription {
  return { ...toCustomer(Customer, from), answers: Answers ? toStoredAnswers(Answers) : from.answers }
}

/** Makes sure that each answer is to a question of the booked product, or to one that was answered before. @throws Problem validation. */
export async function checkQuestions(
  tx: Transaction,
  accountId: number,
  timeslotId: number,
  answers: Answers,
  standing: { QuestionID: number }[],
): Promise<void> {
  const asked = await queries.listQuestionIds(tx, accountId, timeslotId)
  const unknown = checkAnswers(answers, [...asked, ...idsOfAnswered(standing)])
  if (unknown.length > 0) throw problems.validation(unknown)
}
