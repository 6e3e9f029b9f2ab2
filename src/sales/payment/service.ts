/**
 * Applies a payment provider's event. The event takes effect once, however often it is delivered, in the
 * transaction that stores its result. Its signature has been checked before.
 */

import { thePaymentProvider } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import type { NewEvent } from '../../events/event.ts'
import { problems } from '../../http/problems.ts'
import type { LockedBasket } from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { hashBody } from '../../platform/postgres/idempotency.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { lockForMoney } from '../basket/locking.ts'
import { findBasket } from '../basket/queries.ts'
import { releaseUnpaid, settle } from '../basket/settling.ts'
import { settleByEvent, settleUnsettled } from '../ledger/settling.ts'
import * as queries from './queries.ts'
import type { PaymentEventRequest, PaymentOutcome } from './schemas.ts'

/**
 * Applies an event, or returns the stored outcome of a repeated event.
 * @throws Problem not-found for an unknown basket; payment-event-reused if another event had this ID. In both
 *   cases, nothing changes.
 */
export async function takeEvent(
  sql: Sql,
  accountId: number,
  request: PaymentEventRequest,
): Promise<PaymentOutcome> {
  const event = toEvent(request)
  const { outcome, basketStatus } = await runAgain(sql, async (tx) => {
    if (!(await queries.insertEvent(tx, accountId, event))) return replay(tx, accountId, event)
    const locked = await lockForMoney(tx, accountId, event.basketId, { promotionIds: [] })
    const result = await act(tx, accountId, event, locked)
    await queries.updateEvent(tx, accountId, event.id, result)
    await appendEvents(tx, eventsOf(accountId, event, result))
    // The provider may have reported the refund of this payment before the payment itself.
    const isSettled =
      result.outcome === 'refund-due' && (await settleUnsettled(tx, accountId, [event.basketId]))
    if (!isSettled) return result
    const settled = { ...result, basketStatus: await statusOf(tx, accountId, event) }
    await queries.updateEvent(tx, accountId, event.id, settled)
    return settled
  })
  return { ID: event.id, Outcome: outcome, BasketStatus: basketStatus as PaymentOutcome['BasketStatus'] }
}

function toEvent(request: PaymentEventRequest): queries.PaymentEvent {
  const { ID, Type, BasketID, Amount, Currency, Reference } = request
  return {
    id: ID,
    bodyHash: hashBody({ Type, BasketID, Amount, Currency, Reference }),
    basketId: BasketID,
    type: Type,
    amount: Amount,
    currency: Currency,
    reference: Reference ?? null,
  }
}

/** The entries about a provider's event for the service's own event log. */
function eventsOf(
  accountId: number,
  { basketId, type, amount, currency }: queries.PaymentEvent,
  { outcome, refundReason }: queries.EventOutcome,
): NewEvent[] {
  const common = { accountId, actor: thePaymentProvider, basketId }
  const details = { Amount: amount, Currency: currency, Type: type, Outcome: outcome }
  const received: NewEvent = { ...common, type: 'payment.received', details }
  if (refundReason === null) return [received]
  return [received, { ...common, type: 'refund.due', details: { Reason: refundReason } }]
}

async function replay(
  tx: Transaction,
  accountId: number,
  { id, bodyHash }: queries.PaymentEvent,
): Promise<queries.EventOutcome> {
  const before = (await queries.findEvent(tx, accountId, id))!
  if (!before.bodyHash.equals(bodyHash)) throw problems.paymentEventReused()
  return before
}

async function act(
  tx: Transaction,
  accountId: number,
  event: queries.PaymentEvent,
  locked: LockedBasket,
): Promise<queries.EventOutcome> {
  const ignored = { outcome: 'ignored', basketStatus: locked.basket.status, refundReason: null } as const
  if (event.type === 'failed') {
    const basketStatus = await releaseUnpaid(tx, accountId, locked)
    return basketStatus ? { outcome: 'released', basketStatus, refundReason: null } : ignored
  }
  if (event.type === 'refunded') {
    if (!(await settleByEvent(tx, accountId, { ...event, unsettledMinor: null }))) return ignored
    const basketStatus = await statusOf(tx, accountId, event)
    return { outcome: 'refunded', basketStatus, refundReason: null }
  }
  if (event.reference !== null && (await queries.isReportedTwice(tx, accountId, event))) return ignored
  return settle(tx, accountId, locked, event)
}

async function statusOf(tx: Transaction, accountId: number, { basketId }: queries.PaymentEvent) {
  return (await findBasket(tx, accountId, basketId))!.status
}
