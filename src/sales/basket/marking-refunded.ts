/**
 * Marks payments that bought nothing. The mark says that the operator has paid them back. The service itself
 * pays nothing back.
 */
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toAmount, toExactMinorUnits } from '../../platform/text/money.ts'
import { sumOf } from '../ledger/model.ts'
import { dueOfPayment, restOfPayment } from '../ledger/provider-model.ts'
import { settleUnsettled, writeRefunded } from '../ledger/settling.ts'
import { lockForMoney } from './locking.ts'
import * as queries from './queries.ts'
import type { BasketRefundRequest } from './refund-schemas.ts'
import type { BasketResult } from './service.ts'
import { readBasket } from './views.ts'

/**
 * Marks the named payments of a basket as paid back, all or none.
 * @throws Problem not-found; validation for an ID that is not a payment of the basket, and if the given amount
 *   differs from the amount that is due for these payments; no-refund-due for a payment for which no refund is
 *   due, or that was already paid back.
 */
export function markRefunded(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, refund }: { basketId: number; refund: BasketRefundRequest },
): Promise<BasketResult> {
  const { accountId } = by
  const {
    Payments: paymentIds,
    Amount: amount,
    Method: method = 'online',
    Reference: reference = null,
  } = refund
  return runOnce(sql, request, async (tx) => {
    const { basket } = await lockForMoney(tx, accountId, basketId)
    const payments = await queries.listPayments(tx, accountId, [basketId])
    const known = new Map(payments.map((payment) => [payment.id, payment]))
    const unknown = paymentIds.flatMap((id, index) => (known.has(id) ? [] : [`Payments[${index}]`]))
    if (unknown.length > 0)
      throw problems.validation(
        unknown.map((field) => ({ field, message: 'is not a payment of this basket' })),
      )
    const named = paymentIds.map((id) => known.get(id)!)
    const notDue = named.filter((payment) => !isDue(payment)).map(({ id }) => id)
    if (notDue.length > 0) throw problems.noRefundDue(basket.status, notDue)
    if (amount !== undefined) checkAmount(named, amount)
    const due = named.map((payment) => ({ id: payment.id, rest: restOfPayment(payment) }))
    await writeRefunded(tx, by, basketId, { payments: due, method, reference })
    // If a provider has already reported the refund of these payments, its event is settled now, so that it
    // does not count for another payment.
    await settleUnsettled(tx, accountId, [basketId])
    return readBasket(tx, accountId, basketId)
  })
}

function isDue({ outcome, refundedAt }: queries.PaymentRow): boolean {
  return outcome === 'refund-due' && refundedAt === null
}

/** @throws Problem validation if the given amount is not the sum that is due for these payments. */
function checkAmount(payments: readonly queries.PaymentRow[], given: string): void {
  const { currency } = payments[0]!
  const due = dueTogether(payments)
  const minorOf = (amount: string) => toExactMinorUnits(amount, currency)
  if (due !== null && (due === given || (minorOf(due) !== null && minorOf(due) === minorOf(given)))) return
  const isOneCurrency = payments.every((payment) => payment.currency === currency)
  const message = due
    ? `must be ${due}, the amount that is due now`
    : isOneCurrency
      ? 'must not be given: one of these payments has an amount that is not valid in its currency'
      : 'must not be given for payments of several currencies'
  throw problems.validation([{ field: 'Amount', message }])
}

/**
 * The sum that is due for these payments; null if they have several currencies. A payment may have an amount
 * that is not valid in its currency. If it is the only payment, its amount is returned unchanged; if there
 * are other payments too, the result is null.
 */
function dueTogether(payments: readonly queries.PaymentRow[]): string | null {
  const [{ amount, currency }] = payments as [queries.PaymentRow]
  const due = payments.map(dueOfPayment)
  if (due.includes(null)) return payments.length === 1 ? amount : null
  const isOneCurrency = payments.every((payment) => payment.currency === currency)
  return isOneCurrency
    ? toAmount(
        sumOf(due, (minor) => minor ?? 0n),
        currency,
      )
    : null
}
