/**
 * Keeping the totals: the days that are marked are counted again from the bookings. The marks are deleted first and the
 * bookings read by a later statement of the same transaction, so that what a mark was made for is always seen; a mark
 * that is made meanwhile stays for the next turn. The state of the account is locked, or an older count could replace a
 * newer one. A process that dies leaves all or nothing.
 */
import { forEachAccount } from '../../../accounts/each-account.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { type MarkKey, takeMarks } from './mark-queries.ts'
import * as queries from './recount-queries.ts'

// How long one account may take before the next has its turn.
const turnMs = 2000
// How many of the days before the first mark are counted besides.
const earlierDays = 5

/**
 * Counts what is marked, of all accounts in turns.
 * @returns how many days were counted or marked.
 * @throws as forEachAccount().
 */
export async function keepTotals(sql: Sql): Promise<number> {
  const accounts = (await queries.listToCount(sql)).map((accountId) => ({ accountId }))
  return forEachAccount(accounts, {
    async work({ accountId }) {
      const until = performance.now() + turnMs
      let sum = 0
      for (let days = -1; days !== 0 && performance.now() < until; ) {
        days = await countSome(sql, accountId)
        sum += days
      }
      return sum
    },
  })
}

/** Counts some marked days of an account, and some of the days before its first mark; gives how many. */
export function countSome(sql: Sql, accountId: number): Promise<number> {
  return runAgain(sql, async (tx) => {
    const state = await queries.lockState(tx, accountId)
    if (!state) return 0
    const earlier = state.filled ? [] : await queries.takeEarlier(tx, accountId, earlierDays)
    const keys = withoutRepeats([...(await takeMarks(tx, accountId)), ...earlier])
    for (const basis of ['sold', 'travel', 'paid'] as const) {
      const ofBasis = keys.filter((key) => key.basis === basis)
      if (ofBasis.length > 0) await queries.replaceTotals(tx, accountId, { basis, keys: ofBasis })
    }
    await queries.rest(tx, accountId)
    return keys.length
  })
}

/** A day that is given twice would be counted twice. */
function withoutRepeats(keys: readonly MarkKey[]): MarkKey[] {
  return [...new Map(keys.map((key) => [`${key.basis} ${key.productId} ${key.day}`, key])).values()]
}
