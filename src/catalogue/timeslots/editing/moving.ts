/**
 * Moving a timeslot on which nobody is: to another date and time of its product. A timeslot keeps its date and
 * time for good, since a request may have read them before it locks the timeslot. So another timeslot takes its
 * place, and it is removed, or closed.
 */
import { isDeepStrictEqual } from 'node:util'
import { lockAccount } from '../../../accounts/service.ts'
import type { Authorship } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import { problems } from '../../../http/problems.ts'
import { lockPlaces } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { checkHoursFrom } from '../../opening-hours.ts'
import { keepSaleFlags } from '../../sale-flag-queries.ts'
import { changeEvents, madeEvents, pricedEvents, removedEvents } from '../events.ts'
import { listInstants } from '../local-time-queries.ts'
import { fixedBy, fixedWords } from '../model.ts'
import type { TimeslotMoveRequest } from '../schemas.ts'
import * as queries from './move-queries.ts'
import { closeLocked, findTimeslotAt, getTimeslot, type Timeslot } from './service.ts'

/**
 * Moves a timeslot. Capacity, opening hours and prices stay. The old one is removed; it stays closed when its
 * schedule would make it again, or when an ended booking names it. A closed timeslot at the new place on which
 * nobody is takes over, so that a move can be undone.
 * @returns the timeslot at the new place, which has another id.
 * @throws Problem not-found; timeslot-not-movable when somebody is on it, or it is closed or has begun;
 * validation, also for a local time that the clocks skip; timeslot-exists.
 */
export async function moveTimeslot(
  tx: Transaction,
  by: Authorship,
  id: number,
  { Date: date, Time }: TimeslotMoveRequest,
): Promise<Timeslot> {
  const { accountId } = by
  // Before the timeslots, as in all code that locks both. No timeslot is made or removed meanwhile.
  await lockAccount(tx, accountId)
  const known = await getTimeslot(tx, accountId, id)
  const { productId } = known
  const time = Time ?? known.time
  const found = await findTimeslotAt(tx, accountId, { productId, date, time })
  await lockPlaces(tx, accountId, { timeslotIds: found ? [id, found.id] : [id] })
  const slot = await getTimeslot(tx, accountId, id)
  const reason = fixedBy(slot)
  if (reason) throw problems.timeslotNotMovable(reason, fixedWords[reason])
  const startsAt = await checkPlace(tx, slot, { date, time })
  const newId = found ? await reuse(tx, by, slot, found.id) : await copy(tx, by, { id, date, time, startsAt })
  await queries.redirectMoves(tx, accountId, { id, newId })
  const removed = await queries.deleteUnused(tx, accountId, id)
  if (removed.length > 0) await appendEvents(tx, removedEvents(by, removed))
  else {
    await closeLocked(tx, by, id)
    await queries.insertMove(tx, accountId, { id, newId })
  }
  if (slot.unitPrices.length > 0) await keepSaleFlags(tx, accountId, [productId], [productId])
  const moved = await getTimeslot(tx, accountId, newId)
  if (moved.hasBegun) throw problems.validation([{ field: 'Date', message: 'must be in the future' }])
  return moved
}

/** The instant of the new place. @throws Problem validation. */
async function checkPlace(tx: Transaction, slot: Timeslot, { date, time }: { date: string; time: string }) {
  const { openingHours, timeZone } = slot
  if (slot.date === date && slot.time === time)
    throw problems.validation([{ field: 'Date', message: 'must be another day, or the time another one' }])
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

/** Only a closed timeslot on which nobody is may take over. @throws Problem timeslot-exists. */
async function reuse(tx: Transaction, by: Authorship, slot: Timeslot, targetId: number): Promise<number> {
  const target = await getTimeslot(tx, by.accountId, targetId)
  if (fixedBy(target) !== 'closed') throw problems.timeslotExists(targetId)
  const changed = await queries.takeOver(tx, by.accountId, { id: slot.id, targetId })
  await queries.deleteMove(tx, by.accountId, targetId)
  const isPriced = !isDeepStrictEqual(target.unitPrices, slot.unitPrices)
  const priced = isPriced ? pricedEvents(by, [target]) : []
  await appendEvents(tx, [...changeEvents(by, changed), ...priced])
  return targetId
}
