/** Changes the customer and the answers of a booking. */
import type { Actor } from '../../../events/actor.ts'
import { problems } from '../../../http/problems.ts'
import { requireVersion } from '../../../http/versions.ts'
import { type Booking, changeBookings } from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { type Answers, checkAnswers, idsOfAnswered, toStoredAnswers } from '../answers.ts'
import { toCustomer } from '../customer.ts'
import { checkStatus } from './locking.ts'
import { type BookingDescription, changedFields } from './model.ts'
import * as queries from './queries.ts'
import type { DescriptionRequest } from './schemas.ts'

/**
 * The state that the form for editing a customer shows: the description of a booking, and the other bookings
 * of its sale with the same contact.
 */
export type ShownDescription = { description: BookingDescription; sharingIds: readonly number[] }

export async function readShown(
  sql: Queryable,
  accountId: number,
  bookingId: number,
): Promise<ShownDescription> {
  const description = await queries.readDescription(sql, accountId, bookingId)
  return { description, sharingIds: await queries.listSharing(sql, accountId, bookingId) }
}

/**
 * Compares the version that a form has of a locked booking with the current state. If the request changes
 * nothing, nothing is compared, so that a form that is sent twice does not conflict with itself.
 * @param seen the version of the ShownDescription; if undefined, nothing is compared.
 * @throws Problem edited-meanwhile.
 */
export async function requireShown(
  tx: Transaction,
  { accountId, id }: Booking,
  request: DescriptionRequest,
  seen: string | undefined,
): Promise<void> {
  if (seen === undefined) return
  const shown = await readShown(tx, accountId, id)
  const { description } = shown
  if (changedFields(description, described(description, request)).length > 0) requireVersion(seen, shown)
}

/**
 * Changes the description of a locked booking, with an event, and returns the descriptions before and after.
 * If they are equal, it writes nothing.
 * @throws Problem booking-not-changeable, customer-erased, or validation for a question that the product does
 *   not ask, unless it was answered before.
 */
export async function describeLocked(
  tx: Transaction,
  actor: Actor,
  booking: Booking,
  request: DescriptionRequest,
): Promise<{ from: BookingDescription; to: BookingDescription }> {
  checkStatus(booking, 'describe')
  const { accountId } = booking
  const from = await queries.readDescription(tx, accountId, booking.id)
  if (request.Answers) await checkQuestions(tx, accountId, booking.timeslotId, request.Answers, from.answers)
  const to = described(from, request)
  const fields = changedFields(from, to)
  if (fields.length > 0) {
    const written = await queries.updateDescriptions(tx, accountId, [{ bookingId: booking.id, ...to }])
    if (written === 0) throw problems.customerErased()
    const details = { Fields: fields }
    await changeBookings(tx, actor, [{ booking, to: {}, action: 'customer-changed', details }])
  }
  return { from, to }
}

function described(from: BookingDescription, { Customer, Answers }: DescriptionRequest): BookingDescription {
  return { ...toCustomer(Customer, from), answers: Answers ? toStoredAnswers(Answers) : from.answers }
}

/**
 * Makes sure that each answer is to a question of the booked product, or to one that was answered before.
 * @throws Problem validation.
 */
export async function checkQuestions(
  tx: Transaction,
  accountId: number,
  timeslotId: number,
  answers: Answers,
  existing: { QuestionID: number }[],
): Promise<void> {
  const asked = await queries.listQuestionIds(tx, accountId, timeslotId)
  const unknown = checkAnswers(answers, [...asked, ...idsOfAnswered(existing)])
  if (unknown.length > 0) throw problems.validation(unknown)
}
