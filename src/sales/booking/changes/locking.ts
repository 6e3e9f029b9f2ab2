/**
 * Locks the rows that a change of a booking needs, in the order in which all transactions lock. If the booking was
 * moved meanwhile, an error restarts the transaction.
 */

import type { Actor } from '../../../events/actor.ts'
import { problems } from '../../../http/problems.ts'
import { type Basket, type Booking, type LockedTimeslot, lockPlaces } from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { changedMeanwhile } from '../../../platform/postgres/errors.ts'
import { allows, type BookingOperation } from './model.ts'
import { findUnlocked, type UnlockedBooking } from './queries.ts'

/** The booking to change, and the actor. */
export type Subject = { accountId: number; reference: string; actor: Actor }

/** `basket` is null for a partner's booking that is not held: it has no row in `baskets`. */
export type LockedBooking = { booking: Booking; basket: Basket | null; slots: Map<number, LockedTimeslot> }

/** @throws Problem not-found when the account has no booking with this reference. */
export async function readUnlocked(
  sql: Queryable,
  { accountId, reference }: Pick<Subject, 'accountId' | 'reference'>,
): Promise<UnlockedBooking> {
  const existing = await findUnlocked(sql, accountId, reference)
  if (!existing) throw problems.bookingNotFound()
  return existing
}

/**
 * Locks the booking with its timeslot, other timeslots, and its basket.
 * @throws an error that restarts the transaction, if the booking was moved after it was read, because locking
 *   its new timeslot now would break the order of locks. The same error if the booking was deleted, which
 *   happens to old test bookings.
 */
export async function lockForChange(
  tx: Transaction,
  { accountId }: Subject,
  existing: UnlockedBooking,
  otherTimeslotIds: number[] = [],
): Promise<LockedBooking> {
  const { id, basketId, timeslotId } = existing
  const { slots, baskets, bookings } = await lockPlaces(tx, accountId, {
    timeslotIds: [timeslotId, ...otherTimeslotIds],
    basketIds: [basketId],
    bookingIds: [id],
  })
  const booking = bookings.get(id)
  if (booking?.timeslotId !== timeslotId) throw changedMeanwhile('a booking')
  return { booking, basket: baskets.get(basketId) ?? null, slots }
}

/**
 * Locks the booking for a change that does not affect its places. The timeslot is locked too: if a row is
 * updated twice in a transaction, PostgreSQL checks its foreign keys again, and would then wait for the
 * timeslot.
 * @throws Problem not-found; and as lockForChange().
 */
export async function lockBooking(tx: Transaction, subject: Subject): Promise<Booking> {
  const { booking } = await lockForChange(tx, subject, await readUnlocked(tx, subject))
  return booking
}

/** @throws Problem booking-not-changeable when its status does not allow the change. */
export function checkStatus({ status }: Booking, change: BookingOperation): void {
  if (!allows(status, change)) throw problems.bookingNotChangeable(status)
}
