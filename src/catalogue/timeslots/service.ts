/** Writing the timeslots that an operator states one by one. What schedules make is in schedules/. */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { offerPlaces } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { ownPricesChanged } from '../product-events.ts'
import { listOwnPriced } from '../sale-flag-queries.ts'
import { changeEvents, madeEvents, pricedEvents, rescheduledEvents } from './events.ts'
import * as queries from './queries.ts'
import * as statedQueries from './stated-queries.ts'

export { listInstants, listStrandedTimeslots } from './local-time-queries.ts'
export { hoursToJsonb, isLetGo, listOwnTimeslots, returningChange } from './queries.ts'
export { type Changes, type KeptCapacity, lockTimeslots, type StatedTimeslot } from './stated-queries.ts'

/**
 * Makes the stated timeslots, or gives those that exist the stated hours and capacity, never below what is sold or
 * held; either way no schedule has a say in them any more. Timeslots of products that moved to another time
 * zone keep their local time. The caller has called lockTimeslots() with these changes.
 * @returns how many were made, how many changed capacity, the products of those whose own prices were written, and
 *   whose capacity had to stay higher.
 */
export async function writeTimeslots(
  tx: Transaction,
  by: Authorship,
  { stated, movedProductIds }: statedQueries.Changes,
): Promise<{ made: number; resized: number; pricedProducts: number[]; kept: statedQueries.KeptCapacity[] }> {
  const { accountId } = by
  const moved = await queries.updateInstants(tx, accountId, movedProductIds)
  const detached = await statedQueries.updateOwners(tx, accountId, stated)
  const resized = await statedQueries.updateCapacities(tx, accountId, stated)
  const rescheduled = await statedQueries.updateStatedHours(tx, accountId, stated)
  const repriced = await statedQueries.updateStatedPrices(tx, accountId, stated)
  // Those that lost their schedule have its prices no more.
  const priced = await listOwnPriced(tx, accountId, [...new Set(detached.map(({ productId }) => productId))])
  await appendEvents(tx, [
    ...rescheduledEvents(by, [...moved, ...rescheduled]),
    ...changeEvents(by, detached),
    ...changeEvents(by, resized),
    ...pricedEvents(by, repriced),
    ...ownPricesChanged(by, priced),
  ])
  await offerResized(tx, accountId, [...resized, ...rescheduled])
  const made = await statedQueries.insertTimeslots(tx, accountId, stated)
  await appendEvents(tx, madeEvents(by, made))
  const isPriced = (slot: statedQueries.StatedTimeslot) => Object.keys(slot.unitPrices ?? {}).length > 0
  return {
    made: made.length,
    resized: resized.length,
    pricedProducts: [...new Set([...repriced, ...stated.filter(isPriced)].map(({ productId }) => productId))],
    kept: await statedQueries.listKeptCapacities(tx, accountId, stated),
  }
}

/** Offers what is free on locked timeslots whose capacity or hours changed to those who wait for them. */
export async function offerResized(
  tx: Transaction,
  accountId: number,
  resized: { id: number }[],
): Promise<void> {
  if (resized.length === 0) return
  const ids = resized.map(({ id }) => id)
  const toOffer = await queries.listToOffer(tx, accountId, ids)
  await offerPlaces(
    tx,
    toOffer.map(({ id }) => ({ accountId, id })),
  )
}
