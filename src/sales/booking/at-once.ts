/**
 * Sells places in one statement if they fit, which is nearly always. The transaction in reservation.ts decides the
 * attempts that the statement leaves open. If the process dies on any line, each place is sold once or not at all.
 */
import { LRUCache } from 'lru-cache'
import { type CommittedEvent, reportAppended } from '../../events/append.ts'
import { type SaleTimeslot, sellFitting } from '../../inventory/sale-queries.ts'
import { atMost } from '../../platform/async/at-most.ts'
import { findPoolUse, type Sql } from '../../platform/postgres/database.ts'
import { type Attempt, asMade, type BookingOutcome, boughtPlainly, slotName } from './decision.ts'
import { operation, storedBooking } from './keys.ts'

/**
 * Books attempts with sellFitting(), refuses attempts with refuseSoldOut(), and leaves the others undecided. After a
 * lost connection it is unknown which bookings were made; after any other error none was made.
 * @param selling connections that no other sale uses. Whether clients still wait is checked before the
 *   statement is sent, so the statement must not wait for a connection.
 * @param attempts no two of them may have the same key.
 * @returns the outcomes of the attempts that it has decided.
 */
export async function reserveAtOnce(
  selling: Sql,
  attempts: readonly Attempt[],
): Promise<Map<Attempt, BookingOutcome>> {
  const outcomes = new Map<Attempt, BookingOutcome>()
  if (!isReady(selling)) return outcomes
  const wanted = attempts.filter(isPlain).filter(({ isAwaited }) => isAwaited())
  if (wanted.length === 0) return outcomes
  const known = accountsWithManyPrices(selling)
  const manyPrices = wanted.some(({ accountId }) => known.has(accountId))
  const slots = await sellFitting(selling, wanted, { operation, answerOf: storedBooking }, manyPrices)
  for (const { accountId, hasManyPrices } of slots) if (hasManyPrices) known.set(accountId, true)
  const made: CommittedEvent[] = []
  for (const slot of slots)
    for (const place of slot.made ?? []) {
      const attempt = wanted[place - 1]!
      outcomes.set(attempt, asMade(attempt, boughtPlainly(attempt.participants, slot), slot.now))
      made.push({ accountId: attempt.accountId, type: 'booking.confirmed', actor: attempt.actor })
    }
  if (made.length > 0) reportAppended(selling, made)
  if (made.length < wanted.length) refuseSoldOut(wanted, slots, outcomes)
  return outcomes
}

const knownTo = new WeakMap<Sql, LRUCache<number, true>>()

/**
 * The accounts with products that the short form of the statement leaves out. When the statement reports such
 * an account, the transaction in reservation.ts sells the bookings of these products, and every later batch
 * with such an account uses the long form. A wrong or missing entry only makes a batch slower.
 */
function accountsWithManyPrices(selling: Sql): LRUCache<number, true> {
  const known = knownTo.get(selling) ?? new LRUCache<number, true>(atMost(10_000))
  knownTo.set(selling, known)
  return known
}

/** Whether an attempt requests only a number of people, is confirmed at once, and has no invalid answer. */
function isPlain(attempt: Attempt): attempt is Attempt & { participants: number } {
  return attempt.units === null && attempt.hold === null && attempt.answerErrors.length === 0
}

/**
 * Returns whether a connection is idle. Also opens a connection for the next batch, but only when none is idle, no
 * query waits and the pool is not full.
 */
function isReady(selling: Sql): boolean {
  const { idle, used, waiting } = findPoolUse(selling)
  if (idle + waiting === 0 && used < selling.options.max) selling`select`.catch(() => {})
  return idle > 0
}

/**
 * Refuses attempts without an idempotency key if their timeslot is not on sale, or has neither free nor held
 * places. The transaction decides the others: a key may belong to an earlier booking, and holds may have expired.
 */
function refuseSoldOut(
  wanted: readonly Attempt[],
  slots: readonly SaleTimeslot[],
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
