/**
 * Settles a provider's payment: it completes its basket, pays the balance of a sale, or is due for a refund. A
 * failed payment frees the places of its basket, unless they are an offer of the waitlist that the customer can
 * still pay.
 */
import { thePaymentProvider } from '../../events/actor.ts'
import { endBasket } from '../../inventory/baskets.ts'
import { type BasketStatus, changeBookings, type LockedBasket } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toExactMinorUnits } from '../../platform/text/money.ts'
import { addPayment, openLedger } from '../ledger/service.ts'
import { isTotal, sumLines } from './model.ts'
import { complete, isForSale } from './paying.ts'
import * as queries from './queries.ts'
import type { RefundReason } from './schemas.ts'

export type Settlement = {
  outcome: 'completed' | 'refund-due'
  basketStatus: BasketStatus
  /** Why the payment is due for a refund; null if it is not. */
  refundReason: RefundReason | null
}

export type ProvidedPayment = {
  /** The id of the provider's event. */
  id: string
  amount: string
  currency: string
  reference: string | null
}

/**
 * Settles a provider's payment of a locked basket, whose promotion is locked too: the basket is completed, or
 * the payment is due for a refund and the places are freed. A completed basket, a basket on the waitlist and the
 * basket of a partner's booking do not change. A payment for a completed basket is accepted if the sale owes at
 * least that amount; otherwise it is due for a refund.
 */
export async function settle(
  tx: Transaction,
  accountId: number,
  locked: LockedBasket,
  paid: ProvidedPayment,
): Promise<Settlement> {
  const { basket, lines } = locked
  const reason = await completeOrFindReason(tx, accountId, locked, paid)
  if (!reason) return { outcome: 'completed', basketStatus: 'completed', refundReason: null }
  const stays = ['completed', 'waiting'].includes(basket.status) || basket.channel === 'partner'
  if (!stays) {
    await queries.updateRefundDue(tx, accountId, basket.id, reason)
    const held = lines.filter(({ status }) => status === 'held')
    const change = { action: 'cancelled', to: { status: 'cancelled' }, cancelReason: 'customer' } as const
    await changeBookings(
      tx,
      thePaymentProvider,
      held.map((booking) => ({ booking, ...change })),
    )
  }
  const basketStatus = stays ? basket.status : 'refund-due'
  return { outcome: 'refund-due', basketStatus, refundReason: reason }
}

async function completeOrFindReason(
  tx: Transaction,
  accountId: number,
  locked: LockedBasket,
  paid: ProvidedPayment,
): Promise<RefundReason | null> {
  const { id: eventId, amount, currency, reference } = paid
  const { id, status } = locked.basket
  if (status === 'completed' && (await payOwed(tx, accountId, locked, paid))) return null
  if (status === 'completed' || status === 'refund-due' || status === 'refunded') return 'paid-twice'
  if (!isForSale(locked)) return 'not-payable'
  const total = sumLines(await queries.listLines(tx, accountId, [id]))
  if (!total) return 'basket-empty'
  if (!isTotal(total, amount, currency)) return 'amount-differs'
  const by = { accountId, actor: thePaymentProvider }
  const first = { method: 'online', minor: total.minor, currency, reference, eventId } as const
  const obstacle = await complete(tx, by, locked, first)
  if (!obstacle) return null
  return obstacle.promotion ? 'promotion-gone' : 'places-gone'
}

/** Takes the payment for a completed sale if the sale owes at least that amount. Returns whether it did. */
async function payOwed(
  tx: Transaction,
  accountId: number,
  locked: LockedBasket,
  { id: eventId, amount, currency, reference }: ProvidedPayment,
): Promise<boolean> {
  const ledger = await openLedger(tx, accountId, locked)
  const amountMinor = toExactMinorUnits(amount, currency)
  if (!ledger || !amountMinor || currency !== ledger.currency || amountMinor > ledger.balance) return false
  const payment = {
    basketId: locked.basket.id,
    method: 'online',
    amountMinor,
    currency,
    reference,
    eventId,
  } as const
  await addPayment(tx, { accountId, actor: thePaymentProvider }, payment)
  return true
}

/**
 * Frees the places of a locked basket after its payment failed. An offer of the waitlist stays held until it
 * expires, so that its customer can pay again.
 * @returns the new status of the basket; null if nothing changed.
 */
export async function releaseUnpaid(
  tx: Transaction,
  accountId: number,
  { basket, lines }: LockedBasket,
): Promise<BasketStatus | null> {
  if (basket.status !== 'open' || basket.channel === 'partner') return null
  const isOffer = await queries.hasOffer(tx, accountId, basket.id)
  if (isOffer && !basket.isOver) return null
  const end = isOffer
    ? ({ status: 'expired' } as const)
    : ({ status: 'cancelled', cancelReason: 'customer' } as const)
  await endBasket(tx, accountId, thePaymentProvider, { id: basket.id, ...end }, lines)
  return end.status
}
