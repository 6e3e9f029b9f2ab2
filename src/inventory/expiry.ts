/**
 * The worker's job that ends expired baskets: baskets whose hold has expired, and baskets that wait for a
 * timeslot that is no longer on sale. Requests release single expired holds earlier, when they need the places.
 */

import { AccountsFailed, forEachAccount } from '../accounts/each-account.ts'
import { theService } from '../events/actor.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { endBasket } from './baskets.ts'
import { listExpiredBaskets, listOverdueBaskets } from './expiry-queries.ts'
import { type LockedBasket, lockBasket } from './locking.ts'

/**
 * A call ends at most this many expired baskets of an account, and at most this many of its baskets that wait
 * for a timeslot that is no longer on sale.
 */
const sweepSize = 200
/** After this time, the remaining baskets of an account wait for the next call. */
const turnMs = 10_000

/**
 * Ends expired baskets with their holds, and baskets that wait for a timeslot that is no longer on sale. Each basket
 * has its own transaction. A call ends a limited number of baskets for each account, so the caller repeats it
 * until it returns 0. Calls may run concurrently. A basket that cannot be ended does not stop the others, but
 * a timeout ends the turn of its account.
 * @returns how many baskets it ended.
 * @throws AccountsFailed if some baskets could not be ended and no basket was ended; a connection error even
 * if baskets were ended.
 */
export async function sweepExpiredHolds(sql: Sql): Promise<number> {
  let ended = 0
  const expired = await listExpiredBaskets(sql, sweepSize)
  const overdue = await listOverdueBaskets(sql, sweepSize)
  try {
    return await forEachAccount([...expired, ...overdue], {
      limitMs: turnMs,
      async work({ accountId, id }) {
        const count = (await expireBasket(sql, accountId, id)) ? 1 : 0
        ended += count
        return count
      },
    })
  } catch (error) {
    if (ended === 0 || !(error instanceof AccountsFailed)) throw error
    return ended
  }
}

/** Ends a basket. False if the basket was paid, extended or ended before it was locked. */
function expireBasket(sql: Sql, accountId: number, id: number): Promise<boolean> {
  return runAgain(sql, async (tx) => {
    const locked = await lockBasket(tx, accountId, id)
    if (!locked || !isOver(locked)) return false
    await endBasket(tx, accountId, theService, { id, status: 'expired' }, locked.lines)
    return true
  })
}

function isOver({ basket, slots }: LockedBasket): boolean {
  if (basket.status === 'waiting') return [...slots.values()].every(({ saleIsOver }) => saleIsOver)
  return basket.status === 'open' && basket.isOver
}
