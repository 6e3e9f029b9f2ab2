/** Writes what locked bookings become: rows, counters and history together. What is freed is offered by others. */

import type { Actor } from '../events/actor.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import type { Booking } from './lock-queries.ts'
import { type BookingStatus, type Delta, sumDeltas } from './model.ts'
import { type BookingUpdate, insertChanges, updateBookings, updateCounters } from './queries.ts'

export type BookingChange = {
  /** As it is, locked. */
  booking: Booking
  to: { status?: BookingStatus; timeslotId?: number; participants?: number }
  /** Only with the status `cancelled`. */
  cancelReason?: BookingUpdate['cancelReason']
  /** A word for the history: `cancelled`, `moved`, … */
  action: string
  details?: object
}

/** A booking before and after. */
export type BookingMove = { from: Booking; to: Booking }

/** Writes changes of locked bookings; gives each as it went, and what they did together to the counters. */
export async function writeChanges(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  changes: BookingChange[],
): Promise<{ moves: BookingMove[]; deltas: Delta[] }> {
  const moves = changes.map(({ booking, to }) => ({ from: booking, to: { ...booking, ...to } }))
  const deltas = sumDeltas(moves)
  await updateBookings(
    tx,
    accountId,
    changes.map(({ cancelReason = null }, index) => ({ ...moves[index]!.to, cancelReason })),
  )
  if (deltas.length > 0) await updateCounters(tx, accountId, deltas)
  await insertChanges(
    tx,
    accountId,
    actor,
    changes.map(({ booking, action, details = {} }) => ({ bookingId: booking.id, action, details })),
  )
  return { moves, deltas }
}
