/** An event before it is written. */
import type { TraceContext } from '../platform/tracing/tracing.ts'
import type { Actor } from './actor.ts'
import type { EventDetails, EventType } from './types.ts'

/**
 * The subject of an event. Only an event of a booking's history has a `bookingId`. `partnerId` is the partner
 * of the booking: 0 if it was made with a key without a partner, null if it came through another channel.
 */
export type EventSubject = {
  productId?: number
  timeslotId?: number
  basketId?: number
  bookingId?: number
  waitlistEntryId?: number
  emailId?: number
  partnerId?: number | null
}

/** An event type with its details. */
export type TypedEvent = { [T in EventType]: { type: T; details: EventDetails<T> } }[EventType]
export type NewEvent = TypedEvent &
  EventSubject & {
    accountId: number
    actor: Actor
    /**
     * The trace context of the cause. If it is null or left out, the context of the active span is stored.
     */
    traceContext?: TraceContext | null
  }
