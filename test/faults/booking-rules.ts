/**
 * The rules of places and payments: no place is sold twice, no free place is hidden or refused, and the database
 * matches every response.
 */
import type { FinalBooking, FinalState } from './final-state.ts'
import {
  type Attempt,
  answerOf,
  group,
  type History,
  mayHaveActed,
  type OperationOf,
  operationsOf,
  type SlotState,
} from './history.ts'
import { createOccupancy, listStays } from './occupancy.ts'

export type Violation = { rule: string; detail: string }

/** Every acknowledged booking exists once, as requested or changed; nothing refused exists. */
export function* checkBookings(history: History, final: FinalState): Generator<Violation> {
  const byPayment = group(final.bookings, ({ payment }) => payment)
  const byReference = group(final.bookings, ({ reference }) => reference)
  const changes = findChanges(history)
  for (const operation of operationsOf(history, 'book')) {
    const { payment, participants, slot } = operation.request
    const made = byPayment.get(payment) ?? []
    const reference = answerOf(operation)?.reference
    if (made.length > 1) yield { rule: 'booked-twice', detail: `${payment}: ${made.length} bookings` }
    if (!mayHaveActed(operation) && made.length > 0) yield { rule: 'refused-but-booked', detail: payment }
    if (reference === undefined) continue
    const [booking, ...more] = byReference.get(reference) ?? []
    if (!booking || more.length > 0 || booking.payment !== payment || booking.participants !== participants) {
      yield { rule: 'booking-lost', detail: `${payment}: ${reference}` }
    } else yield* checkChanges(booking, slot, changes.get(reference) ?? [])
  }
}

type Change = OperationOf<'cancel'> | OperationOf<'move'>

function findChanges(history: History): Map<string, Change[]> {
  const changes: Change[] = [...operationsOf(history, 'move'), ...operationsOf(history, 'cancel')]
  return group(changes, ({ request }) => request.reference)
}

function* checkChanges({ reference, status, slot }: FinalBooking, first: string, changes: Change[]) {
  const done = (change: Change) => answerOf(change as OperationOf<'cancel'>) !== null
  const perhaps = changes.filter(mayHaveActed)
  const cancels = perhaps.filter(({ kind }) => kind === 'cancel')
  if (cancels.some(done) && status !== 'cancelled') yield { rule: 'cancellation-undone', detail: reference }
  if (cancels.length === 0 && status !== 'confirmed')
    yield { rule: 'booking-ended-by-nobody', detail: `${reference} is ${status}` }
  // A booking is moved at most once.
  const move = perhaps.find(({ kind }) => kind === 'move') as OperationOf<'move'> | undefined
  const allowed = [...(move && done(move) ? [] : [first]), ...(move ? [move.request.slot] : [])]
  if (!allowed.includes(slot)) yield { rule: 'booking-misplaced', detail: `${reference} is at ${slot}` }
}

/**
 * The lines of a basket and the booking of a waitlist entry are made once. A payment event has the expected outcome, in
 * its response and in the database.
 */
export function* checkBaskets(history: History, final: FinalState): Generator<Violation> {
  const byEmail = group(final.bookings, ({ email }) => email)
  const baskets = new Map(final.baskets.map(({ id, status }) => [id, status]))
  const payments = new Map(final.payments.map(({ event, outcome }) => [event, outcome]))
  for (const operation of operationsOf(history, 'hold')) {
    const made = byEmail.get(operation.request.email)?.length ?? 0
    const { lines, email } = operation.request
    const allowed = answerOf(operation) ? [lines.length] : mayHaveActed(operation) ? [0, lines.length] : [0]
    if (!allowed.includes(made)) yield { rule: 'basket-not-once', detail: `${email}: ${made} bookings` }
  }
  for (const operation of operationsOf(history, 'join')) {
    const made = byEmail.get(operation.request.email)?.length ?? 0
    const allowed = answerOf(operation) ? [1] : mayHaveActed(operation) ? [0, 1] : [0]
    if (!allowed.includes(made)) yield { rule: 'joined-not-once', detail: operation.request.email }
  }
  for (const operation of operationsOf(history, 'pay')) {
    const { event, type, basketId } = operation.request
    const answer = answerOf(operation)
    if (!answer) continue
    const expected = type === 'succeeded' ? 'completed' : 'released'
    const expectedStatus = type === 'succeeded' ? 'completed' : 'cancelled'
    if (
      answer.outcome !== expected ||
      payments.get(event) !== expected ||
      baskets.get(basketId) !== expectedStatus
    )
      yield {
        rule: 'payment-not-acted-on',
        detail: `${event}: answered ${answer.outcome}, stored ${payments.get(event)}, basket ${baskets.get(basketId)}`,
      }
  }
}

