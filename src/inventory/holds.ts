/**
 * The rows that belong to a booking whose places a reseller holds before confirming it: a basket for the time
 * of the hold, the reseller's data, and the tickets that the reseller requested.
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
 * Inserts the basket, the reservation and the tickets of each held booking. The caller has already sent the
 * statement that inserts the bookings. If the process dies before the commit, nothing is held; if it dies
 * later, the hold expires.
 * @throws an error that isReservationTaken() recognises, if the reseller has another reservation with the
 * same uuid.
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

/**
 * The bought unit with the requested id, or else the first bought unit. For a product without units, the name
 * and the type are null.
 */
export function unitOf(units: readonly BoughtUnit[] | null, asked: number): TicketUnit {
  const unit = units?.find(({ id }) => id === asked) ?? units?.[0]
  return unit
    ? { unitId: unit.id, unitName: unit.name, unitType: unit.type }
    : { unitId: asked, unitName: null, unitType: null }
}

/** Whether a reservation was refused because its reseller has another one with the same uuid. */
export function isReservationTaken(error: unknown): boolean {
  return isTaken(error, 'reservations_account_id_reseller_id_uuid_key')
}
