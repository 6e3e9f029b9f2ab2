/** Use cases of what the operator does by hand to single timeslots; each has the timeslot locked. */
import { lockAccount } from '../../../accounts/service.ts'
import type { Authorship } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import { problems } from '../../../http/problems.ts'
import { lockPlaces, offerPlaces } from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { getProduct } from '../../reading.ts'
import { changeEvents, madeEvents } from '../events.ts'
import { listInstants } from '../queries.ts'
import type { NewTimeslotRequest } from '../schemas.ts'
import * as queries from './queries.ts'

export { findTimeslotAt, listTimeslots, type Timeslot, type TimeslotFilter } from './queries.ts'

/** @throws Problem not-found. */
export async function getTimeslot(sql: Queryable, accountId: number, id: number): Promise<queries.Timeslot> {
  const slot = await queries.findTimeslot(sql, accountId, id)
  if (!slot) throw problems.timeslotNotFound()
  return slot
}

/**
 * Makes one timeslot, which belongs to no schedule.
 * @throws Problem not-found for the product; validation for a local time that its clocks skip; timeslot-exists.
 */
export async function createTimeslot(
  tx: Transaction,
  by: Authorship,
  productId: number,
  { Date: date, Time: time, Capacity: capacity }: NewTimeslotRequest,
): Promise<queries.Timeslot> {
  const { accountId } = by
  // Else the product could move to another time zone meanwhile.
  await lockAccount(tx, accountId)
  const { timeZone } = await getProduct(tx, accountId, productId)
  const [startsAt] = await listInstants(tx, [{ date, time, timeZone }])
  if (startsAt == null) {
    const message = `does not exist on ${date} in ${timeZone}, whose clocks skip that time`
    throw problems.validation([{ field: 'Time', message }])
  }
  const made = await queries.insertTimeslot(tx, accountId, { productId, date, time, startsAt, capacity })
  if (made) {
    await appendEvents(tx, madeEvents(by, [made]))
    return getTimeslot(tx, accountId, made.id)
  }
  const standing = await queries.findTimeslotAt(tx, accountId, { productId, date, time })
  throw standing ? problems.timeslotExists(standing.id) : problems.unavailable()
}

/**
 * Sets how many places a timeslot has. More of them are offered to those who wait before anybody can buy them.
 * @throws Problem not-found; capacity-below-booked.
 */
export async function changeCapacity(
  tx: Transaction,
  by: Authorship,
  { id, capacity }: { id: number; capacity: number },
): Promise<queries.Timeslot> {
  const { accountId } = by
  const slot = await lockTimeslot(tx, accountId, id)
  if (capacity < slot.booked + slot.held) throw problems.capacityBelowBooked(slot)
  await edit(tx, by, id, { capacity })
  if (capacity > slot.capacity) await offerPlaces(tx, [{ accountId, id }])
  return getTimeslot(tx, accountId, id)
}

/**
 * Takes a timeslot off sale. Its bookings and its waitlist stay.
 * @throws Problem not-found.
 */
export async function closeTimeslot(tx: Transaction, by: Authorship, id: number): Promise<queries.Timeslot> {
  await lockTimeslot(tx, by.accountId, id)
  await closeLocked(tx, by, id)
  return getTimeslot(tx, by.accountId, id)
}

/** The same for a timeslot that the caller has locked. */
export function closeLocked(tx: Transaction, by: Authorship, id: number): Promise<void> {
  return edit(tx, by, id, { status: 'closed' })
}

/**
 * Puts a timeslot on sale again, once those who wait for it were offered what is free.
 * @throws Problem not-found.
 */
export async function reopenTimeslot(tx: Transaction, by: Authorship, id: number): Promise<queries.Timeslot> {
  const { accountId } = by
  await lockTimeslot(tx, accountId, id)
  await edit(tx, by, id, { status: 'open' })
  await offerPlaces(tx, [{ accountId, id }])
  return getTimeslot(tx, accountId, id)
}

async function edit(
  tx: Transaction,
  by: Authorship,
  id: number,
  change: Parameters<typeof queries.updateByHand>[3],
): Promise<void> {
  await appendEvents(tx, changeEvents(by, await queries.updateByHand(tx, by.accountId, id, change)))
}

async function lockTimeslot(tx: Transaction, accountId: number, id: number) {
  const { slots } = await lockPlaces(tx, accountId, { timeslotIds: [id] })
  const slot = slots.get(id)
  if (!slot) throw problems.timeslotNotFound()
  return slot
}
