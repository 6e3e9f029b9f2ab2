/**
 * Writes the single timeslots of a catalogue file, and updates the instants of timeslots after a change of
 * the time zone. The code in schedules/ writes the timeslots of schedules.
 */
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
export {
  hoursToJsonb,
  isReleased,
  listOpeningHours,
  listOwnTimeslots,
  returningChange,
} from './queries.ts'
export {
  type ChangesToLock,
  type KeptCapacity,
  lockTimeslots,
  type StatedTimeslot,
} from './stated-queries.ts'

/**
 * Makes those given timeslots that do not exist, and sets the capacity, opening hours and own prices of those
 * that exist. No capacity falls below the places sold and held. No schedule changes these timeslots any more.
 * Timeslots of products that moved to another time zone keep their local times. The caller has called
 * lockTimeslots() with these changes.
 * @returns the number of new timeslots, and of timeslots whose capacity changed; the products of timeslots
 * whose own prices changed or that are given with own prices; and the timeslots whose capacity had to stay
 * higher than given.
 */
export async function writeTimeslots(
  tx: Transaction,
  by: Authorship,
  { stated, movedProductIds }: statedQueries.ChangesToLock,
): Promise<{ made: number; resized: number; pricedProducts: number[]; kept: statedQueries.KeptCapacity[] }> {
  const { accountId } = by
  const moved = await queries.updateInstants(tx, accountId, movedProductIds)
  const detached = await statedQueries.detachStatedTimeslots(tx, accountId, stated)
  const resized = await statedQueries.updateCapacities(tx, accountId, stated)
  const rescheduled = await statedQueries.updateStatedHours(tx, accountId, stated)
  const repriced = await statedQueries.updateStatedPrices(tx, accountId, stated)
  // Timeslots that lost their schedule no longer have its prices.
  const priced = await listOwnPriced(tx, accountId, [...new Set(detached.map(({ productId }) => productId))])
  await appendEvents(tx, [
    ...rescheduledEvents(by, [...moved, ...rescheduled]),
    ...changeEvents(by, detached),
    ...changeEvents(by, resized),
    ...pricedEvents(by, repriced),
    ...ownPricesChanged(by, priced),
  ])
  await offerFreePlaces(tx, accountId, [...resized, ...rescheduled])
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

/**
 * After a change of capacity or hours, offers the free places of locked timeslots to their waitlists, or adds
 * them to a booking that takes the whole timeslot.
 */
export async function offerFreePlaces(
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
