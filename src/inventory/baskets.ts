/** Makes and ends baskets, with their events. The functions run in a transaction of the caller. */
import type { Actor, Authorship } from '../events/actor.ts'
import { appendEvents } from '../events/append.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { insertBasket, type NewBasket, updateBasketStatus } from './basket-queries.ts'
import { type Basket, type Booking, listBookingsOfBaskets } from './lock-queries.ts'
import { changeBookings } from './service.ts'

/**
 * Makes a basket and returns its id. An open basket holds its places for the account's hold time, or longer
 * if it is extended.
 */
export async function makeBasket(tx: Transaction, by: Authorship, basket: NewBasket): Promise<number> {
  const basketId = await insertBasket(tx, by.accountId, basket)
  const type = basket.status === 'completed' ? 'basket.completed' : 'basket.opened'
  await appendEvents(tx, [{ ...by, type, basketId, details: {} }])
  return basketId
}

/** Cancels a locked basket that is open or waiting, if all its lines are cancelled or expired. */
export async function endIfEmpty(
  tx: Transaction,
  by: Authorship,
  { id, status }: Pick<Basket, 'id' | 'status'>,
): Promise<void> {
  if (status !== 'open' && status !== 'waiting') return
  const lines = await listBookingsOfBaskets(tx, by.accountId, [id])
  if (lines.every((line) => line.status === 'cancelled' || line.status === 'expired'))
    await writeBasketEnd(tx, by, id, 'cancelled')
}

async function writeBasketEnd(
  tx: Transaction,
  by: Authorship,
  basketId: number,
  status: BasketEnd['status'],
): Promise<void> {
  await updateBasketStatus(tx, by.accountId, basketId, status)
  await appendEvents(tx, [{ ...by, type: `basket.${status}`, basketId, details: {} }])
}

export type BasketEnd = {
  id: number
  status: 'cancelled' | 'expired'
  /** Only with `cancelled`. */
  cancelReason?: 'operator' | 'customer' | 'closure'
}

/**
 * Ends a locked basket that was not paid, with its locked bookings that are held or waitlisted, and frees
 * their places.
 */
export async function endBasket(
  tx: Transaction,
  accountId: number,
  actor: Actor,
  { id, status, cancelReason }: BasketEnd,
  bookings: Booking[],
): Promise<void> {
  await writeBasketEnd(tx, { accountId, actor }, id, status)
  await changeBookings(
    tx,
    actor,
    bookings
      .filter((booking) => booking.status === 'held' || booking.status === 'waitlisted')
      .map((booking) => ({
        booking,
        action: status,
        to: { status },
        ...(cancelReason && { cancelReason }),
      })),
  )
}
