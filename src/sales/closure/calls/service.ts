/** Use cases of whom to call after closures: the list that all users share, and ticking off who was told. */
import { problems } from '../../../http/problems.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import * as queries from './queries.ts'

export { countOpenCalls, insertCalls, listCalls } from './queries.ts'

/** The user who told the customer; null takes it back. @throws Problem not-found when no closure changed the booking. */
export async function tickOff(
  sql: Queryable,
  accountId: number,
  call: { timeslotId: number; reference: string },
  doneBy: number | null,
): Promise<void> {
  if (!(await queries.updateDone(sql, accountId, call, doneBy))) throw problems.bookingNotFound()
}
