/** The statement of a partner: what it owes for the bookings whose timeslots are in a month. */
import { listPartners } from '../../../accounts/service.ts'
import { readPage, readPosition } from '../../../http/paging.ts'
import { problems } from '../../../http/problems.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { isCalendarDate } from '../../../platform/text/calendar.ts'
import { lastDayOf, type ReportRange } from '../report/model.ts'
import * as queries from './queries.ts'

const isClockTime = /^([01]\d|2[0-3]):[0-5]\d$/

export type PartnerStatement = {
  partner: { id: number; name: string }
  sums: queries.StatementSums[]
  rows: queries.StatementRow[]
  next: string | null
}

export type { MonthOwed } from './queries.ts'

/** `month` is `YYYY-MM`. `cursor` is the position in the list of bookings. */
export type StatementRequest = {
  partnerId: number
  month: string
  limit?: number | undefined
  cursor?: string | undefined
}

/**
 * The sums of a partner's bookings in a month, and a page of these bookings, read at the same moment.
 * @throws Problem not-found when the account has no such partner; validation for an invalid cursor.
 */
export async function readStatement(
  sql: Sql,
  accountId: number,
  { partnerId, month, limit, cursor }: StatementRequest,
): Promise<PartnerStatement> {
  const after = readPosition(cursor, ['string', 'string', 'number', 'number'])
  if (after && !(isCalendarDate(after[0]) && isClockTime.test(after[1]))) throw problems.cursor()
  const from = `${month}-01`
  const key = { accountId, partnerId, month: { from, to: lastDayOf(from, 'month') } }
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const partner = (await listPartners(tx, accountId)).find(({ id }) => id === partnerId)
    if (!partner) throw problems.partnerNotFound()
    const sums = await queries.sumStatement(tx, key)
    const { rows, next } = await readPage(
      limit,
      (most) => queries.listStatementRows(tx, key, { after, limit: most }),
      ({ date, time, timeslotId, id }) => [date, time, timeslotId, id],
    )
    return { partner, sums: [...sums], rows, next }
  })
}

/**
 * What each partner owes for the whole months that a range touches, from the totals by the day of the
 * timeslot.
 */
export function listOwedByMonth(sql: Sql, accountId: number, { from, to }: ReportRange) {
  return queries.sumOwedByMonth(sql, accountId, {
    from: `${from.slice(0, 7)}-01`,
    to: lastDayOf(to, 'month'),
  })
}
