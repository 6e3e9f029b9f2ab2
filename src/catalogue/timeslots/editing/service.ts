/** Use cases of manual changes of single timeslots by the operator. Each change of a timeslot locks it. */
import { lockAccount } from '../../../accounts/service.ts'
import type { Authorship } from '../../../events/actor.ts'
import { appendEvents } from '../../../events/append.ts'
import { problems } from '../../../http/problems.ts'
import { lockPlaces, offerPlaces } from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import type { FieldError } from '../../../platform/schema/validation.ts'
import { checkHoursFrom, type OpeningHoursField, toPeriods } from '../../opening-hours.ts'
import { getProduct } from '../../reading.ts'
import { updateSaleFlags } from '../../sale-flag-queries.ts'
import { resumeFollowing } from '../../schedules/timeslot-queries.ts'
import { checkOwnPrices, type OwnPrices, toOwnPrices } from '../../units/own-prices.ts'
import { changeEvents, madeEvents, pricedEvents } from '../events.ts'
import { listInstants } from '../local-time-queries.ts'
import type { NewTimeslotRequest, TimeslotChangeRequest } from '../schemas.ts'
import { deleteMove } from './move-queries.ts'
import * as queries from './queries.ts'

export { type DayTotals, listDayTotals } from './day-queries.ts'
export { listNearestOnSale, listNextOnSale, listOnSale } from './on-sale-queries.ts'
export {
  findTimeslotAt,
  listTimeslots,
  type Timeslot,
  type TimeslotAt,
  type TimeslotFilter,
} from './queries.ts'

/** @throws Problem not-found. */
export async function getTimeslot(sql: Queryable, accountId: number, id: number): Promise<queries.Timeslot> {
  const slot = await queries.findTimeslot(sql, accountId, id)
  if (!slot) throw problems.timeslotNotFound()
  return slot
}

/**
 * Makes one timeslot without a schedule.
 * @throws Problem not-found for the product; validation, also for a local time that a clock change skips;
 * timeslot-exists.
 */
export async function createTimeslot(
  tx: Transaction,
  by: Authorship,
  productId: number,
  { Date: date, Time: time, Capacity: capacity, OpeningHours = [], UnitPrices = [] }: NewTimeslotRequest,
): Promise<queries.Timeslot> {
  const { accountId } = by
  // While the account is locked, no other transaction can change the product's time zone.
  await lockAccount(tx, accountId)
  const product = await getProduct(tx, accountId, productId)
  const { timeZone } = product
  const [startsAt] = await listInstants(tx, [{ date, time, timeZone }])
  const errors: FieldError[] = [...checkHoursFrom(time, OpeningHours), ...checkOwnPrices(UnitPrices, product)]
  if (startsAt == null) {
    const message = `does not exist on ${date} in ${timeZone}, whose clocks skip that time`
    throw problems.validation([{ field: 'Time', message }, ...errors])
  }
  if (errors.length > 0) throw problems.validation(errors)
  const unitPrices = toOwnPrices(UnitPrices, product)
  const openingHours = toPeriods(OpeningHours)
  const row = { productId, date, time, startsAt, timeZone, capacity, openingHours, unitPrices }
  const made = await queries.insertTimeslot(tx, accountId, row)
  if (made) {
    if (UnitPrices.length > 0) await updateSaleFlags(tx, accountId, [productId], [productId])
    await appendEvents(tx, madeEvents(by, [made]))
    return getTimeslot(tx, accountId, made.id)
  }
  const existing = await queries.findTimeslotAt(tx, accountId, { productId, date, time })
  throw existing ? problems.timeslotExists(existing.id) : problems.unavailable()
}

/**
 * Changes the given fields of a timeslot: its capacity (by changeCapacity()), its opening hours, and its own
 * prices. Afterwards, changes of its schedule do not apply to it.
 * @throws Problem not-found; validation, also if no field is given; capacity-below-booked.
 */
