/**
 * Sells places to partners. One statement (at-once.ts) sells a batch if possible, and a transaction
 * (transaction.ts) decides the other attempts. Attempts that need a locked row are set aside, unless the batch
 * waits for this row. A batch is tried again after a lost connection, after a retryable error, or if a new booking
 * reference is already in use. It is tried again in halves if the database refuses data of one of its attempts.
 */

import { problems } from '../../http/problems.ts'

import { isReferenceTaken } from '../../inventory/service.ts'
import { SetAside } from '../../platform/async/lanes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { isConnectionLost, isDataError, isLockTimeout, isRetryable } from '../../platform/postgres/errors.ts'
import { reserveAtOnce } from './at-once.ts'
import { type Attempt, slotName } from './decision.ts'
import { followFirst, keyLane, splitByKey } from './keys.ts'
import { makeReference } from './model.ts'
import { type AttemptOutcome, type Outcomes, transactUnmade, type WaitsFor } from './transaction.ts'

/**
 * Decides every attempt whose client still waits, first come, first served, and returns one outcome for each attempt,
 * in order. An attempt whose client is gone at the start gets the problem `unavailable`; if the client leaves later,
 * the outcome is `again`. If another transaction has locked a timeslot or an idempotency key that `waitsFor` does not
 * include, the attempts that need it are set aside; after a lock timeout, all are. When the connection breaks,
 * perhaps during COMMIT, one more try finds the bookings that the first try made. An attempt whose data the database
 * refuses fails alone.
 * @param options `selling`: connections on which the batch is first tried as one statement that waits for no
 *   lock. With `selling`, `waitsFor` is ignored: the transaction waits for no lock either.
 */
export async function reserve(
  sql: Sql,
  attempts: Attempt[],
  { waitsFor = 'nothing', selling = null }: { waitsFor?: WaitsFor; selling?: Sql | null } = {},
): Promise<AttemptOutcome[]> {
  const { firsts, followers } = splitByKey(attempts.filter(({ isAwaited }) => isAwaited()))
  const outcomes = await (selling
    ? reserveAtOnceOrNot(sql, selling, firsts)
    : reserveDistinct(sql, firsts, waitsFor))
  for (const [follower, first] of followers)
    outcomes.set(follower, followFirst(follower, first, outcomes.get(first)!))
  return attempts.map((attempt) => outcomes.get(attempt) ?? problems.unavailable())
}

/** The transaction decides what the statement leaves open, and everything if the statement fails. */
async function reserveAtOnceOrNot(sql: Sql, selling: Sql, attempts: Attempt[]): Promise<Outcomes> {
  const fresh = attempts.filter(({ mayBeMade }) => !mayBeMade)
  let outcomes: Outcomes = new Map()
  let tries = 2
  try {
    outcomes = await reserveAtOnce(selling, fresh)
  } catch (error) {
    if (isConnectionLost(error)) {
      for (const attempt of fresh) attempt.mayBeMade = true
      tries = 1
    } else drawNewReferences(fresh)
  }
  if (outcomes.size === attempts.length) return outcomes
  const open = attempts.filter((attempt) => !outcomes.has(attempt))
  return new Map([...outcomes, ...(await reserveDistinct(sql, open, 'nothing', tries))])
}

async function reserveDistinct(
  sql: Sql,
  attempts: Attempt[],
  waitsFor: WaitsFor,
  triesLeft = 2,
): Promise<Outcomes> {
  if (attempts.length === 0) return new Map()
  try {
    return await transactUnmade(sql, attempts, waitsFor)
  } catch (error) {
    if (isLockTimeout(error)) return setAside(attempts, waitsFor)
    if (triesLeft > 1 && isConnectionLost(error)) for (const attempt of attempts) attempt.mayBeMade = true
    else if (triesLeft > 1 && (isRetryable(error) || isReferenceTaken(error))) drawNewReferences(attempts)
    else if (isDataError(error) && attempts.length > 1) return reserveHalves(sql, attempts, waitsFor)
    else return new Map(attempts.map((attempt) => [attempt, error as Error]))
    return reserveDistinct(sql, attempts, waitsFor, triesLeft - 1)
  }
}

/**
 * Draws new references for the next try, in case the last try failed because a reference was taken. An
 * attempt that may have been made keeps its reference.
 */
function drawNewReferences(attempts: Attempt[]): void {
  for (const attempt of attempts) if (!attempt.mayBeMade) attempt.reference = makeReference()
}

/** Halves a batch until the attempt that the database refuses is alone. The halves run one after the other. */
async function reserveHalves(sql: Sql, attempts: Attempt[], waitsFor: WaitsFor): Promise<Outcomes> {
  const middle = Math.ceil(attempts.length / 2)
  const first = await reserveDistinct(sql, attempts.slice(0, middle), waitsFor)
  return new Map([...first, ...(await reserveDistinct(sql, attempts.slice(middle), waitsFor))])
}

/**
 * Sets all attempts aside after a lock timeout. An attempt with a key goes into the lane of its key, unless
 * the transaction waited only for a timeslot. Every other attempt goes into the lane of its timeslot. With
 * `nothing`, the transaction skips locked rows, so only a migration or an earlier version can cause a
 * timeout.
 */
function setAside(attempts: Attempt[], waitsFor: WaitsFor): Outcomes {
  const laneOf = (attempt: Attempt) =>
    attempt.claim && waitsFor !== 'timeslot' ? keyLane(attempt.claim) : slotName(attempt)
  return new Map(attempts.map((attempt) => [attempt, new SetAside(laneOf(attempt))]))
}
