/**
 * Writes schedules and their timeslots. All code that writes schedules locks the account first, so that two
 * imports or top-ups of an account run one after the other.
 */
import { forEachAccount } from '../../../accounts/each-account.ts'
import { lockAccount } from '../../../accounts/service.ts'
import { type Authorship, theService } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { listOwnPriced } from '../../sale-flag-queries.ts'
import { changeEvents, type MadeTimeslot, madeEvents } from '../../timeslots/events.ts'
import { type KeptCapacity, offerFreePlaces } from '../../timeslots/service.ts'
import * as queries from '../queries.ts'
import * as timeslots from '../timeslot-queries.ts'
import type { Effects } from './effects.ts'
import { reconcile } from './reconcile.ts'

export { listSchedules, type Schedule, type ScheduleRow } from '../queries.ts'

/**
 * Makes the missing timeslots of the schedules of all live accounts up to `horizonDays` from today, in one
 * transaction for each product. Safe to repeat and to run concurrently.
 * @returns how many it made.
 * @throws as forEachAccount().
 */
export async function topUpSchedules(sql: Sql, horizonDays: number): Promise<number> {
  return forEachAccount(await queries.listScheduledProducts(sql), {
    work: ({ accountId, productId }) =>
      sql.begin(async (tx) => {
        await lockAccount(tx, accountId)
        const by = { accountId, actor: theService }
        return (await makeMissing(tx, by, { productIds: [productId] }, horizonDays)).length
      }),
  })
}

/**
 * Makes the missing timeslots of the schedules of some products, or of one schedule, and writes their events.
 * The caller has locked the account.
 * @param span limits the dates.
 * @returns the new timeslots, by product, date and time.
 */
export async function makeMissing(
  tx: Transaction,
  by: Authorship,
  which: timeslots.ScheduleSelection,
  horizonDays: number,
  span?: timeslots.DateSpan,
): Promise<MadeTimeslot[]> {
  const made = await timeslots.insertScheduledTimeslots(tx, by.accountId, which, horizonDays, span)
  await appendEvents(tx, madeEvents(by, made))
  return made
}

export type ScheduleChanges = {
  changedProducts: number[]
  droppedIds: number[]
  /**
   * Products whose timeslots may have other prices, because prices of a schedule or the schedule of a
   * timeslot changed.
   */
  repricedProducts: number[]
  /** Schedules whose closed dates changed, with their products. */
  reclosed: { id: number; productId: number }[]
}

/**
 * The first half of replacing the schedules of products: it adds and updates schedules, and finds those to
 * delete. It changes no timeslot, so that the caller can lock all affected timeslots at once before it calls
 * applySchedules().
 */
export async function writeSchedules(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  schedules: queries.Schedule[],
): Promise<ScheduleChanges> {
  const updated = await queries.updateCapacitiesAndHours(tx, accountId, schedules)
  const repriced = await queries.updateSchedulePrices(tx, accountId, schedules)
  const reclosed = await queries.updateClosedDates(tx, accountId, schedules)
  const inserted = await queries.insertMissingSchedules(tx, accountId, schedules)
  const dropped = await queries.listDroppedSchedules(tx, accountId, productIds, schedules)
  const changed = [...updated, ...repriced, ...reclosed, ...inserted, ...dropped]
  // Timeslots that now belong to another schedule, or to none, may have other prices.
  const handedOn = new Set([...inserted, ...reclosed, ...dropped].map(({ productId }) => productId))
  const priced = await listOwnPriced(tx, accountId, [...handedOn])
  return {
    changedProducts: changed.map(({ productId }) => productId),
    droppedIds: dropped.map(({ id }) => id),
    repricedProducts: [...new Set([...repriced.map(({ productId }) => productId), ...priced])],
    reclosed,
  }
}

export type Applied = {
  made: number
  /** How many timeslots have another capacity. Those whose opening hours alone changed are not counted. */
  resized: number
  kept: KeptCapacity[]
  /** How many timeslots on closed dates were removed or closed. */
  withdrawn: number
  /** Timeslots on closed dates that stay. */
  left: (Effects['left'][number] & { productId: number })[]
}

/**
 * The second half of replacing the schedules of products: it deletes the dropped schedules. Their timeslots
 * stay; a timeslot joins another schedule with its date and time, or belongs to none. Then it applies the
 * capacity, opening hours and closed dates of the remaining schedules to their timeslots (no capacity falls
 * below the places sold and held), opens timeslots again that a schedule had closed, and makes missing
 * timeslots up to the horizon.
 */
export async function applySchedules(
  tx: Transaction,
  by: Authorship,
  productIds: number[],
  {
    droppedIds,
    reclosed,
    horizonDays,
  }: Pick<ScheduleChanges, 'droppedIds' | 'reclosed'> & { horizonDays: number },
): Promise<Applied> {
  const { accountId } = by
  await timeslots.reassignTimeslots(tx, accountId, droppedIds)
  await queries.deleteSchedules(tx, accountId, droppedIds)
  const changed = await timeslots.updateScheduled(tx, accountId, productIds)
  await appendEvents(tx, changeEvents(by, changed))
  await offerFreePlaces(tx, accountId, changed)
  const closings = []
  for (const { id, productId } of reclosed) {
    const { removed, closed, left } = await reconcile(tx, by, { id, productId })
    closings.push({
      withdrawn: removed.length + closed.length,
      left: left.filter(({ isOutside }) => isOutside).map((slot) => ({ ...slot, productId })),
    })
  }
  const adopted = await timeslots.claimTimeslots(tx, accountId, productIds)
  await appendEvents(tx, changeEvents(by, adopted))
  const made = await makeMissing(tx, by, { productIds }, horizonDays)
  return {
    made: made.length,
    resized: changed.filter(({ oldCapacity, newCapacity }) => oldCapacity !== newCapacity).length,
    kept: await timeslots.listKeptCapacities(tx, accountId, productIds),
    withdrawn: closings.reduce((sum, { withdrawn }) => sum + withdrawn, 0),
    left: closings.flatMap(({ left }) => left),
  }
}
