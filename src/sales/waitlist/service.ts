/**
 * Use cases of the waitlist: join it for a full timeslot, take an offer, and leave it. src/inventory/ makes
 * the offers when places become free.
 */

import type { Actor, Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { endIfEmpty, makeBasket } from '../../inventory/baskets.ts'
import {
  changeBookings,
  entryEvent,
  findShortages,
  lockBasket,
  lockPlaces,
  makeBookings,
} from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { changedMeanwhile } from '../../platform/postgres/errors.ts'
import { describeWithin, readDescribedBasket } from '../basket/description.ts'
import { answersOfLines, missingAnswers, storedAnswers } from '../basket/line-answers.ts'
import { findLines, priceLines, refusalOf, toBookings } from '../basket/lines.ts'
import { getLocked } from '../basket/locking.ts'
import { sumLines } from '../basket/model.ts'
import { complete } from '../basket/paying.ts'
import type { LineAnswer } from '../booking/answer-fields.ts'
import { toCustomer } from '../booking/customer.ts'
import { discountBaskets } from '../promotion/applying.ts'
import { findEntry, insertEntry, takeOffer, type WaitlistEntryRow } from './queries.ts'
import type { JoinRequest } from './schemas.ts'

export {
  type EntryStatus,
  findEntry,
  findEntryOf,
  listEntries,
  listPending,
  listToCall,
  type WaitlistEntryRow,
} from './queries.ts'

const unreachable = { field: 'Customer.Email', message: 'or a phone number must be given' }

/**
 * Puts a party on the waitlist of a timeslot that has too few places for it. The party gets a booking with
 * the status `waitlisted`, which takes no places.
 * @throws Problem validation for an unknown activity or question, a party that breaks rules of the product or
 *   is larger than the timeslot, or a customer without e-mail address and phone number; places-available if
 *   the party can be booked; PlacesRefused if the timeslot does not exist or is not on sale.
 */
export async function joinWaitlist(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  request: JoinRequest,
): Promise<WaitlistEntryRow> {
  if (!request.Customer.Email && !request.Customer.Phone) throw problems.validation([unreachable])
  const [line] = await findLines(tx, accountId, 'pos', [request], () => '')
  const { timeslotId } = line!
  const { slots } = await lockPlaces(tx, accountId, { timeslotIds: [timeslotId] })
  const [priced] = priceLines(accountId, [line!], slots, () => '', { waits: true })
  const slot = slots.get(timeslotId)!
  const { places } = priced!.bought
  if (places > slot.capacity) {
    const message = `must be at most ${slot.capacity}, the places that the timeslot has in all`
    throw problems.validation([{ field: request.Units ? 'Units' : 'Participants', message }])
  }
  if (!slot.onSale)
    throw refusalOf(accountId, [priced!], [{ accountId, timeslotId, onSale: false, available: 0 }])
  const wanted = { accountId, status: 'held', timeslotId, places } as const
  const [shortage] = await findShortages(tx, [{ from: null, to: wanted }])
  if (!shortage) throw problems.placesAvailable()

  const channel = actor.kind === 'user' ? 'pos' : 'online'
  const basketId = await makeBasket(tx, { accountId, actor }, { status: 'waiting', channel, payment: null })
  const common = { accountId, actor, basketId, channel, status: 'waitlisted' } as const
  const placed = toBookings([priced!], { ...common, ...toCustomer(request.Customer) })
  const [bookingId] = await makeBookings(tx, placed)
  const id = await insertEntry(tx, accountId, { bookingId: bookingId!, timeslotId })
  await appendEvents(tx, [entryEvent(actor, 'waitlist.joined', { accountId, id, timeslotId })])
  return (await findEntry(tx, accountId, id))!
}

/**
 * Takes an offer: its places are held like those of any open basket, until the basket is paid or the hold expires.
 * Taking it again changes nothing.
 * @throws Problem not-found; offer-over if there is no offer, or if the offer has expired.
 */
export async function takeWaitlistOffer(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  id: number,
): Promise<WaitlistEntryRow> {
  const { entry, basket, booking } = await lockEntry(tx, accountId, id)
  if (entry.status === 'taken') return entry
  if (entry.status !== 'offered' || booking.status !== 'held' || basket.status !== 'open' || basket.isOver)
    throw problems.offerOver(entry.status)
  await takeOffer(tx, accountId, { id, basketId: basket.id })
  await appendEvents(tx, [entryEvent(actor, 'waitlist.taken', { ...booking, id })])
  await changeBookings(tx, actor, [{ booking, action: 'offer-taken', to: {} }])
  return (await findEntry(tx, accountId, id))!
}

/**
 * Takes an offer for its customer, and stores the customer's answers. If the total of the basket is 0, the
 * basket is completed at once. If the offer was taken before and is not paid yet, the answers are still
 * stored.
 * @param answers the answers in the form; null to keep the stored answers.
 * @throws as takeWaitlistOffer(); Problem validation, which names the field of each required question that has no
 * answer.
 */
export async function takeOwnOffer(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  { id, answers }: { id: number; answers: readonly LineAnswer[] | null },
): Promise<WaitlistEntryRow> {
  const entry = await takeWaitlistOffer(tx, accountId, actor, id)
  if (entry.bookingStatus === 'held') await writeAnswers(tx, { accountId, actor }, entry.basketId, answers)
  const locked = await getLocked(tx, accountId, entry.basketId, { promotionIds: [] })
  const { basket, lines } = locked
  const total = sumLines(lines)
  const free = { method: 'online', minor: 0n, reference: null } as const
  if (basket.status === 'open' && !basket.isOver && total?.minor === 0n)
    await complete(tx, { accountId, actor }, locked, { ...free, currency: total.currency })
  return entry
}

async function writeAnswers(
  tx: Transaction,
  by: Authorship,
  basketId: number,
  answers: readonly LineAnswer[] | null,
): Promise<void> {
  const { lines } = await readDescribedBasket(tx, by.accountId, basketId)
  const missing = missingAnswers(lines, answers ?? storedAnswers(lines))
  if (missing.length > 0) throw problems.validation(missing)
  if (answers === null) return
  const Lines = answersOfLines(lines, answers).map(({ line, own }) => ({
    BookingReference: line.BookingReference,
    Answers: own,
  }))
  await describeWithin(tx, by, { basketId, request: { Lines } })
}

/**
 * Removes a party from the waitlist. If it has an offer, the places are offered to the next party. The other
 * lines stay in the basket. Leaving again changes nothing.
 * @throws Problem not-found; offer-over if the offer was taken, or if the entry has expired.
 */
export async function leaveWaitlist(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  id: number,
): Promise<WaitlistEntryRow> {
  const { entry, basket, booking } = await lockEntry(tx, accountId, id)
  if (entry.status === 'left') return entry
  if (entry.status !== 'waiting' && entry.status !== 'offered') throw problems.offerOver(entry.status)
  await changeBookings(tx, actor, [
    { booking, action: 'cancelled', to: { status: 'cancelled' }, cancelReason: 'customer' },
  ])
  await discountBaskets(tx, accountId, [basket.id])
  await endIfEmpty(tx, { accountId, actor }, basket)
  return (await findEntry(tx, accountId, id))!
}

/**
 * Locks the basket of an entry with all its lines, and then reads the entry. The basket may also have lines
 * that do not come from the waitlist.
 * @throws Problem not-found; a retryable error if the entry was deleted meanwhile, as old test bookings are.
 */
async function lockEntry(tx: Transaction, accountId: number, id: number) {
  const seen = await findEntry(tx, accountId, id)
  if (!seen) throw problems.waitlistEntryNotFound()
  const locked = await lockBasket(tx, accountId, seen.basketId, { promotionIds: [] })
  const booking = locked?.lines.find((line) => line.id === seen.bookingId)
  if (!booking) throw changedMeanwhile('a waitlist entry')
  return { entry: (await findEntry(tx, accountId, id))!, basket: locked!.basket, booking }
}