/** A provider's payment that completed a sale is recorded once, and no other is. */
export function* checkPaidEvents({ payments, paidEvents }: FinalState): Generator<Violation> {
  const written = group(paidEvents, (event) => event)
  for (const { event, outcome } of payments) {
    const times = written.get(event)?.length ?? 0
    if (times !== (outcome === 'completed' ? 1 : 0))
      yield { rule: 'payment-not-once', detail: `${event} (${outcome}): recorded ${times} times` }
  }
}

/**
 * No response and no read of the database has more places sold or free than exist; no free place is hidden or
 * refused.
 * @param staleness how many milliseconds old availability may be.
 */
export function* checkCapacity(
  history: History,
  final: FinalState,
  { capacities, staleness }: { capacities: Record<string, number>; staleness: number },
): Generator<Violation> {
  for (const state of [...history.samples.flatMap(({ slots }) => slots), ...final.slots])
    if (!isSound(state)) yield { rule: 'timeslot-unsound', detail: JSON.stringify(state) }

  const stays = listStays(history, final)
  const occupancy = createOccupancy(stays)
  for (const { slot, surelyFrom } of stays) {
    if (!Number.isFinite(surelyFrom)) continue
    const { least } = occupancy(slot, { from: surelyFrom, to: surelyFrom })
    if (least > capacities[slot]!)
      yield { rule: 'oversold', detail: `${slot}: ${least} of ${capacities[slot]} acknowledged` }
  }
  for (const operation of operationsOf(history, 'availability'))
    for (const attempt of operation.attempts) {
      if (!attempt.answer) continue
      const read = { from: attempt.invoked - staleness, to: attempt.completed }
      for (const slot of Object.keys(capacities)) {
        if (!slot.startsWith(operation.request.date)) continue
        const [capacity, free] = [capacities[slot]!, attempt.answer.free[slot] ?? 0]
        const { least, most } = occupancy(slot, read)
        if (free < 0 || free > capacity - least)
          yield { rule: 'sold-places-shown', detail: `${slot}: ${free} free, ${least} of ${capacity} sold` }
        if (free < capacity - most)
          yield {
            rule: 'free-places-hidden',
            detail: `${slot}: ${free} free, at most ${most} of ${capacity} taken`,
          }
      }
    }
  for (const { request, attempts } of [...operationsOf(history, 'book'), ...ofOneLine(history)]) {
    for (const { problem, invoked, completed } of attempts) {
      const { most } = occupancy(request.slot, { from: invoked, to: completed })
      const free = capacities[request.slot]! - most
      if (problem === 'insufficient-capacity' && free >= request.participants)
        yield { rule: 'refused-though-free', detail: `${request.slot}: ${request.participants} of ${free}` }
    }
  }
}

function ofOneLine(history: History) {
  return operationsOf(history, 'hold').flatMap(({ request, attempts }) => {
    const [line, ...more] = request.lines
    return line && more.length === 0 ? [{ request: line, attempts: attempts as Attempt[] }] : []
  })
}

function isSound({ capacity, booked, held, confirmedPlaces, heldPlaces }: SlotState): boolean {
  return booked + held <= capacity && booked === confirmedPlaces && held === heldPlaces
}

/**
 * All successful responses to one request with an idempotency key are the same, and so are those to all
 * deliveries of one payment event.
 */
export function* checkAgreement({ operations }: History): Generator<Violation> {
  for (const { kind, attempts } of operations) {
    const answers = new Set(attempts.flatMap(({ answer }) => (answer ? [JSON.stringify(answer)] : [])))
    if (answers.size > 1) yield { rule: 'retries-disagree', detail: `${kind}: ${[...answers].join(' and ')}` }
  }
}

const expectedStatuses = new Set([200, 201, 409, 429, 503, null])

/** Every response is a success, a refusal, or a request to retry. */
export function* checkStatuses({ operations }: History): Generator<Violation> {
  for (const { kind, attempts } of operations)
    for (const { status, problem } of attempts)
      if (!expectedStatuses.has(status))
        yield { rule: 'unexpected-answer', detail: `${kind}: ${status} ${problem}` }
}
