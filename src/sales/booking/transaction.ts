/**
 * The transaction of a batch: claims idempotency keys, locks timeslots, allocates, writes, commits. If the process dies
 * on any line, each place is sold once or not at all, and no response that was sent contradicts this.
 */
import { listSlotsWithExpiredHolds } from '../../inventory/expiry-queries.ts'
import { makeHolds } from '../../inventory/holds.ts'
import {
  findNamedSlots,
  lockNamedSlots,
  type PricedTimeslot,
  type RowKey,
} from '../../inventory/lock-queries.ts'
import { timeslotKey } from '../../inventory/model.ts'
import { type Bought, makeBookings, releaseExpired } from '../../inventory/service.ts'
import { SetAside } from '../../platform/async/lanes.ts'
import { inOrder, type Sql, setLockTimeout, type Transaction } from '../../platform/postgres/database.ts'
import { claimFreeKeys, storeResponses } from '../../platform/postgres/idempotency.ts'
import {
  type Attempt,
  type BookingOutcome,
  decide,
  type GrantedBooking,
  isHeld,
  listRefusedSlotsWithHolds,
  type MadeBooking,
  slotName,
} from './decision.ts'
import { operation, readClaims, responsesToStore } from './keys.ts'
import { listMade } from './queries.ts'
import { underTerms } from './under-terms.ts'

/** Which locked rows a transaction waits for. Attempts that need other locked rows are set aside. */
export type WaitsFor = 'nothing' | 'timeslot' | 'key-and-timeslot'

export type AttemptOutcome = BookingOutcome | SetAside | Error
export type Outcomes = Map<Attempt, AttemptOutcome>

// The lock timeout of the other statements of the web process. With a shorter one, this transaction would
// give up while the others still wait for the same row.
const lockTimeoutMs = 2000

/**
 * Attempts whose booking from an earlier try is visible get it as their outcome, without locks; transact()
 * decides the others. The COMMIT of an earlier try may still be running, so lock() looks for those bookings
 * once more after it has locked their timeslots.
 */
export async function transactUnmade(sql: Sql, attempts: Attempt[], waitsFor: WaitsFor): Promise<Outcomes> {
  const unsure = attempts.filter(({ mayBeMade }) => mayBeMade)
  if (unsure.length === 0) return transact(sql, attempts, waitsFor)
  const made = byBookingId(await listMade(sql, unsure))
  const isMade = ({ id }: Attempt) => made.has(id)
  const { decided } = decide(attempts.filter(isMade), [], made)
  const unmade = attempts.filter((attempt) => !isMade(attempt))
  return new Map([...decided, ...(await transact(sql, unmade, waitsFor))])
}

function byBookingId(made: (Bought & { id: number; createdAt: Date })[]): Map<number, MadeBooking> {
  return new Map(made.map(({ id, createdAt, ...bought }) => [id, { createdAt, bought }]))
}

async function transact(sql: Sql, attempts: Attempt[], waitsFor: WaitsFor): Promise<Outcomes> {
  let outcomes: Outcomes = new Map()
  if (attempts.length === 0) return outcomes
  // The callback returns nothing, because the connection would keep the result of its last transaction in
  // memory.
  await sql.begin(async (tx) => {
    const locked = await lock(tx, attempts, waitsFor)
    const open = attempts.filter((attempt) => !locked.outcomes.has(attempt))
    const { granted, decided } = await decideOpen(tx, open, locked, waitsFor)
    outcomes = new Map([...locked.outcomes, ...decided])
    const responses = open.flatMap((attempt) => responsesToStore(attempt, decided.get(attempt)!))
    const placed = await underTerms(tx, granted)
    const held = placed.filter(isHeld)
    // All statements are sent before the first result is awaited.
    await Promise.all([
      placed.length > 0 && makeBookings(tx, placed),
      held.length > 0 && makeHolds(tx, held),
      responses.length > 0 && storeResponses(tx, operation, responses),
    ])
  })
  return outcomes
}

