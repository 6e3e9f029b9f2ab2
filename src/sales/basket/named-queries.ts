/** The SQL that finds the timeslots and the questions of requested lines. */
import type { Queryable } from '../../platform/postgres/database.ts'

export type NamedLine = { activity: string; date: string; time: string }
/** `timeslotId` is null if the product has no such timeslot. */
export type FoundLine = { timeslotId: number | null; questionIds: number[] }

/**
 * The timeslots and questions of named lines, in order; null for a line whose product the account does not
 * have or, with `shopfrontOnly`, does not have in the shopfront.
 */
export async function findNamed(
  sql: Queryable,
  accountId: number,
  lines: readonly NamedLine[],
  shopfrontOnly: boolean,
): Promise<(FoundLine | null)[]> {
  const rows = await sql<(FoundLine & { place: number })[]>`
    select asked.place, slot.id as "timeslotId", array(
      select questions.id from questions
      where questions.account_id = products.account_id and questions.product_id = products.id
    ) as "questionIds"
    from unnest(
      ${lines.map((_, index) => index)}::integer[],
      ${lines.map(({ activity }) => activity)}::uuid[],
      ${lines.map(({ date }) => date)}::date[],
      ${lines.map(({ time }) => time)}::time[]
    ) as asked (place, activity, date, time)
    join products on products.account_id = ${accountId} and products.activity_id = asked.activity
      ${shopfrontOnly ? sql`and products.in_shopfront` : sql``}
    left join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = asked.date and slot.time = asked.time`
  const found = new Map(rows.map(({ place, ...line }) => [place, line]))
  return lines.map((_, index) => {
    const line = found.get(index)
    return line ? { ...line, questionIds: line.questionIds.map(Number) } : null
  })
}
