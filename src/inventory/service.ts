/**
 * Everything that takes, moves or frees places after the partner's booking: inside a transaction of the caller's,
 * with timeslots locked first. Whatever is freed is offered to those who wait before anybody can buy it.
 */

import { type Actor, theService } from '../events/actor.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { type BookingChange, writeChanges } from './changing.ts'
import { listExpiredHolds } from './expiry-queries.ts'
import {
  type Basket,
  type Booking,
  type LockedTimeslot,
  listBookingsOfBaskets,
  lockSlots,
} from './lock-queries.ts'
import { byId } from './locking.ts'
import { type PlacesChange, sumTaken } from './model.ts'
import { endWaiting, offerPlaces } from './offers.ts'
import { freeOf } from './on-sale.ts'
import * as queries from './queries.ts'

export type { BookingChange } from './changing.ts'
export {
  type Basket,
  type BasketStatus,
  type Booking,
  type LockedTimeslot,
  listBookingsOfBaskets,
} from './lock-queries.ts'
export { type Locked, type LockedBasket, lockBasket, lockPlaces } from './locking.ts'
export type { BookingStatus } from './model.ts'
export { offerPlaces } from './offers.ts'
export {
  type Customer,
  insertBasket,
  insertBookings,
  insertChanges,
  type NewBooking,
  type PlacedBooking,
} from './queries.ts'

/** A timeslot that cannot give what is asked of it. `available` is 0 where it is not on sale. */
export type Shortage = { timeslotId: number; onSale: boolean; available: number }

/**
 * The timeslots of which changes would take more places than are free, after the holds on them whose time has
 * run out were released, but for those of the bookings that change. The timeslots are locked; a timeslot that is
 * closed or has begun gives none.
 */
export async function findShortages(
  tx: Transaction,
  accountId: number,
  changes: readonly PlacesChange[],
): Promise<Shortage[]> {
  const taken = sumTaken(changes)
  const ids = [...taken.keys()]
  const short = (slots: LockedTimeslot[]) => {
    const known = byId(slots)
    return ids.flatMap((id): Shortage[] => {
      const slot = known.get(id)
      const available = slot?.onSale ? freeOf(slot) : 0
      return available >= taken.get(id)! ? [] : [{ timeslotId: id, onSale: slot?.onSale ?? false, available }]
    })
  }
  if (ids.length === 0) return []
  const slots = await lockSlots(tx, accountId, ids)
  const shortages = short(slots)
  const worth = shortages.filter(({ timeslotId }) =>
    slots.some(({ id, held }) => id === timeslotId && held > 0),
  )
  if (worth.length === 0) return shortages
  const released = await releaseExpired(
    tx,
    accountId,
    worth.map(({ timeslotId }) => timeslotId),
    changes.flatMap(({ from }) => from?.id ?? []),
  )
  return released === 0 ? shortages : short(await lockSlots(tx, accountId, ids))
}

/**
 * Ends the holds on locked timeslots whose time has run out, but for those of some bookings, and offers their
 * places to those who wait. The other lines of their baskets, and the baskets themselves, are left to
 * sweepExpiredHolds(), or to a payment that comes late.
 * @returns how many it ended.
 */
export async function releaseExpired(
  tx: Transaction,
  accountId: number,
  timeslotIds: readonly number[],
  except: readonly number[] = [],
): Promise<number> {
  const expired = await listExpiredHolds(tx, accountId, { timeslotIds, except })
  await changeBookings(
    tx,
    accountId,
    theService,
    expired.map((booking) => ({ booking, action: 'expired', to: { status: 'expired' } })),
  )
  return expired.length
}

/** Makes bookings as insertBookings() does, and gives their ids in order. */
export async function makeBookings(
  tx: Transaction,
  placed: readonly queries.PlacedBooking[],
): Promise<number[]> {
  const made = await queries.insertBookings(tx, placed)
  const ids = new Map(made.map(({ id, reference }) => [reference, id]))
  return placed.map(({ booking }) => ids.get(booking.reference)!)
}

/**
 * Changes bookings whose timeslots (old and new), baskets and rows are locked: the rows, the counters, the
 * history, the waitlist entries of those that end, and then offers what was freed to those who wait. That the
 * places it takes are free is the caller's to have found; the database refuses what would sell one twice.
 */
export async function changeBookings(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  changes: BookingChange[],
): Promise<void> {
  if (changes.length === 0) return
  const { moves, deltas } = await writeChanges(tx, accountId, actor, changes)
  await endWaiting(tx, accountId, moves)
  const freed = deltas.filter(({ booked, held }) => booked + held < 0)
  await offerPlaces(
    tx,
    accountId,
    freed.map(({ timeslotId }) => timeslotId),
  )
}

/** Writes who travels on locked bookings; the history tells that it changed, not who it is. */
export async function changeCustomer(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  bookings: Booking[],
  customer: queries.Customer,
): Promise<void> {
  const ids = bookings.map(({ id }) => id)
  await queries.updateCustomers(tx, accountId, ids, customer)
  const rows = ids.map((bookingId) => ({ bookingId, action: 'customer-changed', details: {} }))
  await queries.insertChanges(tx, accountId, actor, rows)
}

/** Ends a locked basket that was not paid, once none of its lines stands any more. */
export async function endIfEmpty(
  tx: Transaction,
  accountId: number,
  { id, status }: Pick<Basket, 'id' | 'status'>,
): Promise<void> {
  if (status !== 'open' && status !== 'waiting') return
  const lines = await listBookingsOfBaskets(tx, accountId, [id])
  if (lines.every((line) => line.status === 'cancelled' || line.status === 'expired'))
    await queries.updateBasketStatus(tx, accountId, id, 'cancelled')
}

export type BasketEnd = {
  id: number
  status: 'cancelled' | 'expired'
  /** Only with `cancelled`. */
  cancelReason?: 'operator' | 'customer' | 'closure'
}

/** Ends a locked basket that was not paid, and frees what its locked bookings still hold. */
export async function endBasket(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  { id, status, cancelReason }: BasketEnd,
  bookings: Booking[],
): Promise<void> {
  await queries.updateBasketStatus(tx, accountId, id, status)
  await changeBookings(
    tx,
    accountId,
    actor,
    bookings
      .filter((booking) => booking.status === 'held' || booking.status === 'waitlisted')
      .map((booking) => ({
        booking,
        action: status,
        to: { status },
        ...(cancelReason && { cancelReason }),
      })),
  )
}
