/**
 * Moves a booking to another timeslot, with a changed party or not. The booking keeps its old places until it has the
 * new ones.
 */
import { isDeepStrictEqual } from 'node:util'
import { activityUuid } from '../../../catalogue/model.ts'
import { findTimeslotAt } from '../../../catalogue/timeslots/editing/service.ts'
import { moneyProblems } from '../../../http/money-problems.ts'
import { problems } from '../../../http/problems.ts'
import { PlacesRefused } from '../../../inventory/alternatives.ts'
import { listTermsInForce } from '../../../inventory/partner-terms-queries.ts'
import type { PriceList } from '../../../inventory/price-list.ts'
import {
  type Booking,
  type Bought,
  changeBookings,
  countUnits,
  findShortages,
  type LockedTimeslot,
  onWholeTimeslot,
  pickBought,
  totalOf,
} from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { toExactMinorUnits, toMoney } from '../../../platform/text/money.ts'
import type { RefundChoiceRequest } from '../../ledger/refund-schemas.ts'
import { findTakenOff } from '../../promotion/applying.ts'
import { type Party, placesWanted } from '../pricing.ts'
import { decideDifference, storeDifference } from './difference.ts'
import { checkStatus, lockForChange, readUnlocked, type Subject } from './locking.ts'
import { type MovePrice, priceAnew } from './pricing-anew.ts'
import { findProduct } from './queries.ts'
import { repriceParty } from './repricing.ts'

/** `activityId` is null for the same product, and `party` for the same party. */
export type MoveTarget = {
  activityId: string | null
  date: string
  time: string
  party: Party | null
  /** When left out, the price is kept. `current` is only for the operator's own sales. */
  price?: MovePrice
  /** The total that the booking must have after the move, in its currency. Without it, any total is accepted. */
  expectedTotal?: string | undefined
  /** False if no workflow may send the customer an e-mail about the move. */
  notifyCustomer?: boolean
  /** The refund if the booking becomes cheaper. */
  refund?: RefundChoiceRequest | undefined
}

/**
 * Moves a confirmed booking, at its own prices or at today's prices. A move to another timeslot clears the
 * check-in. At its own prices, additions to the party have today's price. With the same timeslot, party and
 * price, nothing changes.
 * @throws Problem not-found; validation for an unknown ActivityID, a party that breaks rules, an expected
 *   total that is not an amount, or an impossible price or refund; booking-not-changeable; total-differs;
 *   quantity-below-redeemed; PlacesRefused.
 */
export async function move(
  tx: Transaction,
  subject: Subject,
  { activityId, date, time, party, price = 'kept', expectedTotal, refund, notifyCustomer = true }: MoveTarget,
): Promise<void> {
  const { accountId, actor } = subject
  const existing = await readUnlocked(tx, subject)
  const product = activityId === null ? existing : await findProduct(tx, accountId, activityUuid(activityId))
  if (!product)
    throw problems.validation([
      { field: 'ActivityID', message: 'is not the ActivityID of a product of this account' },
    ])
  const { productId, activity } = product
  const timeslotId = (await findTimeslotAt(tx, accountId, { productId, date, time }))?.id ?? null
  const others = timeslotId === null ? [] : [timeslotId]
  const { booking, slots } = await lockForChange(tx, subject, existing, others)
  checkStatus(booking, 'move')
  checkPrice(booking, price)
  const slot = timeslotId === null ? undefined : slots.get(timeslotId)
  const buy = (there: LockedTimeslot) =>
    price === 'current' ? boughtAnew(tx, booking, party, there) : boughtThere(tx, booking, party, there)
  const bought = slot ? await buy(slot) : pickBought(booking)
  if (slot && expectedTotal !== undefined) checkTotal(bought, expectedTotal)
  if (timeslotId === booking.timeslotId && isDeepStrictEqual(bought, pickBought(booking))) return
  const wanted = { accountId, activity, date, time, ...placesWanted(bought) }
  if (!slot) throw new PlacesRefused(wanted, { onSale: false, available: 0 })
  const to = { timeslotId: slot.id, bought }
  const [shortage] = await findShortages(tx, [
    { from: booking, to: { ...booking, ...bought, timeslotId: slot.id } },
  ])
  if (shortage) throw new PlacesRefused(wanted, shortage)
  const there = { productId, timeslotId: slot.id, date, time }
  const decided = await decideDifference(tx, booking, bought, { cause: 'moved', refund })
  // Without a new party the number of people can change too: on another product, a unit with the same name
  // may be for another number of people.
  const isOther = party !== null || bought.participants !== booking.participants
  const details = {
    ...moveDetails(existing, there, booking, isOther ? bought : null),
    ...(!notifyCustomer && { TellCustomer: false as const }),
    ...decided.details,
  }
  await changeBookings(tx, actor, [{ booking, to, action: 'moved', details }])
  await storeDifference(tx, subject, decided)
}

