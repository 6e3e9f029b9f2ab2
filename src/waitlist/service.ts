/**
 * Use cases of the waitlist: joining it for a full timeslot, taking an offer, leaving. Offers themselves are made
 * where places are freed, by places/.
 */

import { makeReference, normalizePhone } from '../bookings/model.ts'
import { activityUuid } from '../catalogue/model.ts'
import {
  type Actor,
  type BookingInsert,
  changeBookings,
  endBasket,
  findShortages,
  insertBasket,
  lockPlaces,
  makeBookings,
} from '../places/service.ts'
import type { Transaction } from '../platform/database.ts'
import { problems } from '../problems.ts'
import { type EntryRow, findEntry, findTimeslot, insertEntry, takeOffer } from './queries.ts'
import type { JoinRequest } from './schemas.ts'

export { type EntryRow, type EntryStatus, findEntry, listEntries } from './queries.ts'

/**
 * Puts a party on the waitlist of a timeslot that has too few places for it; its booking has the status
 * `waitlisted` and takes none.
 * @throws Problem validation for an unknown activity or a party larger than the timeslot, timeslot-unavailable,
 *   places-available when the party could simply be booked.
 */
export async function joinWaitlist(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  request: JoinRequest,
): Promise<EntryRow> {
  const { ActivityID, Date: date, Time: time, Participants: participants } = request
  const slot = await findTimeslot(tx, accountId, { activity: activityUuid(ActivityID), date, time })
  if (!slot) {
    const message = 'is not the ActivityID of a product of this account'
    throw problems.validation([{ field: 'ActivityID', message }])
  }
  const timeslotId = slot.id
  if (timeslotId === null) throw problems.timeslotUnavailable([])
  if (participants > slot.capacity) {
    const message = `must be at most ${slot.capacity}, the places that the timeslot has in all`
    throw problems.validation([{ field: 'Participants', message }])
  }
  const { slots } = await lockPlaces(tx, accountId, { timeslotIds: [timeslotId] })
  if (!slots.get(timeslotId)?.onSale) throw problems.timeslotUnavailable([])
  const wanted = { status: 'held', timeslotId, participants } as const
  const [shortage] = await findShortages(tx, accountId, [{ from: null, to: wanted }])
  if (!shortage) throw problems.placesAvailable()

  const basketId = await insertBasket(tx, accountId, { status: 'waiting', channel: 'online', payment: null })
  const booking = { ...toBooking(request), basketId, timeslotId }
  const [bookingId] = await makeBookings(tx, accountId, actor, [booking])
  const id = await insertEntry(tx, accountId, { bookingId: bookingId!, timeslotId })
  return (await findEntry(tx, accountId, id))!
}

function toBooking({ Participants, Customer, Answers = [] }: JoinRequest) {
  return {
    channel: 'online',
    status: 'waitlisted',
    reference: makeReference(),
    participants: Participants,
    firstName: Customer.FirstName,
    lastName: Customer.LastName,
    email: Customer.Email,
    phone: Customer.Phone === undefined ? null : normalizePhone(Customer.Phone),
    answers: JSON.stringify(Answers.map(({ QuestionID, Value }) => ({ QuestionID, Value }))),
  } as const satisfies Omit<BookingInsert, 'basketId' | 'timeslotId'>
}

/**
 * Takes an offer: its places stay held until they are paid for, as those of any basket do. Taking it again changes
 * nothing.
 * @throws Problem not-found, offer-over when there is no offer or it has run out.
 */
export async function takeWaitlistOffer(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  id: number,
): Promise<EntryRow> {
  const { entry, locked } = await lockEntry(tx, accountId, id)
  if (entry.status === 'taken') return entry
  const basket = locked.baskets.get(entry.basketId)
  const booking = locked.bookings.get(entry.bookingId)
  if (entry.status !== 'offered' || booking?.status !== 'held' || basket?.status !== 'open' || basket.isOver)
    throw problems.offerOver(entry.status)
  await takeOffer(tx, accountId, { id, basketId: basket.id })
  await changeBookings(tx, accountId, actor, [{ booking, action: 'offer-taken', to: {} }])
  return (await findEntry(tx, accountId, id))!
}

/**
 * Leaves the waitlist, or gives up an offer, whose places go to the next who waits. Leaving again changes nothing.
 * @throws Problem not-found, offer-over when the offer was taken or ran out.
 */
export async function leaveWaitlist(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  id: number,
): Promise<EntryRow> {
  const { entry, locked } = await lockEntry(tx, accountId, id)
  if (entry.status === 'left') return entry
  if (entry.status !== 'waiting' && entry.status !== 'offered') throw problems.offerOver(entry.status)
  const end = { id: entry.basketId, status: 'cancelled', cancelReason: 'customer' } as const
  await endBasket(tx, accountId, actor, end, [...locked.bookings.values()])
  return (await findEntry(tx, accountId, id))!
}

/** The entry as it is once everything it touches is locked. */
async function lockEntry(tx: Transaction, accountId: number, id: number) {
  const seen = await findEntry(tx, accountId, id)
  if (!seen) throw problems.waitlistEntryNotFound()
  const locked = await lockPlaces(tx, accountId, {
    timeslotIds: [seen.timeslotId],
    basketIds: [seen.basketId],
    bookingIds: [seen.bookingId],
  })
  return { entry: (await findEntry(tx, accountId, id))!, locked }
}
