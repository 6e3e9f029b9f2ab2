/**
 * Schedules and the timeslots they make. Whoever writes schedules locks the account first, so that of two
 * imports or top-ups of one account the second finds what the first made.
 */
import { lockAccount } from '../../../accounts/service.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { type KeptCapacity, offerResized } from '../../timeslots/service.ts'
import * as queries from '../queries.ts'
import * as timeslots from '../timeslot-queries.ts'
import type { Effects } from './effects.ts'
import { reconcile } from './reconcile.ts'

export { listSchedules, type Schedule, type ScheduleRow } from '../queries.ts'

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
      return makeMissing(tx, accountId, productId, horizonDays)
    })
  }
  return made
}

/** The same for one product, with the account locked. */
export async function makeMissing(
  tx: Transaction,
  accountId: number,
  productId: number,
  horizonDays: number,
): Promise<number> {
  const which = { productIds: [productId] }
  return (await timeslots.insertScheduledTimeslots(tx, accountId, which, { horizonDays })).count
}

export type ScheduleChanges = {
  changedProducts: number[]
  droppedIds: number[]
  /** Schedules whose closed dates changed, each with its product. */
  reclosed: { id: number; productId: number }[]
}

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
  const reclosed = await queries.updateClosedDates(tx, accountId, schedules)
  const inserted = await queries.insertMissingSchedules(tx, accountId, schedules)
  const dropped = await queries.listDroppedSchedules(tx, accountId, productIds, schedules)
  const changed = [...updated, ...reclosed, ...inserted, ...dropped]
  return {
    changedProducts: changed.map(({ productId }) => productId),
    droppedIds: dropped.map(({ id }) => id),
    reclosed,
  }
}

export type Applied = {
  made: number
  resized: number
  kept: KeptCapacity[]
  /** Timeslots on closed dates that were removed or closed. */
  withdrawn: number
  /** Timeslots on closed dates that stay. */
  left: (Effects['left'][number] & { productId: number })[]
}

/**
 * Second half: drops schedules, whose timeslots stay, lets the timeslots of the others follow their capacity
 * (never below what is sold or held) and their closed dates, and makes those that are missing up to the horizon.
 */
export async function applySchedules(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  { droppedIds, reclosed, horizonDays }: Omit<ScheduleChanges, 'changedProducts'> & { horizonDays: number },
): Promise<Applied> {
  await timeslots.updateHeirs(tx, accountId, droppedIds)
  await queries.deleteSchedules(tx, accountId, droppedIds)
  const resized = await timeslots.updateScheduledCapacities(tx, accountId, productIds)
  await offerResized(tx, accountId, resized)
  const closings = []
  for (const { id, productId } of reclosed) {
    const { removed, closed, left } = await reconcile(tx, accountId, { id, productId })
    closings.push({
      withdrawn: removed.length + closed.length,
      left: left.filter(({ isOutside }) => isOutside).map((slot) => ({ ...slot, productId })),
    })
  }
  await timeslots.adoptTimeslots(tx, accountId, productIds)
  const made = await timeslots.insertScheduledTimeslots(tx, accountId, { productIds }, { horizonDays })
  return {
    made: made.count,
    resized: resized.length,
    kept: await timeslots.listKeptCapacities(tx, accountId, productIds),
    withdrawn: closings.reduce((sum, { withdrawn }) => sum + withdrawn, 0),
    left: closings.flatMap(({ left }) => left),
  }
}
