/**
 * Settles providers' refunds that the previous version left unsettled: partial refunds of payments that bought
 * nothing, and refunds of money that the operator had decided to keep. This version settles both when the event
 * arrives. The job may run any number of times.
 */
import { forEachAccount } from '../../accounts/each-account.ts'
import { lockBasket } from '../../inventory/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { listUnsettledAccounts, listUnsettledSales } from './provider-queries.ts'
import { openLedger } from './service.ts'
import { settleUnsettled } from './settling.ts'

const salesAtOnce = 100
// How long one account may take before the next has its turn.
const turnMs = 10_000

/**
 * Tries to settle each sale that has an unsettled refund, and money that this refund may have paid back. Each sale is
 * one transaction.
 * @returns the number of sales of which at least a part of a refund was settled.
 * @throws as forEachAccount().
 */
export async function settleOldRefunds(sql: Sql): Promise<number> {
  return forEachAccount(await listUnsettledAccounts(sql), {
    async work({ accountId }) {
      const until = performance.now() + turnMs
      let [settled, after] = [0, 0]
      while (performance.now() < until) {
        const sales = await listUnsettledSales(sql, accountId, { after, limit: salesAtOnce })
        for (const { basketId } of sales) if (await settleSale(sql, accountId, basketId)) settled += 1
        if (sales.length < salesAtOnce) break
        after = sales.at(-1)!.basketId
      }
      return settled
    },
  })
}

function settleSale(sql: Sql, accountId: number, basketId: number): Promise<boolean> {
  return runAgain(sql, async (tx) => {
    // Locks the bookings too, because a partner's booking may have no row in `baskets`.
    const locked = await lockBasket(tx, accountId, basketId)
    if (!locked) return false
    await openLedger(tx, accountId, locked)
    return settleUnsettled(tx, accountId, [basketId])
  })
}
