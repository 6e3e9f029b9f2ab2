/**
 * Moves a timeslot that has no bookings, no held places and no waitlist to another date and time. The date
 * and time of a row never change, because a request may read them before it locks the row. So a move makes or
 * reuses another timeslot, and removes or closes the old timeslot.
 */
import { isDeepStrictEqual } from 'node:util'
import { lockAccount } from '../../../accounts/service.ts'
import type { Authorship } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import { problems } from '../../../http/problems.ts'
import { lockPlaces } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { checkHoursFrom } from '../../opening-hours.ts'
import { updateSaleFlags } from '../../sale-flag-queries.ts'
import { changeEvents, madeEvents, pricedEvents, removedEvents } from '../events.ts'
import { listInstants } from '../local-time-queries.ts'
import { findMoveObstacle, moveObstacleMessages } from '../model.ts'
import type { TimeslotMoveRequest } from '../schemas.ts'
import * as queries from './move-queries.ts'
import { closeLocked, findTimeslotAt, getTimeslot, type Timeslot } from './service.ts'

/**
 * Moves a timeslot with its capacity, opening hours and prices. The old timeslot is removed, or closed if it
 * belongs to a schedule or has ended bookings. If the new date and time have a closed timeslot with no
 * bookings, no held places and no waitlist, the move reuses this timeslot. So a move can be undone by moving
 * back.
 * @returns the timeslot at the new date and time, which has another id.
 * @throws Problem not-found; timeslot-not-movable if the timeslot has bookings, held places or a waitlist, is
 * closed, or has begun; timeslot-exists; validation, also for a time in the past and for a local time that a
 * clock change skips.
 */
export async function moveTimeslot(
  tx: Transaction,
  by: Authorship,
  id: number,
  { Date: date, Time }: TimeslotMoveRequest,
): Promise<Timeslot> {
  const { accountId } = by
  // A transaction that locks the account and timeslots locks the account first. While the account is locked,
  // no other transaction makes or removes timeslots.
  await lockAccount(tx, accountId)
  const known = await getTimeslot(tx, accountId, id)
  const { productId } = known
  const time = Time ?? known.time
  const found = await findTimeslotAt(tx, accountId, { productId, date, time })
  await lockPlaces(tx, accountId, { timeslotIds: found ? [id, found.id] : [id] })
  const slot = await getTimeslot(tx, accountId, id)
  const reason = findMoveObstacle(slot)
  if (reason) throw problems.timeslotNotMovable(reason, moveObstacleMessages[reason])
  const startsAt = await checkPlace(tx, slot, { date, time })
  const newId = found ? await reuse(tx, by, slot, found.id) : await copy(tx, by, { id, date, time, startsAt })
  await queries.redirectMoves(tx, accountId, { id, newId })
  const removed = await queries.deleteUnused(tx, accountId, id)
  if (removed.length > 0) await appendEvents(tx, removedEvents(by, removed))
  else {
    await closeLocked(tx, by, id)
    await queries.insertMove(tx, accountId, { id, newId })
  }
  if (slot.unitPrices.length > 0) await updateSaleFlags(tx, accountId, [productId], [productId])
  const moved = await getTimeslot(tx, accountId, newId)
  if (moved.hasBegun) throw problems.validation([{ field: 'Date', message: 'must be in the future' }])
  return moved
}

/**
 * Checks the new date and time, and returns their instant.
 * @throws Problem validation.
 */
async function checkPlace(tx: Transaction, slot: Timeslot, { date, time }: { date: string; time: string }) {
  const { openingHours, timeZone } = slot
  if (slot.date === date && slot.time === time)
    throw problems.validation([{ field: 'Date', message: 'must be another day, unless the time changes' }])
  const hours = (openingHours ?? []).map(({ opens, closes }) => ({ Opens: opens, Closes: closes }))
  if (checkHoursFrom(time, hours).length > 0)
    throw problems.validation([{ field: 'Time', message: `must be the first opening, ${slot.time}` }])
  const [startsAt] = await listInstants(tx, [{ date, time, timeZone }])
  if (startsAt == null) {
    const message = `does not exist on ${date} in ${timeZone}, whose clocks skip that time`
    throw problems.validation([{ field: 'Time', message }])
  }
  return startsAt
}

async function copy(
  tx: Transaction,
  by: Authorship,
  place: { id: number; date: string; time: string; startsAt: string },
): Promise<number> {
  const made = await queries.copyTimeslot(tx, by.accountId, place)
  await appendEvents(tx, madeEvents(by, [made]))
  return made.id
}

/**
 * Reuses the existing timeslot at the new date and time.
 * @throws Problem timeslot-exists if it is open, has begun, or has bookings, held places or a waitlist.
 */
async function reuse(tx: Transaction, by: Authorship, slot: Timeslot, targetId: number): Promise<number> {
  const target = await getTimeslot(tx, by.accountId, targetId)
  if (findMoveObstacle(target) !== 'closed') throw problems.timeslotExists(targetId)
  const changed = await queries.copyTimeslotInto(tx, by.accountId, { id: slot.id, targetId })
  await queries.deleteMove(tx, by.accountId, targetId)
  const isPriced = !isDeepStrictEqual(target.unitPrices, slot.unitPrices)
  const priced = isPriced ? pricedEvents(by, [target]) : []
  await appendEvents(tx, [...changeEvents(by, changed), ...priced])
  return targetId
}
