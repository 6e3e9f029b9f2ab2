/**
 * Places that a reseller holds before it confirms them: what such a booking has beside its own row. That is a basket of its
 * own for as long as it is held, what the reseller calls it, and a ticket for each of its units.
 */
import type { Transaction } from '../platform/postgres/database.ts'
import { isTaken } from '../platform/postgres/errors.ts'
import type { BoughtUnit } from './bought.ts'
import type { NewHold } from './hold-model.ts'
import * as queries from './hold-queries.ts'
import type { PlacedBooking } from './queries.ts'
import type { TicketUnit } from './ticket-model.ts'
import { insertTickets } from './ticket-queries.ts'

export type HeldBooking = PlacedBooking & { booking: { id: number; hold: NewHold } }

/**
 * Makes what held bookings have beside their rows, which are sent before. If the process dies before the commit, nothing
 * is held; after it, the hold runs out by itself.
 * @throws an error that isReservationTaken() knows, when the reseller has another reservation of the same uuid.
 */
export async function makeHolds(tx: Transaction, held: readonly HeldBooking[]): Promise<void> {
  const tickets = held.flatMap(({ booking: { accountId, id: bookingId, hold }, bought: { units } }) =>
    hold.tickets.map((ticket, index) => {
      return { accountId, bookingId, number: index + 1, ...ticket, ...unitOf(units, ticket.unitId) }
    }),
  )
  const bookings = held.map(({ booking }) => booking)
  await Promise.all([
    queries.insertHoldingBaskets(tx, bookings),
    queries.insertReservations(tx, bookings),
    insertTickets(tx, tickets),
  ])
}

/** The unit that was bought for one that was asked for: the default unit may be any. Without a name for a product without units. */
export function unitOf(units: readonly BoughtUnit[] | null, asked: number): TicketUnit {
  const unit = units?.find(({ id }) => id === asked) ?? units?.[0]
  return unit
    ? { unitId: unit.id, unitName: unit.name, unitType: unit.type }
    : { unitId: asked, unitName: null, unitType: null }
}

/** Whether a reservation was refused because its reseller has another one of the same uuid. */
export function isReservationTaken(error: unknown): boolean {
  return isTaken(error, 'reservations_account_id_reseller_id_uuid_key')
}
