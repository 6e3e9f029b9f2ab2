/** Reads and writes the customer and the answers of all lines of a basket together. */

import { listQuestionsOf, type Question } from '../../catalogue/products/questions.ts'
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { type Booking, changeBookings } from '../../inventory/service.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import {
  type Answers,
  checkAnswers,
  idsOfAnswered,
  listLacking,
  listUnanswered,
  toStoredAnswers,
} from '../booking/answers.ts'
import { reductionView } from '../booking/bought-view.ts'
import { checkStatus } from '../booking/changes/locking.ts'
import { type BookingDescription, changedFields } from '../booking/changes/model.ts'
import { updateDescriptions } from '../booking/changes/queries.ts'
import { toCustomer } from '../booking/customer.ts'
import { type LineDescription, listDescriptions } from './description-queries.ts'
import { getLocked } from './locking.ts'
import type { BasketView, CustomerRequest } from './schemas.ts'
import { readBasket } from './views.ts'

/** A line that is not cancelled, with the questions of its product in the order that the operator set. */
export type DescribedLine = {
  line: BasketView['Lines'][number]
  customer: BasketView['Customer']
  answers: Answers
  questions: Question[]
  /** The till's reduction of this line. The `Discount` of the line includes it. */
  reduction: Pick<BasketView, 'Reduction'>
}

export type DescribedBasket = { basket: BasketView; lines: DescribedLine[] }

/**
 * Reads a basket with the customer, the answers and the questions of each line that is not cancelled. The
 * number of queries does not depend on the number of lines.
 * @throws Problem not-found when the account has no such basket.
 */
