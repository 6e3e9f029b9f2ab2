/**
 * The rows around a booking that a reseller holds before it confirms it: a basket while it is held, the
 * reseller's data, and a ticket for each unit.
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
 * Inserts these rows for held bookings whose own rows are already inserted. If the process dies before the
 * commit, nothing is held; after it, the hold expires by itself.
 * @throws an error for isReservationTaken(), when the reseller has another reservation with the same uuid.
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
 * The bought unit for a requested unit; the first unit when it was not bought itself. A product without units
 * has no name for it.
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
