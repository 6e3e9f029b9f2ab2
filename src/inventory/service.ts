/**
 * Takes, moves and frees places. The statement in sale-queries.ts takes places too. The functions run in a
 * transaction of the caller, in which timeslots are locked before promotions, baskets and bookings. Freed
 * places are offered to the waitlist before any other request can buy them.
 */

import { type Actor, theService } from '../events/actor.ts'
import { appendEvents } from '../events/append.ts'
import type { NewEvent } from '../events/event.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { changedMeanwhile, isTaken } from '../platform/postgres/errors.ts'
import { partyDetails } from './bought.ts'
import { type BookingChange, bookingEvent, writeChanges } from './changing.ts'
import { listExpiredHolds } from './expiry-queries.ts'
import { type Booking, type LockedTimeslot, lockSlots, type RowKey } from './lock-queries.ts'
import { type PlacesChange, sumTaken, timeslotKey } from './model.ts'
import { endWaiting, offerPlaces } from './offers.ts'
import { freeOf } from './on-sale.ts'
import * as queries from './queries.ts'

export {
  type Bought,
  type BoughtUnit,
  countUnits,
  onWholeTimeslot,
  peopleOf,
  pickBought,
  placesOfWhole,
  priceOf,
  totalOf,
} from './bought.ts'
export { boughtColumns, participants, peopleAbsent, peopleHere } from './bought-queries.ts'
export { type BookingChange, bookingEvent, type EventBooking } from './changing.ts'
export type { Basket, BasketStatus, Booking, LockedTimeslot } from './lock-queries.ts'
export { listBookingsOfBaskets } from './lock-queries.ts'
export { type Locked, type LockedBasket, lockBasket, lockPlaces, type MoreToLock } from './locking.ts'
export type { BookingStatus } from './model.ts'
export { entryEvent, offerPlaces } from './offers.ts'
export type { Customer, NewBooking, PlacedBooking } from './queries.ts'
export { makeTickets } from './tickets.ts'

/** A timeslot with too few free places. `available` is 0 if the timeslot is not on sale. */
export type Shortage = { accountId: number; timeslotId: number; onSale: boolean; available: number }

/**
 * Locks the timeslots, of any number of accounts, on which the changes take more places than they free, and
 * returns those that have too few free places. If places are short, it first releases expired holds, except
 * the holds of the changing bookings. A timeslot that is not on sale has no free places.
 */
export async function findShortages(tx: Transaction, changes: readonly PlacesChange[]): Promise<Shortage[]> {
  const taken = sumTaken(changes)
  if (taken.length === 0) return []
  const keys = taken.map(({ accountId, timeslotId }) => ({ accountId, id: timeslotId }))
  const short = (slots: LockedTimeslot[]) => {
    const known = new Map(slots.map((slot) => [timeslotKey(slot.accountId, slot.id), slot]))
    return taken.flatMap(({ accountId, timeslotId, places }): Shortage[] => {
      const slot = known.get(timeslotKey(accountId, timeslotId))
      const available = slot?.onSale ? freeOf(slot) : 0
      return available >= places ? [] : [{ accountId, timeslotId, onSale: slot?.onSale ?? false, available }]
    })
  }
  const slots = await lockSlots(tx, keys)
  const shortages = short(slots)
  const slotsWithHolds = slots.filter(
    ({ accountId, id, held }) =>
      held > 0 && shortages.some((short) => short.accountId === accountId && short.timeslotId === id),
  )
  if (slotsWithHolds.length === 0) return shortages
  const released = await releaseExpired(
    tx,
    slotsWithHolds,
    changes.flatMap(({ from }) => from?.id ?? []),
  )
  return released === 0 ? shortages : short(await lockSlots(tx, keys))
}

/**
 * Ends expired holds on locked timeslots of any number of accounts, and offers their places to the waitlist.
 * The baskets of these holds, and lines of these baskets on other timeslots, do not end here:
 * sweepExpiredHolds() ends the baskets with their lines, unless a late payment comes first.
 * @param except the ids of bookings whose holds stay.
 * @returns how many holds it ended.
 */
