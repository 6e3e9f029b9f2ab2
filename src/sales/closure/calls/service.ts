/** Use cases of the calls after closures: the list, which all users share, and ticking off a call. */
import { problems } from '../../../http/problems.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ClosureCall } from './model.ts'
import * as queries from './queries.ts'

export { type CallKey, countOpenCalls, insertCalls, listCalls } from './queries.ts'

/** Ticks a call off, or undoes that. @throws Problem not-found if there is no such call. */
export async function tickOff(
  sql: Queryable,
  accountId: number,
  call: queries.CallKey,
  tick: queries.CallTick,
): Promise<void> {
  if (!(await queries.updateDone(sql, accountId, call, tick))) throw problems.bookingNotFound()
}

/** @throws Problem not-found if there is no such call of the last 14 days, or if its customer is erased. */
export async function getCall(sql: Queryable, accountId: number, key: queries.CallKey): Promise<ClosureCall> {
  const call = await queries.findCall(sql, accountId, key)
  if (!call) throw problems.bookingNotFound()
  return call
}
