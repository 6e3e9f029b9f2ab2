/**
 * Changes a reseller's reservation or booking: its timeslot, units, contact data and other details. Either
 * all of the change is made, or none of it.
 */
import { isDeepStrictEqual } from 'node:util'
import { activityUuid } from '../../catalogue/model.ts'
import type { Actor } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import { refusalProblem } from '../../inventory/alternatives.ts'
import { deleteHoldingBaskets } from '../../inventory/hold-queries.ts'
import { unitOf } from '../../inventory/holds.ts'
import { sellUnder } from '../../inventory/partner-terms.ts'
import { listTermsInForce } from '../../inventory/partner-terms-queries.ts'
import {
  type Booking,
  type Bought,
  changeBookings,
  findShortages,
  type LockedTimeslot,
  pickBought,
} from '../../inventory/service.ts'
import { insertTickets, voidTickets } from '../../inventory/ticket-queries.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { checkStatus, lockForChange } from '../booking/changes/locking.ts'
import { amendDetails, boughtThere, moveDetails } from '../booking/changes/moving.ts'
import { findCutoff } from '../booking/changes/queries.ts'
import { type Party, priceParty } from '../booking/pricing.ts'
import { hasRedeemed } from '../ticket/queries.ts'
import { findObstacle } from './confirming.ts'
import { type GivenDetails, noteChange, writeDetails, writeTicketDetails } from './describing.ts'
import { lengthenHold } from './extending.ts'
import { haveSameUnits, matchTickets, partyOf, type RequestedItem, type TicketMatch } from './model.ts'
import * as queries from './queries.ts'

export type Rearrangement = GivenDetails & {
  /** The new timeslot; when left out, the present one. */
  slot?: { activityId: string; date: string; time: string } | undefined
  /** All units of the result; when left out, the present ones. */
  items?: readonly RequestedItem[] | undefined
  /** The new hold time from now, in minutes; ignored for a confirmed booking. If left out, the hold is not extended. */
  holdMinutes?: number | undefined
}

/**
 * Changes a held reservation or a confirmed booking. With `confirm`, a held reservation is confirmed too, and a
 * confirmed booking stays as it is. A held reservation keeps its prices as long as it keeps its timeslot and
 * the number of each unit; otherwise all its units get today's prices. In a confirmed booking that keeps its
 * product, the units that it keeps also keep their prices.
 * @throws Problem reservation-over; booking-not-changeable, also if the places of a confirmed booking would
 *   change although it is checked in or has a redeemed ticket; cutoff-passed if they would change after its
 *   cut-off; validation; insufficient-capacity; timeslot-unavailable.
 */
export async function rearrange(
  tx: Transaction,
  { reserved, actor }: { reserved: queries.Reserved; actor: Actor },
  wanted: Rearrangement,
  { confirm }: { confirm: boolean },
): Promise<void> {
  const { accountId, reference } = reserved
  const target = wanted.slot && (await findTarget(tx, accountId, wanted.slot))
  const others = target ? [target.timeslotId] : []
  const subject = { accountId, reference, actor }
  const { booking, basket, slots } = await lockForChange(tx, subject, reserved, others)
  if (booking.status === 'confirmed' && confirm) return
  if (booking.status !== 'confirmed') {
    const obstacle = findObstacle(booking, basket)
    if (obstacle) throw obstacle
  }
  checkStatus(booking, 'describe')
  if (wanted.holdMinutes !== undefined) await lengthenHold(tx, actor, booking, wanted.holdMinutes)
  const before = confirm ? null : await queries.readResellerData(tx, booking)
  const change: Change = { reserved, actor, booking, wanted, target: target ?? null, slots }
  const changed = wanted.slot || wanted.items ? await changePlaces(tx, change) : booking
  await writeDetails(tx, changed, wanted)
  if (before) {
    // If the places changed, the history already says that tickets were added or removed.
    await noteChange(tx, actor, changed, { before, onlyKept: changed !== booking })
    return
  }
  await changeBookings(tx, actor, [{ booking: changed, action: 'confirmed', to: { status: 'confirmed' } }])
  await deleteHoldingBaskets(tx, [{ accountId, id: booking.basketId }])
}

type Change = {
  reserved: queries.Reserved
  actor: Actor
  booking: Booking
  wanted: Rearrangement
  target: Target | null
  slots: ReadonlyMap<number, LockedTimeslot>
}

type Target = { productId: number; timeslotId: number; date: string; time: string }

