/** Payments that bought nothing, and were paid back: as the operator or its provider says. The service itself pays nothing back. */
import { type Authorship, thePayment } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import type { Basket } from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toExactMinorUnits } from '../../platform/text/money.ts'
import * as queries from './queries.ts'
import { type Done, getLocked } from './service.ts'
import { readBasket } from './views.ts'

/**
 * Marks payments of a basket as paid back: all that are named, or none, and never one that the operator did not name.
 * @throws Problem not-found; validation for what is no payment of the basket; no-refund-due for one that is not due,
 *   or was paid back before.
 */
export function markRefunded(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, paymentIds }: { basketId: number; paymentIds: readonly string[] },
): Promise<Done> {
  const { accountId } = by
  return runOnce(sql, request, async (tx) => {
    const { basket } = await getLocked(tx, accountId, basketId)
    const payments = await queries.listPayments(tx, accountId, [basketId])
    const due = new Map(payments.map((payment) => [payment.id, isDue(payment)]))
    const unknown = paymentIds.flatMap((id, index) => (due.has(id) ? [] : [`Payments[${index}]`]))
    if (unknown.length > 0)
      throw problems.validation(
        unknown.map((field) => ({ field, message: 'is not a payment of this basket' })),
      )
    const notDue = paymentIds.filter((id) => !due.get(id))
    if (notDue.length > 0) throw problems.noRefundDue(basket.status, notDue)
    await queries.updateRefunded(tx, accountId, basketId, paymentIds)
    const done = { ...by, type: 'refund.done', basketId, details: {} } as const
    await appendEvents(
      tx,
      paymentIds.map(() => done),
    )
    return readBasket(tx, accountId, basketId)
  })
}

type PaidBackByProvider = {
  amount: string
  currency: string
  reference: string | null
  /** Only the payment of this very reference. */
  isNamed: boolean
}

/** Marks the oldest payment of a locked basket that bought nothing and was this much; null where there is none. */
export async function settleRefundOfPayment(
  tx: Transaction,
  accountId: number,
  { id: basketId }: Basket,
  { amount, currency, reference, isNamed }: PaidBackByProvider,
): Promise<{ basketStatus: string } | null> {
  const payments = await queries.listPayments(tx, accountId, [basketId])
  const minorOf = (one: { amount: string; currency: string }) => toExactMinorUnits(one.amount, one.currency)
  const minor = minorOf({ amount, currency })
  const found = payments.find(
    (payment) =>
      isDue(payment) &&
      (!isNamed || (reference !== null && payment.reference === reference)) &&
      payment.currency === currency &&
      minorOf(payment) === minor,
  )
  if (!found) return null
  await queries.updateRefunded(tx, accountId, basketId, [found.id])
  const by = { accountId, actor: thePayment }
  await appendEvents(tx, [{ ...by, type: 'refund.done', basketId, details: {} }])
  return { basketStatus: (await queries.findBasket(tx, accountId, basketId))!.status }
}

function isDue({ outcome, refundedAt }: queries.PaymentRow): boolean {
  return outcome === 'refund-due' && refundedAt === null
}
