/**
 * Sells places in one statement where they fit, which is nearly always. What it leaves open, the transaction in
 * reservation.ts decides. If the process dies on any line, each place is sold once or not at all.
 */
import { LRUCache } from 'lru-cache'
import { type CommittedEvent, tellAppended } from '../../events/append.ts'
import { type SoldTimeslot, sellFitting } from '../../inventory/sale-queries.ts'
import { findPoolUse, type Sql } from '../../platform/postgres/database.ts'
import { type Attempt, asMade, type BookingOutcome, boughtPlainly, slotName } from './decision.ts'
import { keptBooking, operation } from './keys.ts'

/**
 * Books the attempts that fit, and refuses those without a key whose timeslot has nothing left or is not on sale. No two
 * attempts have the same key. When the connection was lost, what was made is unknown; after any other error nothing was.
 * @param selling connections for this alone: clients are asked before the statement is sent, so that it must not wait.
 * @returns the outcomes of those that it has decided.
 */
export async function reserveAtOnce(
  selling: Sql,
  attempts: readonly Attempt[],
): Promise<Map<Attempt, BookingOutcome>> {
  const outcomes = new Map<Attempt, BookingOutcome>()
  if (!isReady(selling)) return outcomes
  const wanted = attempts.filter(isPlain).filter(({ isAwaited }) => isAwaited())
  if (wanted.length === 0) return outcomes
  const known = accountsKnownTo(selling)
  const manyPrices = wanted.some(({ accountId }) => known.has(accountId))
  const slots = await sellFitting(selling, wanted, { operation, answerOf: keptBooking }, manyPrices)
  for (const { accountId, hasManyPrices } of slots) if (hasManyPrices) known.set(accountId, true)
  const made: CommittedEvent[] = []
  for (const slot of slots)
    for (const place of slot.made ?? []) {
      const attempt = wanted[place - 1]!
      outcomes.set(attempt, asMade(attempt, boughtPlainly(attempt.participants, slot), slot.now))
      made.push({ accountId: attempt.accountId, type: 'booking.confirmed', actor: attempt.actor })
    }
  if (made.length > 0) tellAppended(selling, made)
  if (made.length < wanted.length) refuseSoldOut(wanted, slots, outcomes)
  return outcomes
}

const knownTo = new WeakMap<Sql, LRUCache<number, true>>()

/**
 * The accounts with products that the short form of the statement leaves out. It says so, and the transaction sells that
 * batch's bookings of them; the next batch with such an account takes the other form. An account that is forgotten, or has
 * no such product any more, costs time alone.
 */
function accountsKnownTo(selling: Sql): LRUCache<number, true> {
  const known = knownTo.get(selling) ?? new LRUCache<number, true>({ max: 10_000 })
  knownTo.set(selling, known)
  return known
}

/** Whether it asks for people alone, and for good. */
function isPlain(attempt: Attempt): attempt is Attempt & { participants: number } {
  return attempt.units === null && attempt.hold === null
}

/** Whether a connection is idle. If not, one more is opened for the next time. */
function isReady(selling: Sql): boolean {
  const { idle, used, waiting } = findPoolUse(selling)
  if (idle + waiting === 0 && used < selling.options.max) selling`select`.catch(() => {})
  return idle > 0
}

/**
 * Refuses what no place is left for. An attempt with a key is left to the transaction: its key may stand for a booking that
 * was made before. So is a timeslot with held places: the holds may have run out.
 */
function refuseSoldOut(
  wanted: readonly Attempt[],
  slots: readonly SoldTimeslot[],
  outcomes: Map<Attempt, BookingOutcome>,
): void {
  const withoutPlaces = new Map(
    slots
      .filter(({ onSale, free, held }) => !onSale || free + held === 0)
      .map((slot) => [slotName(slot), slot.onSale]),
  )
  for (const attempt of wanted) {
    const onSale = withoutPlaces.get(slotName(attempt))
    if (onSale === undefined || attempt.claim || outcomes.has(attempt)) continue
    outcomes.set(attempt, { kind: 'refused', onSale, available: 0, wanted: null })
  }
}