async function findTarget(
  tx: Transaction,
  accountId: number,
  { activityId, date, time }: NonNullable<Rearrangement['slot']>,
): Promise<Target> {
  const found = await queries.findSlot(tx, accountId, { activity: activityUuid(activityId), date, time })
  if (!found) throw problems.unknownActivity()
  const { productId, timeslotId } = found
  if (timeslotId === null) throw problems.timeslotUnavailable([])
  return { productId, timeslotId, date, time }
}

/** Changes the timeslot, the units and the tickets. Returns the booking after the change. */
async function changePlaces(tx: Transaction, change: Change): Promise<Booking> {
  const { reserved, actor, booking, wanted, slots } = change
  const target = change.target ?? reserved
  const tickets = await queries.listValidTickets(tx, booking.accountId, booking.id)
  const items: readonly RequestedItem[] = wanted.items ?? tickets
  const match = matchTickets(tickets, items, { matchByUuidOnly: booking.status === 'confirmed' })
  const slot = slots.get(target.timeslotId)
  if (!slot) throw problems.timeslotUnavailable([])
  const staysHeld =
    booking.status === 'held' && slot.id === booking.timeslotId && haveSameUnits(tickets, items)
  const bought = staysHeld ? pickBought(booking) : await buy(tx, booking, partyOf(items), slot, reserved)
  const to = { ...booking, ...bought, timeslotId: slot.id }
  if (isDeepStrictEqual(to, booking) && isSameTickets(match)) {
    await writeTicketDetails(tx, booking, match)
    return booking
  }
  await checkPlacesChangeable(tx, booking)
  const [shortage] = await findShortages(tx, [{ from: booking, to }])
  if (shortage) throw refusalProblem(shortage, [])
  await writeTickets(tx, booking, match, bought)
  if (isDeepStrictEqual(to, booking)) return booking
  const where = { timeslotId: slot.id, bought }
  await changeBookings(tx, actor, [
    slot.id === booking.timeslotId
      ? { booking, to: where, action: 'amended', details: amendDetails(booking, bought) }
      : {
          booking,
          to: where,
          action: 'moved',
          details: moveDetails(reserved, target, booking, wanted.items ? bought : null),
        },
  ])
  return to
}

/**
 * The places of a confirmed booking can change only before its cut-off, and only if it is not checked in and
 * has no redeemed ticket.
 */
async function checkPlacesChangeable(tx: Transaction, booking: Booking): Promise<void> {
  if (booking.status !== 'confirmed') return
  await checkUnredeemed(tx, booking)
  const cutoff = await findCutoff(tx, booking.accountId, booking.timeslotId)
  if (cutoff.hasPassed) throw problems.cutoffPassed(cutoff.cancelBy)
}

/** @throws Problem booking-not-changeable if a locked booking is checked in or has a redeemed ticket. */
export async function checkUnredeemed(tx: Transaction, booking: Booking): Promise<void> {
  const { accountId, id, attendance } = booking
  if (attendance === 'checked-in' || (await hasRedeemed(tx, accountId, id)))
    throw problems.bookingNotChangeable('redeemed')
}

async function buy(
  tx: Transaction,
  booking: Booking,
  party: Party,
  slot: LockedTimeslot,
  { productId }: queries.Reserved,
): Promise<Bought> {
  if (booking.status === 'confirmed' && slot.productId === productId)
    return boughtThere(tx, booking, party, slot)
  const { bought, errors } = priceParty(party, slot, slot.capacity)
  if (errors) throw problems.validation(errors)
  const { accountId, partnerId } = booking
  if (partnerId === null || !slot.hasPartnerTerms) return bought
  const [terms = null] = await listTermsInForce(tx, [{ accountId, partnerId, productId: slot.productId }])
  return sellUnder(bought, terms, slot)
}

function isSameTickets({ added, dropped }: TicketMatch): boolean {
  return added.length + dropped.length === 0
}

async function writeTickets(
  tx: Transaction,
  booking: Booking,
  { kept, added, dropped }: TicketMatch,
  { units }: Bought,
): Promise<void> {
  const { accountId, id: bookingId } = booking
  if (dropped.length > 0)
    await voidTickets(
      tx,
      dropped.map(({ number }) => ({ accountId, bookingId, number })),
    )
  await writeTicketDetails(tx, booking, { kept })
  if (added.length === 0) return
  const last = await queries.findLastNumber(tx, accountId, bookingId)
  const tickets = added.map((item, index) => {
    return { accountId, bookingId, number: last + index + 1, ...item, ...unitOf(units, item.unitId) }
  })
  await insertTickets(tx, tickets)
}
