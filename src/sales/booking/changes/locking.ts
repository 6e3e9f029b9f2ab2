/** Locks what a change of a booking touches, in the order that everything keeps, and begins anew where it moved. */

import type { Actor } from '../../../events/actor.ts'
import { problems } from '../../../http/problems.ts'
import { type Basket, type Booking, type LockedTimeslot, lockPlaces } from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { changedMeanwhile } from '../../../platform/postgres/errors.ts'
import { allows, type BookingOperation } from './model.ts'
import { findStanding, type StandingBooking } from './queries.ts'

/** Which booking is changed, and by whom. */
export type Subject = { accountId: number; reference: string; actor: Actor }

/** A partner's booking has no row of a basket. */
export type LockedBooking = { booking: Booking; basket: Basket | null; slots: Map<number, LockedTimeslot> }

/** @throws Problem not-found when the account has no booking of this reference. */
export async function readStanding(
  sql: Queryable,
  { accountId, reference }: Pick<Subject, 'accountId' | 'reference'>,
): Promise<StandingBooking> {
  const standing = await findStanding(sql, accountId, reference)
  if (!standing) throw problems.bookingNotFound()
  return standing
}

/**
 * Locks the booking with its timeslot, other timeslots, and its basket.
 * @throws an error that makes the transaction begin anew, when the booking was moved after it was read: to lock
 *   its new timeslot now would be out of order. Also when it is gone, as old test bookings are.
 */
export async function lockStanding(
  tx: Transaction,
  { accountId }: Subject,
  standing: StandingBooking,
  otherTimeslotIds: number[] = [],
): Promise<LockedBooking> {
  const { id, basketId, timeslotId } = standing
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
 * Locks the booking for a change that touches no places. The timeslot is locked all the same: a row that is
 * updated twice in one transaction has its foreign keys checked again, which would wait for the timeslot then.
 */
export async function lockBooking(tx: Transaction, subject: Subject): Promise<Booking> {
  const { booking } = await lockStanding(tx, subject, await readStanding(tx, subject))
  return booking
}

/** @throws Problem booking-not-changeable when its status does not allow the change. */
export function checkStatus({ status }: Booking, change: BookingOperation): void {
  if (!allows(status, change)) throw problems.bookingNotChangeable(status)
}
