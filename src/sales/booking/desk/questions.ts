/**
 * The questions of bookings: those of their products, and questions of other products that were answered
 * before a move.
 */
import {
  listQuestionsByIds,
  listQuestionsOf,
  type ProductQuestion,
} from '../../../catalogue/products/questions.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import { listUnanswered } from '../answers.ts'
import type { BookingRecord } from './schemas.ts'

/**
 * All questions of the products of these bookings, and all others that the bookings have answered. Deleted questions
 * are left out. The number of queries does not depend on the number of bookings.
 */
export async function listQuestionsOfBookings(
  sql: Queryable,
  accountId: number,
  bookings: readonly Pick<BookingRecord, 'ProductID' | 'Answers'>[],
): Promise<ProductQuestion[]> {
  const productIds = new Set(bookings.map(({ ProductID }) => ProductID))
  const own = await listQuestionsOf(sql, accountId, [...productIds])
  const known = new Set(own.map(({ id }) => id))
  const answered = bookings.flatMap(({ Answers }) => Answers.map(({ QuestionID }) => QuestionID))
  const others = new Set(answered.filter((id) => !known.has(id)))
  return others.size === 0 ? own : [...own, ...(await listQuestionsByIds(sql, accountId, [...others]))]
}

/**
 * The required questions of a booking's product that the booking has not answered, or not for every
 * participant.
 * @param questions the questions of the booking's product. Questions of other products are ignored.
 */
export function listOpenQuestions(
  questions: readonly ProductQuestion[],
  { ProductID, Answers, Participants }: Pick<BookingRecord, 'ProductID' | 'Answers' | 'Participants'>,
): ProductQuestion[] {
  const own = questions.filter(({ productId }) => productId === ProductID)
  return listUnanswered(own, Answers, Participants)
}