export async function changeTimeslot(
  tx: Transaction,
  by: Authorship,
  { id, change }: { id: number; change: TimeslotChangeRequest },
): Promise<queries.Timeslot> {
  const { Capacity: capacity, OpeningHours, UnitPrices } = change
  if (capacity === undefined && OpeningHours === undefined && UnitPrices === undefined) {
    const message = 'is required unless OpeningHours or UnitPrices is given'
    throw problems.validation([{ field: 'Capacity', message }])
  }
  if (OpeningHours || UnitPrices) {
    // A transaction that locks the account and timeslots locks the account first. While the account is
    // locked, the time zone and the units of the product cannot change.
    await lockAccount(tx, by.accountId)
    await lockTimeslot(tx, by.accountId, id)
    const { productId, time } = await getTimeslot(tx, by.accountId, id)
    const product = await getProduct(tx, by.accountId, productId)
    const errors = [...checkHoursFrom(time, OpeningHours ?? []), ...checkOwnPrices(UnitPrices ?? [], product)]
    if (errors.length > 0) throw problems.validation(errors)
    if (OpeningHours) await changeHours(tx, by, id, OpeningHours)
    if (UnitPrices) await changePrices(tx, by, { id, productId, prices: toOwnPrices(UnitPrices, product) })
  }
  if (capacity !== undefined) await changeCapacity(tx, by, { id, capacity })
  return getTimeslot(tx, by.accountId, id)
}

/**
 * Writes opening hours, and offers free places to the waitlist, because a later closing may put places on
 * sale again.
 */
async function changeHours(tx: Transaction, by: Authorship, id: number, hours: OpeningHoursField) {
  await edit(tx, by, id, { openingHours: toPeriods(hours) ?? [] })
  await offerPlaces(tx, [{ accountId: by.accountId, id }])
}

async function changePrices(
  tx: Transaction,
  by: Authorship,
  { id, productId, prices }: { id: number; productId: number; prices: OwnPrices },
) {
  const changed = await queries.updatePrices(tx, by.accountId, id, prices)
  if (changed.length > 0) await updateSaleFlags(tx, by.accountId, [productId], [productId])
  await appendEvents(tx, pricedEvents(by, changed))
}

/**
 * Sets the capacity of a timeslot. Added places are offered to the waitlist before any request can buy them.
 * @returns by how many places `held` has grown: places offered to the waitlist, or added to a held booking of
 * the whole timeslot.
 * @throws Problem not-found; capacity-below-booked.
 */
export async function changeCapacity(
  tx: Transaction,
  by: Authorship,
  { id, capacity }: { id: number; capacity: number },
): Promise<number> {
  const { accountId } = by
  const slot = await lockTimeslot(tx, accountId, id)
  if (capacity < slot.booked + slot.held) throw problems.capacityBelowBooked(slot)
  await edit(tx, by, id, { capacity })
  if (capacity <= slot.capacity) return 0
  await offerPlaces(tx, [{ accountId, id }])
  const { held } = await getTimeslot(tx, accountId, id)
  return held - slot.held
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

/** Closes a timeslot that the caller has locked, so that it is no longer on sale. */
export function closeLocked(tx: Transaction, by: Authorship, id: number): Promise<void> {
  return edit(tx, by, id, { status: 'closed' })
}

/**
 * Puts a timeslot on sale again. Its free places are offered to the waitlist first. If it does not differ
 * from its schedule, changes of the schedule apply to it again (resumeFollowing()). Reopening a timeslot that
 * is already open does not mark it as edited.
 * @throws Problem not-found.
 */
export async function reopenTimeslot(tx: Transaction, by: Authorship, id: number): Promise<queries.Timeslot> {
  const { accountId } = by
  await lockTimeslot(tx, accountId, id)
  await edit(tx, by, id, { status: 'open' })
  await resumeFollowing(tx, accountId, id)
  await deleteMove(tx, accountId, id)
  await offerPlaces(tx, [{ accountId, id }])
  return getTimeslot(tx, accountId, id)
}

async function edit(
  tx: Transaction,
  by: Authorship,
  id: number,
  change: queries.TimeslotEdit,
): Promise<void> {
  await appendEvents(tx, changeEvents(by, await queries.updateByHand(tx, by.accountId, id, change)))
}

async function lockTimeslot(tx: Transaction, accountId: number, id: number) {
  const { slots } = await lockPlaces(tx, accountId, { timeslotIds: [id] })
  const slot = slots.get(id)
  if (!slot) throw problems.timeslotNotFound()
  return slot
}
