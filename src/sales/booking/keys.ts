/** Idempotency keys of partners' bookings: what a claimed key means for its attempts. */

import type { SoldUnit } from '../../inventory/sale-queries.ts'
import { SetAside } from '../../platform/async/lanes.ts'
import {
  type Claim,
  claimName,
  type MaybeClaimed,
  type StoredResponse,
} from '../../platform/postgres/idempotency.ts'
import { boughtView } from './bought-view.ts'
import { type Attempt, type BookingOutcome, boughtPlainly, describeMade } from './decision.ts'
import type { BookingView } from './schemas.ts'

export const operation = 'booking.create'

const keyPrefix = 'key '

/** The lane of attempts that wait for a key that another transaction holds. */
export function keyLane(claim: Claim): string {
  return keyPrefix + claimName(claim)
}

/** Whether the attempts of this lane wait for a key, not for a timeslot. */
export function isKeyLane(lane: string): boolean {
  return lane.startsWith(keyPrefix)
}

/**
 * `firsts`: the attempts without a key, and the first attempt with each key. `followers`: maps every other
 * attempt to the first attempt with the same key.
 */
export function splitByKey(attempts: Attempt[]): { firsts: Attempt[]; followers: Map<Attempt, Attempt> } {
  const byKey = new Map<string, Attempt>()
  const followers = new Map<Attempt, Attempt>()
  const firsts = attempts.filter((attempt) => {
    if (!attempt.claim) return true
    const name = claimName(attempt.claim)
    const first = byKey.get(name)
    if (first) followers.set(attempt, first)
    else byKey.set(name, attempt)
    return !first
  })
  return { firsts, followers }
}

/** Derives the outcome of a follower from the outcome of the first attempt with the same key. */
export function followFirst(
  follower: Attempt,
  first: Attempt,
  outcome: BookingOutcome | SetAside | Error,
): BookingOutcome | SetAside | Error {
  if (outcome instanceof Error) return outcome
  if (outcome instanceof SetAside) return new SetAside(keyLane(follower.claim!))
  const sameBody = follower.claim!.bodyHash.equals(first.claim!.bodyHash)
  if (outcome.kind === 'made') return sameBody ? { ...outcome, replayed: true } : { kind: 'reused' }
  return sameBody ? outcome : { kind: 'again' }
}

/**
 * The outcomes of attempts whose key has a response already or is locked by another transaction. This transaction has
 * claimed the other keys.
 */
export function readClaims(
  keyed: readonly Attempt[],
  found: readonly MaybeClaimed[],
): Map<Attempt, BookingOutcome | SetAside> {
  const byName = new Map(found.map((claim) => [claimName(claim), claim]))
  const outcomes = new Map<Attempt, BookingOutcome | SetAside>()
  for (const attempt of keyed) {
    const outcome = readClaim(attempt, byName.get(claimName(attempt.claim!))!)
    if (outcome) outcomes.set(attempt, outcome)
  }
  return outcomes
}

function readClaim(
  { claim, reference }: Attempt,
  { bodyHash, response }: MaybeClaimed,
): BookingOutcome | SetAside | null {
  if (bodyHash === null) return new SetAside(keyLane(claim!))
  if (response === null) return null
  if (!claim!.bodyHash.equals(bodyHash)) return { kind: 'reused' }
  const booking = readStoredBooking(response)
  // If the booking has the reference of this attempt, an earlier try of the attempt made it and lost the
  // result. That is not a replay.
  return { kind: 'made', booking, replayed: booking.BookingReference !== reference }
}

/**
 * The response that the single statement in at-once.ts stores under a key. The statement adds the values that
 * only PostgreSQL knows.
 */
export function storedBooking(attempt: Attempt & { participants: number }) {
  return describeMade(attempt, attempt.participants)
}

/**
 * Converts a stored response to the response that was sent. The single statement stores `Sold` instead of
 * units and total. Responses of earlier versions have neither.
 */
function readStoredBooking(response: unknown): BookingView {
  const { Sold, ...booking } = response as BookingView & { Sold?: SoldUnit }
  return Sold ? { ...booking, ...boughtView(boughtPlainly(booking.Participants, Sold)) } : booking
}

/**
 * The response that storeResponses() must store for an attempt: the booking, or null, which frees the key. The
 * list is empty for an attempt without a key.
 */
export function responsesToStore({ claim }: Attempt, outcome: BookingOutcome | SetAside): StoredResponse[] {
  const response = 'booking' in outcome ? outcome.booking : null
  return claim ? [{ ...claim, response }] : []
}
