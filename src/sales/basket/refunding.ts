/** Payments that bought nothing, and were paid back: as the operator or its provider says. The service itself pays nothing back. */
import { type Authorship, thePayment } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import type { Basket } from '../../inventory/service.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toExactMinorUnits } from '../../platform/text/money.ts'
import { listToldEvents } from '../ledger/refund-queries.ts'
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
    await writeRefunded(tx, by, basketId, paymentIds)
    return readBasket(tx, accountId, basketId)
  })
}

/** The basket is `refunded` once all of its payments that bought nothing are paid back. */
async function writeRefunded(
  tx: Transaction,
  by: Authorship,
  basketId: number,
  paymentIds: readonly string[],
): Promise<void> {
  await queries.updateRefunded(tx, by.accountId, basketId, paymentIds)
  await appendEvents(
    tx,
    paymentIds.map(() => ({ ...by, type: 'refund.done' as const, basketId, details: {} })),
  )
}

type PaidBackByProvider = {
  amount: string
  currency: string
  reference: string | null
  /** Only the payment of this very reference. */
  isNamed: boolean
}

/**
 * Marks the oldest payment of a locked basket that bought nothing and was this much. One that was marked by hand, of which
 * no event has told, stays as it is. Null where there is neither.
 */
export async function settleRefundOfPayment(
  tx: Transaction,
  accountId: number,
  { id: basketId }: Pick<Basket, 'id'>,
  { amount, currency, reference, isNamed }: PaidBackByProvider,
): Promise<{ basketStatus: string } | null> {
  const minorOf = (one: { amount: string; currency: string }) => toExactMinorUnits(one.amount, one.currency)
  const minor = minorOf({ amount, currency })
  const events = await queries.listPayments(tx, accountId, [basketId])
  const same = events.filter(
    (event) =>
      (!isNamed || (reference !== null && event.reference === reference)) &&
      event.currency === currency &&
      minorOf(event) === minor,
  )
  const found = same.find(isDue)
  if (found) {
    await writeRefunded(tx, { accountId, actor: thePayment }, basketId, [found.id])
  } else if (!(await isUntold(tx, accountId, basketId, same))) return null
  return { basketStatus: (await queries.findBasket(tx, accountId, basketId))!.status }
}

/** Whether more of these payments were paid back than events have told of. */
async function isUntold(
  tx: Transaction,
  accountId: number,
  basketId: number,
  same: readonly queries.PaymentRow[],
): Promise<boolean> {
  const paidBack = same.filter(({ refundedAt }) => refundedAt !== null)
  if (paidBack.length === 0) return false
  const ofDecisions = new Set(await listToldEvents(tx, accountId, basketId))
  const told = same.filter(({ id, outcome }) => outcome === 'refunded' && !ofDecisions.has(id))
  return paidBack.length > told.length
}

function isDue({ outcome, refundedAt }: queries.PaymentRow): boolean {
  return outcome === 'refund-due' && refundedAt === null
}
