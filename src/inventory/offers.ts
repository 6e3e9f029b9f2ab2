/** What becomes of those who wait for a timeslot: they are offered what is free, and their entries end. */

import { type Authorship, theService } from '../events/actor.ts'
import { appendEvents, type NewEvent } from '../events/append.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { type BookingMove, writeChanges } from './changing.ts'
import { lockSlots } from './lock-queries.ts'
import { lockPlaces } from './locking.ts'
import { chooseOffers } from './model.ts'
import { endEntries, insertOffers, listWaiting } from './offer-queries.ts'
import { freeOf } from './on-sale.ts'

/**
 * Offers what is free on locked timeslots to those who wait for it, in the order of joining: their places are held
 * for as long as the account says. To be called by whatever frees places in
 * another way than changeBookings(): a capacity raised, a timeslot opened again.
 */
export async function offerPlaces(
  tx: Transaction,
  accountId: number,
  timeslotIds: readonly number[],
): Promise<void> {
  if (timeslotIds.length === 0) return
  for (const slot of await lockSlots(tx, accountId, timeslotIds)) {
    const free = freeOf(slot)
    if (!slot.onSale || free <= 0) continue
    const offered = chooseOffers(free, await listWaiting(tx, accountId, slot.id))
    if (offered.length === 0) continue
    const { bookings } = await lockPlaces(tx, accountId, {
      timeslotIds: [],
      basketIds: offered.map(({ basketId }) => basketId),
      bookingIds: offered.map(({ bookingId }) => bookingId),
    })
    await insertOffers(tx, accountId, slot, offered)
    await appendEvents(
      tx,
      offered.map(({ id }) => entryEvent({ accountId, actor: theService }, 'waitlist.offered', id, slot.id)),
    )
    await writeChanges(
      tx,
      accountId,
      theService,
      [...bookings.values()].map((booking) => ({ booking, action: 'offered', to: { status: 'held' } })),
    )
  }
}

/** Ends the waitlist entries of those bookings that were bought, given up, or ran out of time. */
export async function endWaiting(tx: Transaction, by: Authorship, moves: BookingMove[]): Promise<void> {
  for (const [status, entry] of ends) {
    const ended = moves.filter(({ from, to }) => to.status === status && from.status !== status)
    const ids = ended.map(({ to }) => to.id)
    const entries = ids.length > 0 ? await endEntries(tx, by.accountId, ids, entry) : []
    await appendEvents(
      tx,
      entries.map(({ id, timeslotId }) => entryEvent(by, `waitlist.${entry}`, id, timeslotId)),
    )
  }
}

/** What happened to a waitlist entry. */
export function entryEvent(
  by: Authorship,
  type: 'waitlist.joined' | 'waitlist.offered' | 'waitlist.taken' | 'waitlist.left' | 'waitlist.expired',
  waitlistEntryId: number,
  timeslotId: number,
): NewEvent {
  return { ...by, type, waitlistEntryId, timeslotId, details: {} }
}

/** What a booking's new status means to the waitlist entry it came from. */
const ends = [
  ['confirmed', 'taken'],
  ['cancelled', 'left'],
  ['expired', 'expired'],
] as const
