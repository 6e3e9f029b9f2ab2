/**
 * Decides a batch of requests to book, against locked timeslots and with no I/O: who is granted places, who had been
 * before, and who is refused.
 */

import type { NamedTimeslot } from '../../inventory/lock-queries.ts'
import { allocate } from '../../inventory/model.ts'
import type { NewBooking } from '../../inventory/service.ts'
import type { Claim } from '../../platform/postgres/idempotency.ts'
import type { BookingView } from './schemas.ts'

/** A booking that has got its places. */
export type Granted = { booking: Attempt; slot: NamedTimeslot }

/** A request to book. Its id is drawn before the first try and kept through every other. */
export type Attempt = NewBooking & {
  id: number
  activity: string
  activityId: string
  date: string
  time: string
  claim: Claim | null
  /** Whether an earlier try may have been committed unseen: its connection broke. */
  mayBeMade: boolean
  /** False once the client is gone, or has been answered that it took too long: then no place is sold to it any more. */
  isAwaited: () => boolean
}

export type BookingOutcome =
  | { kind: 'made'; booking: BookingView; replayed: boolean }
  | { kind: 'refused'; onSale: boolean; available: number }
  /** The idempotency key stands for another body. */
  | { kind: 'reused' }
  /** It has not been decided: its client is gone, or another attempt with its key came to nothing. It is to be tried again. */
  | { kind: 'again' }

export type Decision = { granted: Granted[]; decided: Map<Attempt, BookingOutcome> }

/** First come, first served. `madeAt` says when an earlier try made a booking, by its id. */
export function decide(attempts: Attempt[], slots: NamedTimeslot[], madeAt: Map<number, Date>): Decision {
  const byName = new Map(slots.map((slot) => [slotName(slot), slot]))
  const decided = new Map<Attempt, BookingOutcome>()
  const bidding: (Granted & { timeslotId: number; participants: number })[] = []
  for (const attempt of attempts) {
    const slot = byName.get(slotName(attempt))
    const createdAt = madeAt.get(attempt.id)
    if (createdAt) decided.set(attempt, asMade(attempt, createdAt))
    else if (slot?.onSale)
      bidding.push({ booking: attempt, slot, timeslotId: slot.id, participants: attempt.participants })
    else decided.set(attempt, { kind: 'refused', onSale: false, available: 0 })
  }
  const allocations = allocate(new Map(slots.map(({ id, free }) => [id, free])), bidding)
  const granted = bidding.filter((_, index) => allocations[index]!.granted)
  for (const [index, { booking }] of bidding.entries()) {
    const allocation = allocations[index]!
    decided.set(
      booking,
      allocation.granted
        ? asMade(booking, slots[0]!.now)
        : { kind: 'refused', onSale: true, available: allocation.available },
    )
  }
  return { granted, decided }
}

/** The timeslots with held places on which somebody was refused: the only ones where a hold's end matters now. */
export function findHeldFrom({ decided }: Decision, slots: NamedTimeslot[]): NamedTimeslot[] {
  const short = new Set(
    [...decided].flatMap(([attempt, outcome]) =>
      outcome.kind === 'refused' && outcome.onSale ? [slotName(attempt)] : [],
    ),
  )
  return slots.filter((slot) => slot.held > 0 && short.has(slotName(slot)))
}

/** The outcome of an attempt whose booking was made at this time. */
export function asMade(attempt: Attempt, createdAt: Date): BookingOutcome {
  return {
    kind: 'made',
    booking: { ...viewWithoutTime(attempt), CreatedAt: createdAt.toISOString() },
    replayed: false,
  }
}

/** The answer to a booking that is made, but for the time, which PostgreSQL has. */
export function viewWithoutTime(attempt: Attempt): Omit<BookingView, 'CreatedAt'> {
  return {
    BookingReference: attempt.reference,
    Status: 'confirmed',
    ActivityID: attempt.activityId,
    Date: attempt.date,
    Time: attempt.time,
    Participants: attempt.participants,
    PaymentReference: attempt.paymentReference,
  }
}

/** What a timeslot is known by, locked or asked for. */
export function slotName({
  accountId,
  activity,
  date,
  time,
}: Pick<Attempt, 'accountId' | 'activity' | 'date' | 'time'>) {
  return `${accountId} ${activity} ${date} ${time}`
}
