/**
 * Keeps the tickets of bookings consistent with the bought units, in the transactions that change the
 * bookings. Bookings without tickets, which are the majority, cause no query here.
 */
import { problems } from '../http/problems.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import type { Booking } from './lock-queries.ts'
import { countTickets, planTickets } from './ticket-model.ts'
import * as queries from './ticket-queries.ts'

/** Makes the tickets of a locked booking that has none. */
export async function makeTickets(tx: Transaction, booking: Booking): Promise<void> {
  await fitTickets(tx, [booking])
  await queries.markTicketed(tx, booking)
}

/**
 * Applies changes of locked bookings to their tickets. The tickets of a booking that is no longer held or confirmed
 * become void, and the tickets of a moved booking lose their redemption. A held or confirmed booking gets the tickets
 * that it needs after the change, and surplus tickets become void.
 * @throws Problem quantity-below-redeemed if more tickets of a unit are redeemed than the booking still has
 * of it.
 */
export async function changeTickets(
  tx: Transaction,
  changes: readonly { from: Booking; to: Booking }[],
): Promise<void> {
  const ticketed = changes.filter(({ from }) => from.hasTickets)
  if (ticketed.length === 0) return
  const isActive = ({ to }: { to: Booking }) => to.status === 'confirmed' || to.status === 'held'
  const ended = ticketed.filter((change) => !isActive(change))
  const moved = ticketed.filter(
    (change) => isActive(change) && change.to.timeslotId !== change.from.timeslotId,
  )
  const keys = (some: typeof ticketed) => some.map(({ to }) => to)
  if (ended.length > 0) await queries.voidTicketsOf(tx, keys(ended))
  if (moved.length > 0) await queries.clearRedemptions(tx, keys(moved))
  const active = ticketed.filter(isActive)
  if (active.length > 0) await fitTickets(tx, keys(active))
}

async function fitTickets(tx: Transaction, bookings: readonly Booking[]): Promise<void> {
  const tickets = await queries.listAllTickets(tx, bookings)
  const plans = bookings.map((booking) => {
    const own = tickets.filter(({ bookingId }) => bookingId === booking.id)
    const plan = planTickets(countTickets(booking), own)
    return { accountId: booking.accountId, bookingId: booking.id, plan }
  })
  const short = plans.flatMap(({ plan }) => plan.short)
  if (short.length > 0) throw problems.quantityBelowRedeemed(short)
  const added = plans.flatMap(({ plan, ...of }) => plan.add.map((ticket) => ({ ...of, ...ticket })))
  const surplus = plans.flatMap(({ plan, ...of }) => plan.void.map((number) => ({ ...of, number })))
  if (added.length > 0) await queries.insertTickets(tx, added)
  if (surplus.length > 0) await queries.voidTickets(tx, surplus)
}
