/**
 * The transaction that sells places: claims idempotency keys, locks timeslots, allocates, writes, commits.
 * Whatever dies on any line of it, a place is sold once or not at all, and nobody was told otherwise.
 */

import { problems } from '../../http/problems.ts'
import { lockNamedSlots, type NamedTimeslot } from '../../inventory/lock-queries.ts'
import { makeBookings, releaseExpired } from '../../inventory/service.ts'
import {
  inOrder,
  isDataError,
  isLockTimeout,
  isOutOfReach,
  isRetryable,
  type Sql,
  type Transaction,
} from '../../platform/postgres/database.ts'
import {
  type Answer,
  answerKeys,
  type Claimed,
  claimKeys,
  claimName,
} from '../../platform/postgres/idempotency.ts'
import { type Attempt, type BookingOutcome, decide, findHeldFrom, slotName } from './decision.ts'
import { listMadeReferences } from './queries.ts'
import type { BookingView } from './schemas.ts'

const operation = 'booking.create'

/**
 * Decides every attempt, first come first served, in one transaction. A connection that broke (perhaps during
 * COMMIT) is followed by one more try, which recognises what the first had done. An attempt whose data the
 * database refuses fails alone, and so do those for a timeslot that somebody else holds for long.
 */
export async function reserve(sql: Sql, attempts: Attempt[]): Promise<(BookingOutcome | Error)[]> {
  const { firsts, followers } = splitByKey(attempts.filter(({ isAwaited }) => isAwaited()))
  const outcomes = await reserveDistinct(sql, firsts)
  for (const [follower, first] of followers)
    outcomes.set(follower, follow(follower, first, outcomes.get(first)))
  return attempts.map((attempt) => outcomes.get(attempt) ?? problems.unavailable())
}

/** A transaction claims each key once; whoever shares one waits for the first and goes by its outcome. */
function splitByKey(attempts: Attempt[]): { firsts: Attempt[]; followers: Map<Attempt, Attempt> } {
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

function follow(
  follower: Attempt,
  first: Attempt,
  outcome: BookingOutcome | Error | undefined,
): BookingOutcome | Error {
  if (!outcome || outcome instanceof Error) return outcome ?? problems.unavailable()
  const sameBody = follower.claim!.bodyHash.equals(first.claim!.bodyHash)
  if (outcome.kind === 'made') return sameBody ? { ...outcome, replayed: true } : { kind: 'reused' }
  return sameBody ? outcome : { kind: 'again' }
}

type Outcomes = Map<Attempt, BookingOutcome | Error>
/** `again`: an earlier try may have been committed, unseen. */
type Try = { again: boolean; left: number }

async function reserveDistinct(
  sql: Sql,
  attempts: Attempt[],
  { again, left }: Try = { again: false, left: mostTries },
): Promise<Outcomes> {
  if (attempts.length === 0) return new Map()
  const apart = (groups: Attempt[][]) =>
    Promise.all(groups.map((group) => reserveDistinct(sql, group, { again, left })))
  try {
    return await transact(sql, attempts, again)
  } catch (error) {
    if (isLockTimeout(error)) {
      const bySlot = groupBySlot(attempts)
      if (bySlot.length > 1) return merge(await apart(bySlot))
    } else if (isDataError(error)) {
      if (attempts.length > 1) return merge(await apart(attempts.map((attempt) => [attempt])))
    } else if (left > 1 && (isOutOfReach(error) || isRetryable(error))) {
      return reserveDistinct(sql, attempts, { again: true, left: left - 1 })
    } else throw error
    return new Map(attempts.map((attempt) => [attempt, error as Error]))
  }
}

const mostTries = 2

/** Those whose timeslot somebody holds must not keep the others waiting. */
function groupBySlot(attempts: Attempt[]): Attempt[][] {
  const groups = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    const group = groups.get(slotName(attempt))
    if (group) group.push(attempt)
    else groups.set(slotName(attempt), [attempt])
  }
  return [...groups.values()]
}

function merge(parts: Outcomes[]): Outcomes {
  return new Map(parts.flatMap((part) => [...part]))
}

async function transact(sql: Sql, attempts: Attempt[], again: boolean): Promise<Outcomes> {
  const keyed = attempts.filter(({ claim }) => claim)
  const claims = keyed.map(({ claim }) => claim!)
  let outcomes: Outcomes = new Map()
  // Nothing is returned from within: a connection keeps what its last transaction returned.
  await sql.begin(async (tx) => {
    const { claimed, slots, made } = await inOrder({
      claimed: claims.length > 0 && claimKeys(tx, operation, claims),
      slots: lockNamedSlots(tx, distinctSlots(attempts)),
      made: again && listMadeReferences(tx, attempts),
    })
    const replayed = replayClaimed(keyed, claimed || [])
    const open = attempts.filter((attempt) => !replayed.has(attempt))
    const madeAt = new Map((made || []).map(({ reference, createdAt }) => [reference, createdAt]))
    let decision = decide(open, slots, madeAt)
    if (await releaseHolds(tx, findHeldFrom(decision, slots)))
      decision = decide(open, await lockNamedSlots(tx, distinctSlots(attempts)), madeAt)
    const { granted, decided } = decision
    const answers = open.flatMap((attempt) => answerTo(attempt, decided.get(attempt)))
    // Both are sent before either is waited for.
    await Promise.all([
      granted.length > 0 && makeBookings(tx, granted),
      answers.length > 0 && answerKeys(tx, operation, answers),
    ])
    outcomes = merge([replayed, decided])
  })
  return outcomes
}

/** Outcomes of the attempts whose idempotency key was answered before; the others hold their keys now. */
function replayClaimed(keyed: Attempt[], claimed: Claimed[]): Map<Attempt, BookingOutcome> {
  const byName = new Map(claimed.map((claim) => [claimName(claim), claim]))
  const outcomes = new Map<Attempt, BookingOutcome>()
  for (const attempt of keyed) {
    const outcome = replay(attempt, byName.get(claimName(attempt.claim!))!)
    if (outcome) outcomes.set(attempt, outcome)
  }
  return outcomes
}

function replay({ claim, reference }: Attempt, { response, bodyHash }: Claimed): BookingOutcome | null {
  if (response === null) return null
  if (!claim!.bodyHash.equals(bodyHash)) return { kind: 'reused' }
  const booking = response as BookingView
  // Our own reference: an earlier try of this very attempt, whose answer nobody has seen.
  return { kind: 'made', booking, replayed: booking.BookingReference !== reference }
}

function distinctSlots(attempts: Attempt[]) {
  return [...new Map(attempts.map((attempt) => [slotName(attempt), attempt])).values()]
}

/** Ends holds whose time has run out; whether there were any. */
async function releaseHolds(tx: Transaction, slots: NamedTimeslot[]): Promise<boolean> {
  return slots.length > 0 && (await releaseExpired(tx, slots)) > 0
}

/** Keeps what was made under its key, and gives up the key of what was refused. */
function answerTo({ claim }: Attempt, outcome: BookingOutcome | undefined): Answer[] {
  return claim ? [{ ...claim, response: outcome?.kind === 'made' ? outcome.booking : null }] : []
}
