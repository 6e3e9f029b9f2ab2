/**
 * Offers free places of timeslots to the parties that wait for them, and ends the waitlist entries of
 * bookings. If a booking takes a whole timeslot, it gets the free places, and no party gets an offer.
 */

import { type Actor, theService } from '../events/actor.ts'
import { appendEvents } from '../events/append.ts'
import type { NewEvent } from '../events/event.ts'
import { inOrder, type Transaction } from '../platform/postgres/database.ts'
import { pickBought, placesOfWhole } from './bought.ts'
import { type BookingMove, writeChanges } from './changing.ts'
import {
  type LockedTimeslot,
  lockBaskets,
  lockBookings,
  lockSlots,
  lockWholeBookings,
  type RowKey,
} from './lock-queries.ts'
import { chooseOffers, sumDeltas, timeslotKey } from './model.ts'
import { endEntries, insertOffers, listWaiting, type WaitingParty } from './offer-queries.ts'
import { freeOf } from './on-sale.ts'
import { updateBought, updateCounters } from './queries.ts'

/**
 * Offers free places of locked timeslots of any number of accounts to the parties that wait, in the order of
 * joining. Places on offer are held for the account's offer time, but not after the sale of the timeslot
 * ends. changeBookings() calls this function; other code that frees or adds places, for example by a higher
 * capacity, must call it too.
 */
export async function offerPlaces(tx: Transaction, slots: readonly RowKey[]): Promise<void> {
  if (slots.length === 0) return
  const locked = (await lockSlots(tx, slots)).filter((slot) => freeOf(slot) > 0)
  const grown = await growBookings(tx, locked)
  const free = locked.filter(({ accountId, id, onSale }) => onSale && !grown.has(timeslotKey(accountId, id)))
  if (free.length === 0) return
  const waiting = await listWaiting(tx, free)
  const offers = free.flatMap((slot) => {
    const parties = waiting.filter(
      ({ accountId, timeslotId }) => accountId === slot.accountId && timeslotId === slot.id,
    )
    return chooseOffers(
      freeOf(slot),
      parties.map((party) => withPlacesNeeded(party, slot)),
    )
  })
  if (offers.length === 0) return
  const { bookings } = await inOrder({
    baskets: lockBaskets(
      tx,
      offers.map(({ accountId, basketId }) => ({ accountId, id: basketId })),
    ),
    bookings: lockBookings(
      tx,
      offers.map(({ accountId, bookingId }) => ({ accountId, id: bookingId })),
    ),
  })
  await insertOffers(tx, offers)
  const places = new Map(offers.map((offer) => [offer.bookingId, offer.places]))
  await appendEvents(
    tx,
    offers.map((offer) => entryEvent(theService, 'waitlist.offered', offer)),
  )
  await writeChanges(
    tx,
    theService,
    bookings.map((booking) => {
      const whole = booking.takesTimeslot && {
        bought: { ...pickBought(booking), places: places.get(booking.id)! },
      }
      return { booking, action: 'offered', to: { status: 'held', ...whole } }
    }),
  )
}

/**
 * The party with the places that it needs now. A party that wants the whole timeslot needs all its places,
 * or a place for each participant if these are more.
 */
function withPlacesNeeded(party: WaitingParty, { capacity }: LockedTimeslot): WaitingParty {
  return party.takesTimeslot ? { ...party, places: placesOfWhole(capacity, party.participants) } : party
}

/**
 * Gives the free places of a timeslot to the booking that takes the whole timeslot, so that no other party
 * can join.
 * @returns the timeslotKey() of each timeslot that a booking takes as a whole.
 */
async function growBookings(tx: Transaction, slots: readonly LockedTimeslot[]): Promise<Set<string>> {
  const taken = slots.filter(({ booked, held }) => booked + held > 0)
  if (taken.length === 0) return new Set()
  const free = new Map(taken.map((slot) => [timeslotKey(slot.accountId, slot.id), freeOf(slot)]))
  // The previous version of the service may have made two such bookings on a timeslot. One of them gets the
  // free places.
  const whole = new Map(
    (await lockWholeBookings(tx, taken)).map((booking) => [
      timeslotKey(booking.accountId, booking.timeslotId),
      booking,
    ]),
  )
  const bookings = [...whole.values()]
  const grown = [...whole].map(([key, booking]) => {
    return { ...booking, places: booking.places + free.get(key)! }
  })
  if (grown.length > 0) {
    await updateBought(tx, grown)
    await updateCounters(tx, sumDeltas(bookings.map((from, index) => ({ from, to: grown[index]! }))))
  }
  return new Set(whole.keys())
}

/** Ends the waitlist entries of bookings that were confirmed, were cancelled, or have expired. */
export async function endWaiting(tx: Transaction, actor: Actor, moves: BookingMove[]): Promise<void> {
  for (const [status, entry] of ends) {
    const ended = moves.filter(({ from, to }) => to.status === status && from.status !== status)
    if (ended.length === 0) continue
    const entries = await endEntries(
      tx,
      ended.map(({ to }) => to),
      entry,
    )
    await appendEvents(
      tx,
      entries.map((one) => entryEvent(actor, `waitlist.${entry}`, one)),
    )
  }
}

/** The event of a waitlist entry. */
export function entryEvent(
  actor: Actor,
  type: 'waitlist.joined' | 'waitlist.offered' | 'waitlist.taken' | 'waitlist.left' | 'waitlist.expired',
  { accountId, id, timeslotId }: RowKey & { timeslotId: number },
): NewEvent {
  return { accountId, actor, type, waitlistEntryId: id, timeslotId, details: {} }
}

/** The new status of a booking, and the status that its waitlist entry then gets. */
const ends = [
  ['confirmed', 'taken'],
  ['cancelled', 'left'],
  ['expired', 'expired'],
] as const
