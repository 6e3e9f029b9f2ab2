/**
 * Keeping the totals: numbered events mark days, and the days that are marked are counted again from the bookings. The
 * marks are deleted first and the bookings read by a later statement of the same transaction, so that what a mark was made
 * for is always seen; a mark that is made meanwhile stays for the next turn. The state of the account is locked, or an
 * older count could replace a newer one. A process that dies leaves all or nothing. Events are read by their numbers, not
 * as they get them: it costs the pump nothing, and those that a worker of the version before has numbered are read too.
 */
import { forEachAccount } from '../../../accounts/each-account.ts'
import { planAnew, type Sql } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { type MarkKey, markUnread, takeMarks } from './mark-queries.ts'
import * as queries from './recount-queries.ts'
import { bases } from './tables.ts'

// How long one account may take before the next has its turn, and how long one transaction of it should.
const turnMs = 2000
const shortMs = 150
const longMs = 600
// How many days of sale are counted at once: fewer where a day has very many bookings.
const usualDays = 4
const mostDays = 64
// How many events are read at once.
const eventsAtOnce = 2000
// An account that took longer rests for a while.
const restsAfterMs = 300

/**
 * Counts what is marked, of all accounts in turns.
 * @returns how many days were counted or marked.
 * @throws as forEachAccount().
 */
export async function keepTotals(sql: Sql): Promise<number> {
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
    if (ms < shortMs) days = Math.min(2 * days, mostDays)
    else if (ms > longMs) days = Math.max(Math.floor(days / 2), 1)
    sum += count
  }
  const countedMs = performance.now() - begun
  if (countedMs > restsAfterMs) await queries.rest(sql, accountId, countedMs)
  return sum
}

/** Reads events of an account and counts some marked days and some earlier ones; gives how many of all these. */
export function countSome(sql: Sql, accountId: number, days = usualDays): Promise<number> {
  return runAgain(sql, async (tx) => {
    await planAnew(tx)
    const state = await queries.lockState(tx, accountId)
    if (!state) return 0
    const events = await markUnread(tx, accountId, eventsAtOnce)
    const earlier = state.filled ? [] : await queries.takeEarlier(tx, accountId, days)
    const keys = withoutRepeats([...(await takeMarks(tx, accountId, days)), ...earlier])
    for (const basis of bases) {
      const ofBasis = keys.filter((key) => key.basis === basis)
      if (ofBasis.length > 0) await queries.replaceTotals(tx, accountId, { basis, keys: ofBasis })
    }
    return keys.length + events
  })
}

/** A day that is given twice would be counted twice. */
function withoutRepeats(keys: readonly MarkKey[]): MarkKey[] {
  return [...new Map(keys.map((key) => [`${key.basis} ${key.productId} ${key.day}`, key])).values()]
}