type LockResult = {
  slots: PricedTimeslot[]
  /** Names of timeslots whose attempts must wait in their lanes. */
  forLane: Set<string>
  made: Map<number, MadeBooking>
  /** The outcomes of attempts whose key is locked by another transaction or was used before. */
  outcomes: Map<Attempt, BookingOutcome | SetAside>
}

async function lock(tx: Transaction, attempts: Attempt[], waitsFor: WaitsFor): Promise<LockResult> {
  const keyed = attempts.filter(({ claim }) => claim)
  const claims = keyed.map(({ claim }) => claim!)
  const names = oneAttemptPerSlot(attempts)
  const wait = waitsFor !== 'nothing'
  const { found, slots, made } = await inOrder({
    timeout: wait && setLockTimeout(tx, lockTimeoutMs),
    found:
      claims.length > 0 && claimFreeKeys(tx, operation, claims, { wait: waitsFor === 'key-and-timeslot' }),
    slots: lockNamedSlots(tx, names, { wait }),
    made: attempts.some(({ mayBeMade }) => mayBeMade) && listMade(tx, attempts),
  })
  return {
    slots,
    forLane: wait ? new Set() : await findLockedElsewhere(tx, names, slots),
    made: byBookingId(made || []),
    outcomes: readClaims(keyed, found || []),
  }
}

/** The names of timeslots that exist and that another transaction has locked. */
async function findLockedElsewhere(
  tx: Transaction,
  names: Attempt[],
  slots: PricedTimeslot[],
): Promise<Set<string>> {
  if (slots.length === names.length) return new Set()
  const known = new Set(slots.map(slotName))
  const missing = names.filter((name) => !known.has(slotName(name)))
  return new Set((await findNamedSlots(tx, missing)).map(slotName))
}

/**
 * Decides the attempts whose clients still wait, right before their places are sold. If an attempt would be
 * refused for lack of places, expired holds of its timeslot are released first. Releasing takes locks, so a
 * run that waits for nothing sets such attempts aside for the lane of the timeslot.
 */
async function decideOpen(
  tx: Transaction,
  open: Attempt[],
  { slots, forLane, made }: LockResult,
  waitsFor: WaitsFor,
): Promise<{ granted: GrantedBooking[]; decided: Map<Attempt, BookingOutcome | SetAside> }> {
  const decideWith = (current: PricedTimeslot[]) =>
    decide(
      open.filter((attempt) => attempt.isAwaited() && !forLane.has(slotName(attempt))),
      current,
      made,
    )
  let decision = decideWith(slots)
  const held = listRefusedSlotsWithHolds(decision, slots)
  if (held.length > 0) {
    let current = slots
    if (waitsFor === 'nothing')
      for (const name of await findNamesWithExpiredHolds(tx, held)) forLane.add(name)
    else if ((await releaseExpired(tx, held)) > 0)
      current = await lockNamedSlots(tx, oneAttemptPerSlot(open), { wait: true })
    decision = decideWith(current)
  }
  const leftOut = open.filter((attempt) => !decision.decided.has(attempt))
  const aside = (attempt: Attempt): BookingOutcome | SetAside => {
    const name = slotName(attempt)
    return forLane.has(name) ? new SetAside(name) : { kind: 'again' }
  }
  return {
    granted: decision.granted,
    decided: new Map([...decision.decided, ...leftOut.map((attempt) => [attempt, aside(attempt)] as const)]),
  }
}

/** The names of these timeslots that have expired holds. */
async function findNamesWithExpiredHolds(tx: Transaction, slots: PricedTimeslot[]): Promise<string[]> {
  const keyOf = ({ accountId, id }: RowKey) => timeslotKey(accountId, id)
  const found = new Set((await listSlotsWithExpiredHolds(tx, slots)).map(keyOf))
  return slots.filter((slot) => found.has(keyOf(slot))).map(slotName)
}

function oneAttemptPerSlot(attempts: Attempt[]): Attempt[] {
  return [...new Map(attempts.map((attempt) => [slotName(attempt), attempt])).values()]
}
