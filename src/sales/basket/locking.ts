/** Locks a basket with its lines and their timeslots, in the order in which all transactions lock. */
import { problems } from '../../http/problems.ts'
import { isHeldByReseller } from '../../inventory/locking.ts'
import { type LockedBasket, lockBasket, type MoreToLock } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'

/** The problems of getLocked(), for the OpenAPI schema of a route. */
export const lockProblems = ['not-found', 'held-by-reseller'] as const
/** The problems of lockOpen(). */
export const openProblems = [...lockProblems, 'basket-not-open'] as const

/**
 * Locks any basket, even one whose places a reseller holds. For payments, refunds and receipts.
 * @throws Problem not-found.
 */
export async function lockForMoney(
  tx: Transaction,
  accountId: number,
  basketId: number,
  more: MoreToLock = {},
): Promise<LockedBasket> {
  const locked = await lockBasket(tx, accountId, basketId, more)
  if (!locked) throw problems.basketNotFound()
  return locked
}

/**
 * Locks a basket. It may be the basket of a partner's confirmed booking.
 * @throws Problem not-found; held-by-reseller while a reseller holds its places.
 */
export async function getLocked(
  tx: Transaction,
  accountId: number,
  basketId: number,
  more: MoreToLock = {},
): Promise<LockedBasket> {
  const locked = await lockForMoney(tx, accountId, basketId, more)
  if (isHeldByReseller(locked.basket)) throw problems.heldByReseller()
  return locked
}

/**
 * Locks an open basket that still holds all its places.
 * @throws Problem not-found, held-by-reseller, basket-not-open.
 */
export async function lockOpen(
  tx: Transaction,
  accountId: number,
  basketId: number,
  more: MoreToLock = {},
): Promise<LockedBasket> {
  const locked = await getLocked(tx, accountId, basketId, more)
  const { basket, lines } = locked
  // Another transaction, whose clock reading is a little later than ours, may have expired a line already.
  const isOver = basket.isOver || lines.some(({ status }) => status === 'expired')
  if (basket.status !== 'open') throw problems.basketNotOpen(basket.status)
  if (isOver) throw problems.basketNotOpen('expired')
  return locked
}
