/**
 * Matches what providers told of with what is to be paid back, where the version before kept it: it matches no part of an event
 * with a payment that bought nothing, nor with what was to be kept. Safe to do again; this version matches both at once.
 */
import { forEachAccount } from '../../accounts/each-account.ts'
import { lockBasket } from '../../inventory/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { listUnmatchedAccounts, listUnmatchedSales } from './provider-queries.ts'
import { openLedger } from './service.ts'
import { settleByUnmatched } from './settling.ts'

const salesAtOnce = 100
// How long one account may take before the next has its turn.
const turnMs = 10_000

/**
 * Looks at every sale of which an event may tell of something, one transaction each.
 * @returns for how many it did.
 * @throws as forEachAccount().
 */
export async function matchRefunds(sql: Sql): Promise<number> {
  return forEachAccount(await listUnmatchedAccounts(sql), {
    async work({ accountId }) {
      const until = performance.now() + turnMs
      let [matched, after] = [0, 0]
      while (performance.now() < until) {
        const sales = await listUnmatchedSales(sql, accountId, { after, limit: salesAtOnce })
        for (const { basketId } of sales) if (await matchSale(sql, accountId, basketId)) matched += 1
        if (sales.length < salesAtOnce) break
        after = sales.at(-1)!.basketId
      }
      return matched
    },
  })
}

function matchSale(sql: Sql, accountId: number, basketId: number): Promise<boolean> {
  return runAgain(sql, async (tx) => {
    // Also its bookings: a partner's sale has no row of a basket.
    const locked = await lockBasket(tx, accountId, basketId)
    if (!locked) return false
    await openLedger(tx, accountId, locked)
    return settleByUnmatched(tx, accountId, [basketId])
  })
}
