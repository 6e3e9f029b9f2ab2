/**
 * Undoes the mark that a refund was paid back, if the mark was a mistake. The refund is due again. If a
 * decision about the sale caused the refund, a new row of `payments` undoes the row that marks it as paid
 * back, and cash is counted into its till again, if that till is still open. All this is one transaction that
 * locks the sale, so that only one of two concurrent requests undoes the mark. If the process dies before the
 * commit, nothing has happened.
 */
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { type Problem, problems } from '../../http/problems.ts'
import { lockBasket, lockPlaces } from '../../inventory/service.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toMoney } from '../../platform/text/money.ts'
import { refundablePayments, restMinorOf, restOfPayment } from './provider-model.ts'
import * as provided from './provider-queries.ts'
import { insertPayments } from './queries.ts'
import { findRefundRow, findUnusedRow } from './refund-list-queries.ts'
import { findRefund } from './refund-queries.ts'
import type { RefundView } from './refund-schemas.ts'
import { refundEntryView } from './refund-views.ts'
import { openLedger } from './service.ts'
import { settleUnsettled } from './settling.ts'
import * as queries from './undo-queries.ts'

/**
 * `onlyOfUser` is the id of the user whose marks may be undone; null if the marks of all actors may be
 * undone.
 */
export type UndoOrder = { reason: string; onlyOfUser: number | null }
type Undone = { answer: RefundView; replayed: boolean }

/**
 * Undoes the mark of a refund that a decision about the sale caused. Cash goes back into the till that it
 * came out of, if that till is still open. If the till is closed, the cash is in no till, because the count
 * of a closed till does not change.
 * @throws Problem not-found; refund-not-done if the refund is not paid back; refund-confirmed if a provider
 *   has confirmed it; forbidden if `onlyOfUser` names a user and another actor made the mark.
 */
export function undoPaidBack(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { refundId, ...order }: UndoOrder & { refundId: number },
): Promise<Undone> {
  const { accountId, actor } = by
  return runOnce(sql, request, async (tx) => {
    const known = await findRefund(tx, accountId, refundId)
    if (!known) throw moneyProblems.refundNotFound()
    const { basketId } = known
    await lockSale(tx, accountId, basketId)
    const { status } = (await findRefund(tx, accountId, refundId))!
    const mark = status === 'done' ? await queries.lockMark(tx, accountId, refundId) : null
    if (!mark) throw moneyProblems.refundNotDone(status)
    if (mark.isConfirmed) throw moneyProblems.refundConfirmed()
    checkUser(mark, order)
    const { method, currency, reference } = mark
    const amountMinor = BigInt(mark.amount)
    const moved = { basketId, kind: 'payment', method, amountMinor, currency, reference, actor } as const
    const undoing = { tillId: mark.openTillId, eventId: null, refundId: null, undoesId: mark.id }
    await insertPayments(tx, accountId, [{ ...moved, ...undoing }])
    await queries.updateDueAgain(tx, accountId, refundId)
    const price = toMoney(amountMinor, currency)
    const { reason } = order
    const undone = {
      basketId,
      refundId,
      eventId: null,
      method,
      amount: price.Amount,
      currency,
      reference,
      reason,
    }
    await queries.insertUndone(tx, by, undone)
    const details = { RefundID: refundId, Method: method, ...price }
    await appendEvents(tx, [{ ...by, type: 'refund.undone', basketId, details }])
    // An unsettled event of the provider may have paid back this refund, which is due again.
    await settleUnsettled(tx, accountId, [basketId])
    return refundEntryView((await findRefundRow(tx, accountId, refundId))!)
  })
}

/**
 * Undoes the mark of a payment that bought nothing.
 * @throws Problem not-found; refund-not-done; refund-confirmed, also if the previous version marked the payment;
 *   forbidden.
 */
