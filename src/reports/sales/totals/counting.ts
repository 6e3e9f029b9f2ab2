/**
 * Maintains the totals: numbered events mark days, and marked days are counted again from the bookings.
 *
 * A transaction deletes marks first and reads the bookings in a later statement, so it sees every change that made
 * these marks. A mark that is made meanwhile stays for the next turn. The state of the account is locked, so that an
 * older count cannot replace a newer one.
 *
 * The job that numbers events does not read them for the totals; a later job does. This keeps the numbering
 * fast, and includes events that a worker of the previous version numbered.
 */
import { forEachAccount } from '../../../accounts/each-account.ts'
import { planAnew, type Sql } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { type MarkKey, markDaysOfUnreadEvents, takeMarks } from './mark-queries.ts'
import * as queries from './recount-queries.ts'
import { bases } from './tables.ts'

// How long one account may take before the next one is counted.
const turnMs = 2000
// A transaction should take between these times.
const shortMs = 150
const longMs = 600
// How many days of sale a repair counts in one transaction, and how many the worker counts at most. The
// worker starts with one day, and doubles or halves the number, depending on the time that a transaction
// takes.
const defaultDays = 4
const maxDays = 64
// How many events are read at once.
const eventsAtOnce = 2000
// After a turn that took longer than this, the account is not counted for a while.
const pausesAfterMs = 300

/**
 * Counts marked days of all accounts in turns.
 * @returns the number of days that were counted plus the number of events that were read.
 * @throws as forEachAccount().
 */
export async function updateTotals(sql: Sql): Promise<number> {
  const accounts = (await queries.listToCount(sql)).map((accountId) => ({ accountId }))
  return forEachAccount(accounts, { work: ({ accountId }) => takeTurn(sql, accountId) })
}

async function takeTurn(sql: Sql, accountId: number): Promise<number> {
  const begun = performance.now()
  let sum = 0
  for (let days = 1, count = -1; count !== 0 && performance.now() - begun < turnMs; ) {
    const countedFrom = performance.now()
    count = await countSome(sql, accountId, days)
    const ms = performance.now() - countedFrom
    if (ms < shortMs) days = Math.min(2 * days, maxDays)
    else if (ms > longMs) days = Math.max(Math.floor(days / 2), 1)
    sum += count
  }
  const countedMs = performance.now() - begun
  if (countedMs > pausesAfterMs) await queries.pauseCounting(sql, accountId, countedMs)
  return sum
}

/**
 * Reads some events of an account, and counts some marked days and some days that were never counted. Returns
 * the number of events and days. While another process counts the account, it does nothing and returns 0.
 */
export function countSome(sql: Sql, accountId: number, days = defaultDays): Promise<number> {
  return runAgain(sql, async (tx) => {
    await planAnew(tx)
    const state = await queries.lockState(tx, accountId)
    if (!state) return 0
    const events = await markDaysOfUnreadEvents(tx, accountId, eventsAtOnce)
    const earlier = state.filled ? [] : await queries.takeUncountedDays(tx, accountId, days)
    const keys = withoutRepeats([...(await takeMarks(tx, accountId, days)), ...earlier])
    for (const basis of bases) {
      const ofBasis = keys.filter((key) => key.basis === basis)
      if (ofBasis.length > 0) await queries.replaceTotals(tx, accountId, { basis, keys: ofBasis })
    }
    return keys.length + events
  })
}

/** Removes repeated days, which would be counted twice. */
function withoutRepeats(keys: readonly MarkKey[]): MarkKey[] {
  return [...new Map(keys.map((key) => [`${key.basis} ${key.productId} ${key.day}`, key])).values()]
}