export async function readDescribedBasket(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<DescribedBasket> {
  const basket = await readBasket(sql, accountId, id)
  const descriptions = await readDescriptions(sql, accountId, id)
  const productIds = new Set([...descriptions.values()].map(({ productId }) => productId))
  const questions = await listQuestionsOf(sql, accountId, [...productIds])
  const activeLines = basket.Lines.filter(({ Status }) => Status !== 'cancelled')
  const lines = activeLines.flatMap((line): DescribedLine[] => {
    const description = descriptions.get(line.BookingReference)
    // Only lines of test bookings can be missing: they may have been deleted after the basket was read.
    if (!description) return []
    const { firstName, lastName, email, phone, answers, questionIds } = description
    const customer = { FirstName: firstName, LastName: lastName, Email: email, Phone: phone }
    const own = questions.filter((question) => questionIds.includes(question.id))
    const reduction = reductionView([{ ...description, currency: line.UnitPrice.Currency }])
    return [{ line, customer, answers, questions: own, reduction }]
  })
  return { basket, lines }
}

async function readDescriptions(sql: Queryable, accountId: number, basketId: number) {
  const rows = await listDescriptions(sql, accountId, basketId)
  return new Map(rows.map((row) => [row.reference, row]))
}

/**
 * `Customer`: the fields to change on all lines that are not cancelled. `Lines`: the new answers of some
 * lines, which replace the old answers.
 */
export type BasketDescriptionRequest = {
  Customer?: CustomerRequest | undefined
  Lines: { BookingReference: string; Answers: Answers }[]
}

/**
 * Writes the customer on every line that is not cancelled, and the answers of the named lines, in one
 * transaction. The history of each line stores the names of the changed fields, not their values.
 * @throws Problem not-found for an unknown basket or line; held-by-reseller; booking-not-changeable when a
 *   line has expired or a named line is cancelled; customer-erased; validation for an answer to a question
 *   that its line's product does not ask and that was not answered before. The field of the error names the
 *   line: `Lines[1].Answers[0].QuestionID`.
 */
export function describeBasket(
  sql: Sql,
  by: Authorship,
  { basketId, request }: { basketId: number; request: BasketDescriptionRequest },
): Promise<void> {
  return runAgain(sql, (tx) => describeWithin(tx, by, { basketId, request }))
}

/** Does the work of describeBasket() in the caller's transaction. @throws as describeBasket(). */
export async function describeWithin(
  tx: Transaction,
  { accountId, actor }: Authorship,
  { basketId, request }: { basketId: number; request: BasketDescriptionRequest },
): Promise<void> {
  const { lines } = await getLocked(tx, accountId, basketId)
  const subjects = findSubjects(lines, request)
  for (const line of subjects) checkStatus(line, 'describe')
  const existing = await readDescriptions(tx, accountId, basketId)
  checkLineAnswers(request, existing)
  const changes = listDescriptionChanges(subjects, existing, request)
  if (changes.length > 0) await writeDescriptions(tx, { accountId, actor }, changes)
}

/**
 * The locked lines that a request changes: all lines that are not cancelled, and the named lines.
 * @throws Problem not-found for a name that is not a line of the basket.
 */
function findSubjects(lines: readonly Booking[], { Lines }: BasketDescriptionRequest): Booking[] {
  const named = new Set(Lines.map(({ BookingReference }) => BookingReference))
  const subjects = lines.filter(({ status, reference }) => status !== 'cancelled' || named.has(reference))
  const known = new Set(subjects.map(({ reference }) => reference))
  if ([...named].some((reference) => !known.has(reference))) throw problems.lineNotFound()
  return subjects
}

type Descriptions = ReadonlyMap<string, LineDescription>

function checkLineAnswers({ Lines }: BasketDescriptionRequest, descriptions: Descriptions): void {
  const unknown = Lines.flatMap(({ BookingReference, Answers }, index) => {
    const { questionIds, answers } = descriptions.get(BookingReference)!
    return checkAnswers(Answers, [...questionIds, ...idsOfAnswered(answers)], `Lines[${index}].`)
  })
  if (unknown.length > 0) throw problems.validation(unknown)
}

type DescriptionChange = { booking: Booking; to: BookingDescription; fields: string[] }

/** The changes that the request makes; none for a line that has these values already. */
function listDescriptionChanges(
  subjects: readonly Booking[],
  descriptions: Descriptions,
  { Customer, Lines }: BasketDescriptionRequest,
): DescriptionChange[] {
  const given = new Map(Lines.map(({ BookingReference, Answers }) => [BookingReference, Answers]))
  return subjects.flatMap((booking) => {
    const { firstName, lastName, email, phone, answers } = descriptions.get(booking.reference)!
    const from: BookingDescription = { firstName, lastName, email, phone, answers }
    const answered = given.get(booking.reference)
    const to = { ...toCustomer(Customer, from), answers: answered ? toStoredAnswers(answered) : answers }
    const fields = changedFields(from, to)
    return fields.length > 0 ? [{ booking, to, fields }] : []
  })
}

/**
 * Checks that each of these lines has answers to all required questions.
 * @param lines some lines of a locked basket.
 * @throws Problem validation, with an error for each question without a complete answer. The `field` of an
 *   error contains the index of the line in `lines`.
 */
export async function checkAnswered(
  tx: Transaction,
  { accountId, basketId }: { accountId: number; basketId: number },
  lines: readonly Booking[],
): Promise<void> {
  const descriptions = await readDescriptions(tx, accountId, basketId)
  const productIds = new Set([...descriptions.values()].map(({ productId }) => productId))
  const questions = await listQuestionsOf(tx, accountId, [...productIds])
  const missing = lines.flatMap(({ reference, participants }, index) => {
    const { answers, questionIds } = descriptions.get(reference)!
    const own = questions.filter(({ id }) => questionIds.includes(id))
    return listUnanswered(own, answers, participants).map((question) => {
      const lacking = listLacking(question, answers, participants)
      const participantsText = lacking.length === 0 ? '' : ` for participant ${lacking.join(', ')}`
      return {
        field: `Lines[${index}].Answers`,
        message: `must answer the question “${question.label}”${participantsText}`,
      }
    })
  })
  if (missing.length > 0) throw problems.validation(missing)
}

async function writeDescriptions(
  tx: Transaction,
  { accountId, actor }: Authorship,
  changes: readonly DescriptionChange[],
): Promise<void> {
  const written = await updateDescriptions(
    tx,
    accountId,
    changes.map(({ booking, to }) => ({ bookingId: booking.id, ...to })),
  )
  if (written < changes.length) throw problems.customerErased()
  await changeBookings(
    tx,
    actor,
    changes.map(({ booking, fields }) => {
      return { booking, to: {}, action: 'customer-changed', details: { Fields: fields } }
    }),
  )
}