export function undoUnusedRefund(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, paymentId, ...order }: UndoOrder & { basketId: number; paymentId: string },
): Promise<Undone> {
  const { accountId } = by
  const payment = { basketId, eventId: paymentId }
  return runOnce(sql, request, async (tx) => {
    // The payment may name a partner's booking, whose basket has no row.
    const locked = await lockBasket(tx, accountId, basketId)
    if (!locked) throw moneyProblems.refundNotFound()
    await openLedger(tx, accountId, locked)
    const row = await findUnusedRow(tx, accountId, payment)
    if (!row) throw moneyProblems.refundNotFound()
    const mark = await queries.findUnusedMark(tx, accountId, payment)
    if (!mark) throw moneyProblems.refundNotDone(row.status)
    if (mark.actor !== 'user' && mark.actor !== 'key') throw moneyProblems.refundConfirmed()
    if (await isConfirmed(tx, accountId, payment)) throw moneyProblems.refundConfirmed()
    checkUser(mark, order)
    await queries.updateUnusedDue(tx, accountId, payment)
    const { method, currency, reference } = mark
    const { reason } = order
    const rest = restOfPayment(mark)
    const undone = {
      basketId,
      refundId: null,
      eventId: paymentId,
      method,
      amount: rest.Amount,
      currency,
      reference,
      reason,
    }
    await queries.insertUndone(tx, by, undone)
    const details = { ...rest, ...(method && { Method: method }) }
    await appendEvents(tx, [{ ...by, type: 'refund.undone', basketId, details }])
    await settleUnsettled(tx, accountId, [basketId])
    return refundEntryView((await findUnusedRow(tx, accountId, payment))!)
  })
}

/** Whether a provider's refund has confirmed all or part of the mark of this payment. */
async function isConfirmed(
  tx: Transaction,
  accountId: number,
  { basketId, eventId }: { basketId: number; eventId: string },
): Promise<boolean> {
  const events = await provided.listEvents(tx, accountId, basketId)
  const payment = events.find(({ id }) => id === eventId)!
  const { currency, reference } = payment
  const confirmedMinor = await provided.findConfirmed(tx, accountId, { basketId, currency })
  const refundable = refundablePayments(events, { currency, reference, confirmedMinor })
  const unconfirmedMinor =
    refundable.find((one) => one.eventId === eventId && one.status === 'done')?.refundableMinor ?? 0n
  const restMinor = restMinorOf(payment)
  // A payment whose amount is not valid in its currency is never matched with a refund.
  return restMinor !== null && unconfirmedMinor < restMinor
}

export type ShownMark = {
  /** Why the mark cannot be undone; null if it can. */
  refusal: Problem | null
}

/**
 * The marks of done refunds, for a page that offers to undo them. It does not check whether a provider has
 * confirmed the mark of a payment that bought nothing, because that would need the events of the sale.
 */
export async function readMarks(
  sql: Queryable,
  accountId: number,
  refunds: readonly RefundView[],
  onlyOfUser: UndoOrder['onlyOfUser'],
): Promise<Map<RefundView, ShownMark>> {
  const done = refunds.filter(({ Status }) => Status === 'done')
  if (done.length === 0) return new Map()
  const marks = await queries.listMarks(sql, accountId, {
    refundIds: done.flatMap(({ RefundID }) => RefundID ?? []),
    eventIds: done.flatMap(({ PaymentID }) => PaymentID ?? []),
  })
  const markOf = ({ RefundID, PaymentID }: RefundView) =>
    marks.find(({ refundId, eventId }) => (RefundID === null ? eventId === PaymentID : refundId === RefundID))
  return new Map(done.map((refund) => [refund, shownMark(refund, markOf(refund), onlyOfUser)]))
}

function shownMark(
  { Status }: RefundView,
  mark: queries.KnownMark | undefined,
  onlyOfUser: UndoOrder['onlyOfUser'],
): ShownMark {
  if (!mark) return { refusal: moneyProblems.refundNotDone(Status) }
  return { refusal: mark.isConfirmed ? moneyProblems.refundConfirmed() : refusalFor(mark, { onlyOfUser }) }
}

/**
 * Locks the basket of a sale and opens its ledger.
 * @throws Problem not-found for a basket without a row in `baskets`.
 */
async function lockSale(tx: Transaction, accountId: number, basketId: number): Promise<void> {
  const { baskets } = await lockPlaces(tx, accountId, { timeslotIds: [], basketIds: [basketId] })
  const basket = baskets.get(basketId)
  if (!basket) throw moneyProblems.refundNotFound()
  await openLedger(tx, accountId, { basket })
}

/** @throws Problem forbidden if `onlyOfUser` names a user and another actor made the mark. */
function checkUser(mark: MarkActor, order: UndoOrder): void {
  const refusal = refusalFor(mark, order)
  if (refusal) throw refusal
}

type MarkActor = { actor: string | null; actorId: number | null }

function refusalFor({ actor, actorId }: MarkActor, { onlyOfUser }: Pick<UndoOrder, 'onlyOfUser'>) {
  if (onlyOfUser === null || (actor === 'user' && actorId === onlyOfUser)) return null
  return problems.ownMarksOnly()
}
