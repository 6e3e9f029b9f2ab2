/**
 * Schedules and the timeslots they make. Whoever writes schedules locks the account first, so that of two
 * imports or top-ups of one account the second finds what the first made.
 */
import { lockAccount } from '../accounts/service.ts'
import type { Sql, Transaction } from '../platform/database.ts'
import type { KeptCapacity } from '../timeslots/service.ts'
import * as queries from './queries.ts'

export { listSchedules, type Schedule } from './queries.ts'

/**
 * Makes the timeslots of every account's schedules that are missing up to `horizonDays` from today, one
 * product at a time, each in a transaction of its own. Safe to run any number of times, also at once.
 * @returns how many it made.
 */
export async function topUpSchedules(sql: Sql, horizonDays: number): Promise<number> {
  let made = 0
  for (const { accountId, productId } of await queries.listScheduledProducts(sql)) {
    made += await sql.begin(async (tx) => {
      await lockAccount(tx, accountId)
      return queries.insertScheduledTimeslots(tx, accountId, [productId], horizonDays)
    })
  }
  return made
}

export type ScheduleChanges = { changedProducts: number[]; droppedIds: number[] }

/**
 * First half of replacing the schedules of products: adds and updates. It changes no timeslot, so that the
 * caller can lock all of them that will change, in one go, before applySchedules().
 */
export async function writeSchedules(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  schedules: queries.Schedule[],
): Promise<ScheduleChanges> {
  const updated = await queries.updateScheduleCapacities(tx, accountId, schedules)
  const inserted = await queries.insertMissingSchedules(tx, accountId, schedules)
  const dropped = await queries.listDroppedSchedules(tx, accountId, productIds, schedules)
  const changed = [...updated, ...inserted, ...dropped]
  return {
    changedProducts: changed.map(({ productId }) => productId),
    droppedIds: dropped.map(({ id }) => id),
  }
}

/**
 * Second half: drops schedules, whose timeslots stay, lets the timeslots of the others follow their capacity
 * (never below what is sold or held), and makes those that are missing up to the horizon.
 */
export async function applySchedules(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  { droppedIds, horizonDays }: { droppedIds: number[]; horizonDays: number },
): Promise<{ made: number; resized: number; kept: KeptCapacity[] }> {
  await queries.updateHeirs(tx, accountId, droppedIds)
  await queries.deleteSchedules(tx, accountId, droppedIds)
  const resized = await queries.updateScheduledCapacities(tx, accountId, productIds)
  const made = await queries.insertScheduledTimeslots(tx, accountId, productIds, horizonDays)
  return { made, resized, kept: await queries.listKeptCapacities(tx, accountId, productIds) }
}