export async function releaseExpired(
  tx: Transaction,
  slots: readonly RowKey[],
  except: readonly number[] = [],
): Promise<number> {
  const expired = await listExpiredHolds(tx, slots, except)
  await changeBookings(
    tx,
    theService,
    expired.map((booking) => ({ booking, action: 'expired', to: { status: 'expired' } })),
  )
  return expired.length
}

/**
 * Makes bookings of any number of accounts, on locked timeslots with enough free places: rows, counters and
 * events. If all bookings have ids, it sends the statements for bookings and events before it waits for a
 * result. Returns the ids of the bookings in the order of `placed`.
 * @throws if a booking reference is taken: an error that isReferenceTaken() recognises, or a retryable error
 * if the insert draws ids.
 */
export async function makeBookings(
  tx: Transaction,
  placed: readonly queries.PlacedBooking[],
): Promise<number[]> {
  const inserting = queries.insertBookings(tx, placed).execute()
  const drawn = placed.flatMap(({ booking }) => booking.id ?? [])
  const ids = drawn.length === placed.length ? drawn : idsInOrder(placed, await retryable(inserting))
  const appending = appendEvents(
    tx,
    placed.map((one, index) => madeEvent(one, ids[index]!)),
  )
  await Promise.all([inserting, appending])
  return ids
}

/**
 * Whether a booking was refused because another booking has its reference. The next try needs a new
 * reference.
 */
export function isReferenceTaken(error: unknown): boolean {
  return isTaken(error, 'bookings_account_id_reference_key')
}

async function retryable<T>(inserting: Promise<T>): Promise<T> {
  try {
    return await inserting
  } catch (error) {
    throw isReferenceTaken(error) ? changedMeanwhile('a booking reference') : error
  }
}

function idsInOrder(
  placed: readonly queries.PlacedBooking[],
  made: readonly (RowKey & { reference: string })[],
): number[] {
  const ids = new Map(made.map(({ accountId, id, reference }) => [`${accountId} ${reference}`, id]))
  return placed.map(({ booking: { accountId, reference } }) => ids.get(`${accountId} ${reference}`)!)
}

function madeEvent({ booking, slot, bought }: queries.PlacedBooking, id: number): NewEvent {
  const { status, channel, basketId, partnerId } = booking
  const details = channel === 'partner' && !bought.units ? {} : partyDetails(bought)
  const made = { id, basketId, timeslotId: slot.id, partnerId, channel }
  const event = bookingEvent(booking, made, { action: status, details })
  return { ...event, traceContext: booking.traceContext ?? null }
}

/**
 * Changes bookings of any number of accounts: the rows, the counters, the tickets, the events, and the
 * waitlist entries of bookings that were confirmed or ended. Then it offers freed places to the waitlist. The
 * caller has locked the bookings, their baskets and their old and new timeslots, and has checked that the
 * needed places are free. A constraint rejects a change that would sell a place twice.
 * @throws as changeTickets().
 */
export async function changeBookings(tx: Transaction, actor: Actor, changes: BookingChange[]): Promise<void> {
  if (changes.length === 0) return
  const { moves, deltas } = await writeChanges(tx, actor, changes)
  await endWaiting(tx, actor, moves)
  const freed = deltas.filter(({ booked, held }) => booked + held < 0)
  await offerPlaces(
    tx,
    freed.map(({ accountId, timeslotId }) => ({ accountId, id: timeslotId })),
  )
}

/**
 * Writes the customer of locked bookings. The event in their history says that the customer changed, without
 * the data.
 */
export async function changeCustomer(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  bookings: Booking[],
  customer: queries.Customer,
): Promise<void> {
  const ids = bookings.map(({ id }) => id)
  await queries.updateCustomers(tx, accountId, ids, customer)
  const by = { accountId, actor }
  await appendEvents(
    tx,
    bookings.map((booking) => bookingEvent(by, booking, { action: 'customer-changed' })),
  )
}