/** @throws Problem validation for a new price of a partner's booking. */
export function checkPrice({ channel }: Pick<Booking, 'channel'>, price: MovePrice): void {
  if (channel !== 'partner' || price === 'kept') return
  const message = 'must be kept for a partner’s booking: the partner sold it at this price'
  throw problems.validation([{ field: 'Price', message }])
}

/**
 * @throws Problem total-differs if the total is not the expected one; validation for a text that is not an amount
 *   in the currency of the booking.
 */
function checkTotal(bought: Bought, expected: string): void {
  const { currency } = bought
  const expectedMinor = toExactMinorUnits(expected, currency)
  if (expectedMinor === null)
    throw problems.validation([{ field: 'ExpectedTotal', message: `must be an amount of ${currency}` }])
  const total = totalOf(bought)
  if (expectedMinor !== total) throw moneyProblems.totalDiffers(toMoney(total, currency))
}

type MovePlace = { productId: number; timeslotId: number; date: string; time: string }

/** The history's details of a move, and of the new party if one is given. */
export function moveDetails(from: MovePlace, to: MovePlace, booking: Booking, bought: Bought | null) {
  const place = ({ productId, timeslotId, date, time }: MovePlace) => {
    return { ProductID: productId, TimeslotID: timeslotId, Date: date, Time: time }
  }
  const party = bought && {
    FromParticipants: booking.participants,
    ToParticipants: bought.participants,
    ...unitChange(booking, bought),
  }
  return { From: place(from), To: place(to), ...party }
}

/** The history's details of a changed party. */
export function amendDetails(booking: Booking, bought: Bought) {
  return { From: booking.participants, To: bought.participants, ...unitChange(booking, bought) }
}

/**
 * The purchase of a booking after a move to a timeslot, at its own prices. On another timeslot it takes all
 * places if it did so before, or if the product is sold by whole timeslots.
 * @param party null for the same party.
 * @throws Problem validation for a party that breaks rules.
 */
export async function boughtThere(
  tx: Transaction,
  booking: Booking,
  party: Party | null,
  slot: LockedTimeslot,
): Promise<Bought> {
  const isThere = slot.id === booking.timeslotId
  if (party && !isSameParty(booking, party))
    return repriced(tx, booking, party, { ...slot, takesTimeslot: !isThere && slot.takesTimeslot })
  if (isThere || !(booking.takesTimeslot || slot.takesTimeslot)) return pickBought(booking)
  return onWholeTimeslot(booking, slot.capacity)
}

/** The purchase of a booking on a timeslot at today's prices. */
async function boughtAnew(
  tx: Transaction,
  booking: Booking,
  party: Party | null,
  slot: LockedTimeslot,
): Promise<Bought> {
  const taken = await findTakenOff(tx, booking)
  const { bought, errors } = priceAnew(booking, party, slot, { capacity: slot.capacity, ...taken })
  if (errors) throw problems.validation(errors)
  return bought
}

/**
 * Whether a requested party is that of the booking: the same number of people, and no units given. The
 * booking then keeps its units.
 */
export function isSameParty({ participants }: Pick<Bought, 'participants'>, party: Party): boolean {
  return party.units === null && party.participants === participants
}

/**
 * Prices the changed party of a booking. A booking of a whole timeslot keeps all of it, even if its product is no
 * longer sold that way.
 * @throws Problem validation for a party that breaks rules.
 */
export async function repriced(
  sql: Queryable,
  booking: Bought & Pick<Booking, 'id' | 'accountId' | 'partnerId' | 'basketId'>,
  party: Party,
  slot: PriceList & Pick<LockedTimeslot, 'capacity'>,
): Promise<Bought> {
  const { accountId, partnerId, netMinor } = booking
  const { productId, capacity, hasPartnerTerms } = slot
  const asks = netMinor !== null && partnerId !== null && hasPartnerTerms
  const [terms = null] = asks ? await listTermsInForce(sql, [{ accountId, partnerId, productId }]) : []
  const takesTimeslot = booking.takesTimeslot || slot.takesTimeslot
  const on = { capacity, terms, ...(await findTakenOff(sql, booking)) }
  const { bought, errors } = repriceParty(booking, party, { ...slot, takesTimeslot }, on)
  if (errors) throw problems.validation(errors)
  return bought
}

/** The units before and after; empty if the booking has none before and after. */
function unitChange({ units: from }: Bought, { units: to }: Bought) {
  return from || to ? { FromUnits: countUnits(from ?? []), ToUnits: countUnits(to ?? []) } : {}
}
