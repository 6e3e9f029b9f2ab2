/** Use cases of whom to call after closures: the list that all users share, and ticking off who was told. */
import { problems } from '../../../http/problems.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ClosureCall } from './model.ts'
import * as queries from './queries.ts'

export { type CallKey, countOpenCalls, insertCalls, listCalls } from './queries.ts'

/** Says that the customer was told, or takes that back. @throws Problem not-found when no closure changed the booking. */
export async function tickOff(
  sql: Queryable,
  accountId: number,
  call: queries.CallKey,
  tick: queries.CallTick,
): Promise<void> {
  if (!(await queries.updateDone(sql, accountId, call, tick))) throw problems.bookingNotFound()
}

/** @throws Problem not-found when no closure of the last days changed the booking. */
export async function getCall(sql: Queryable, accountId: number, key: queries.CallKey): Promise<ClosureCall> {
  const call = await queries.findCall(sql, accountId, key)
  if (!call) throw problems.bookingNotFound()
  return call
}
