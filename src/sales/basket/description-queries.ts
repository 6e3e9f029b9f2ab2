/** The SQL that reads the customers and answers of a basket's lines. */
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BookingDescription } from '../booking/changes/model.ts'

/** The customer and the answers of a line, with the questions that its product asks. */
export type LineDescription = BookingDescription & {
  reference: string
  productId: number
  questionIds: number[]
  /** The till's reduction. */
  reductionMinor: string | null
  reductionReason: string | null
}

/** The descriptions of all lines of a basket, in the order in which they were added. */
export async function listDescriptions(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<LineDescription[]> {
  const rows = await sql<LineDescription[]>`
    select reference, slot.product_id as "productId", first_name as "firstName", last_name as "lastName", email, phone,
      answers, reduction_minor::text as "reductionMinor", reduction_reason as "reductionReason", array(
        select questions.id from questions
        where questions.account_id = slot.account_id and questions.product_id = slot.product_id
      ) as "questionIds"
    from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    where bookings.account_id = ${accountId} and basket_id = ${basketId}
    order by bookings.id`
  return rows.map((row) => ({ ...row, questionIds: row.questionIds.map(Number) }))
}
