/** Refunds that are due: listing them, deciding about what was paid too much, and marking them as paid back. */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import { type Basket, lockPlaces } from '../../inventory/service.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toAmount, toExactMinorUnits } from '../../platform/text/money.ts'
import { findRefundRow, listDone, listDue } from './refund-list-queries.ts'
import * as queries from './refund-queries.ts'
import type { PaidBackRequest, RefundChoiceRequest, RefundsQuery, RefundView } from './refund-schemas.ts'
import { refundEntryView } from './refund-views.ts'
import { decideOverpaid } from './refunding.ts'
import { openLedger } from './service.ts'
import { settleUnsettled, writePaidBack } from './settling.ts'

/**
 * What is to be paid back, or was; `next` is where the list goes on.
 * @throws Problem validation for a cursor that makes no sense.
 */
export async function browseRefunds(
  sql: Sql,
  accountId: number,
  { Status = 'due', Limit, Cursor }: RefundsQuery,
): Promise<{ refunds: RefundView[]; next: string | null }> {
  const after = readPosition(Cursor, ['number', 'string', 'string'])
  const list = Status === 'due' ? listDue : listDone
  const { rows, next } = await readPage(
    Limit,
    (limit) => list(sql, accountId, { after, limit }),
    ({ micros, source, key }) => [micros, source, key],
  )
  return { refunds: rows.map(refundEntryView), next }
}

type DoneRefund = { answer: RefundView; replayed: boolean }

/**
 * Marks a refund that is due as paid back, and writes the money down. Cash of a user comes out of the till that the user
 * has open.
 * @throws Problem not-found, refund-not-due for one that was paid back before; validation for another amount than is due;
 *   till-short for more than is in that till.
 */
export function payBack(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { refundId, paid }: { refundId: number; paid: PaidBackRequest },
): Promise<DoneRefund> {
  const { accountId } = by
  return runOnce(sql, request, async (tx) => {
    const known = await queries.findRefund(tx, accountId, refundId)
    if (!known) throw moneyProblems.refundNotFound()
    const basket = await lockSale(tx, accountId, known.basketId)
    const refund = (await queries.findRefund(tx, accountId, refundId))!
    if (refund.status !== 'due') throw moneyProblems.refundNotDue(refund.status)
    checkAmount(refund, paid)
    await openLedger(tx, accountId, { basket })
    const { Method: method, Reference: reference = null } = paid
    await writePaidBack(tx, by, refund, { method, reference, eventId: null })
    if (method === 'online') await settleUnsettled(tx, accountId, [basket.id])
    return readRefund(tx, accountId, refundId)
  })
}

/** @throws Problem validation where another amount is due than was paid back. */
function checkAmount({ amountMinor, currency }: queries.KnownRefund, { Amount }: PaidBackRequest): void {
  if (Amount === undefined || toExactMinorUnits(Amount, currency) === amountMinor) return
  const message = `must be ${toAmount(amountMinor, currency)}, which is what is due of it now`
  throw problems.validation([{ field: 'Amount', message }])
}

/**
 * Decides about money of a sale that was paid too much: all of it is to be paid back unless the request says less.
 * @throws Problem not-found, nothing-overpaid; validation for more than was paid too much.
 */
export function refundOverpaid(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { basketId, refund }: { basketId: number; refund: RefundChoiceRequest | undefined },
): Promise<DoneRefund> {
  return runOnce(sql, request, async (tx) => {
    const basket = await lockSale(tx, by.accountId, basketId)
    return readRefund(tx, by.accountId, await decideOverpaid(tx, by, basket, refund))
  })
}

/** @throws Problem not-found for a basket that the account has not, and for a partner's booking. */
async function lockSale(tx: Transaction, accountId: number, basketId: number): Promise<Basket> {
  const { baskets } = await lockPlaces(tx, accountId, { timeslotIds: [], basketIds: [basketId] })
  const basket = baskets.get(basketId)
  if (!basket || basket.channel === 'partner') throw problems.basketNotFound()
  return basket
}

async function readRefund(sql: Queryable, accountId: number, id: number): Promise<RefundView> {
  return refundEntryView((await findRefundRow(sql, accountId, id))!)
}
