/**
 * Writes changes of locked bookings: rows, counters, tickets and events together. It does not offer freed
 * places.
 */

import type { Actor, Authorship } from '../events/actor.ts'
import { appendEvents } from '../events/append.ts'
import type { NewEvent } from '../events/event.ts'
import { type BookingAction, bookingEventTypes, type EventDetails } from '../events/types.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import type { TraceContext } from '../platform/tracing/tracing.ts'
import type { Bought } from './bought.ts'
import type { Booking } from './lock-queries.ts'
import { type BookingStatus, type Delta, sumDeltas } from './model.ts'
import { type BookingUpdate, updateBookings, updateBought, updateCounters } from './queries.ts'
import { changeTickets } from './tickets.ts'

export type BookingChange = {
  /** The locked booking before the change. */
  booking: Booking
  to: { status?: BookingStatus; timeslotId?: number; bought?: Bought }
  /** Only with the status `cancelled`. */
  cancelReason?: BookingUpdate['cancelReason']
  /** Why it was cancelled, in the words of the operator or the reseller. */
  cancelNote?: string | null
  /** Only with the status `cancelled`, of a booking that was confirmed. */
  refundMinor?: bigint | null
  /** The actor of this change, if it is not the `actor` of writeChanges(). */
  actor?: Actor
  /**
   * The trace context of the request for this change. If it is null or left out, the active span is stored.
   */
  traceContext?: TraceContext | null
} & HistoryEntry

/** An entry of a booking's history: an action with the details of its event. */
export type HistoryEntry = {
  [A in BookingAction]: { action: A; details?: EventDetails<`booking.${A}`> }
}[BookingAction]

/** A booking before and after a change. */
export type BookingMove = { from: Booking; to: Booking }

/**
 * Writes changes of locked bookings of any number of accounts. Returns each booking before and after, and the
 * result of sumDeltas().
 */
export async function writeChanges(
  tx: Transaction,
  actor: Actor,
  changes: BookingChange[],
): Promise<{ moves: BookingMove[]; deltas: Delta[] }> {
  const moves = changes.map(({ booking, to: { bought, ...to } }) => {
    return { from: booking, to: { ...booking, ...to, ...bought } }
  })
  const deltas = sumDeltas(moves)
  await updateBookings(
    tx,
    changes.map(({ cancelReason = null, cancelNote = null, refundMinor = null }, index) => {
      return { ...moves[index]!.to, cancelReason, cancelNote, refundMinor }
    }),
  )
  const repriced = moves.filter((_, index) => changes[index]!.to.bought).map(({ to }) => to)
  if (repriced.length > 0) await updateBought(tx, repriced)
  if (deltas.length > 0) await updateCounters(tx, deltas)
  await changeTickets(
    tx,
    moves.filter((_, index) => Object.keys(changes[index]!.to).length > 0),
  )
  await appendEvents(
    tx,
    changes.map((change, index) => {
      const by = { accountId: change.booking.accountId, actor: change.actor ?? actor }
      return { ...bookingEvent(by, moves[index]!.to, change), traceContext: change.traceContext ?? null }
    }),
  )
  return { moves, deltas }
}

// Event types by action. A look-up avoids one string concatenation for each event of a batch.
const typeOf = Object.fromEntries(bookingEventTypes.map((type) => [type.slice('booking.'.length), type]))

export type EventBooking = Pick<Booking, 'id' | 'basketId' | 'timeslotId' | 'partnerId' | 'channel'>

/** The event for an entry of a booking's history. */
export function bookingEvent(
  { accountId, actor }: Authorship,
  { id, basketId, timeslotId, partnerId, channel }: EventBooking,
  { action, details = {} }: HistoryEntry,
): NewEvent {
  return {
    accountId,
    actor,
    bookingId: id,
    basketId,
    timeslotId,
    // 0 represents a key without a partner, so that the change feed of such a key is selected by a number
    // too.
    partnerId: channel === 'partner' ? (partnerId ?? 0) : null,
    type: typeOf[action],
    details,
  } as NewEvent
}
