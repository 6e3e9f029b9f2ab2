/** Use cases of refunds: list them, decide about overpaid money, and mark them as paid back. */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { readPage, readPosition } from '../../http/paging.ts'
import { problems } from '../../http/problems.ts'
import { type Basket, lockPlaces } from '../../inventory/service.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toAmount, toExactMinorUnits } from '../../platform/text/money.ts'
import { decideOverpaid } from './deciding-refunds.ts'
import { findRefundRow, findUnusedRow, listDone, listDue, listUnused } from './refund-list-queries.ts'
import * as queries from './refund-queries.ts'
import type {
  PaidBackRequest,
  PaidPartRequest,
  RefundChoiceRequest,
  RefundsQuery,
  RefundView,
} from './refund-schemas.ts'
import { refundEntryView } from './refund-views.ts'
import { openLedger } from './service.ts'
import { ensureDueRefund, settleUnsettled, writePaidBack } from './settling.ts'

/**
 * Refunds that are due or done. `next` is the cursor of the next page, or null.
 * @throws Problem validation for an invalid cursor.
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

/** One refund: a decision, or a provider's payment that bought nothing. @throws Problem not-found. */
export async function readRefundEntry(
  sql: Queryable,
  accountId: number,
  of: { refundId: number } | { basketId: number; eventId: string },
): Promise<RefundView> {
  const row =
    'refundId' in of ? findRefundRow(sql, accountId, of.refundId) : findUnusedRow(sql, accountId, of)
  const found = await row
  if (!found) throw moneyProblems.refundNotFound()
  return refundEntryView(found)
}

/** The payments that bought nothing, of one sale, whether they are paid back or not; the oldest first. */
export async function listUnusedPayments(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<RefundView[]> {
  return (await listUnused(sql, accountId, basketId)).map(refundEntryView)
}

type DoneRefund = { answer: RefundView; replayed: boolean }

/**
 * Marks a due refund as paid back and writes the row of `payments`. If only a part is paid back, the part
 * becomes a new refund, which is returned, and the rest stays due. If a user pays in cash, the cash comes out
 * of the user's open till.
 * @throws Problem not-found; refund-not-due if the refund is not due; validation if the
 *   given amount is not the due amount, if the part is 0 or larger than the due amount, or for more cash than
 *   the limit; till-short if the till has less cash.
 */
export function payBack(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { refundId, paid }: { refundId: number; paid: PaidBackRequest & Partial<PaidPartRequest> },
): Promise<DoneRefund> {
  const { accountId } = by
  return runOnce(sql, request, async (tx) => {
    const known = await queries.findRefund(tx, accountId, refundId)
    if (!known) throw moneyProblems.refundNotFound()
    const basket = await lockSale(tx, accountId, known.basketId)
    const refund = (await queries.findRefund(tx, accountId, refundId))!
    if (refund.status !== 'due') throw moneyProblems.refundNotDue(refund.status)
    checkAmount(refund, paid)
    const partMinor = partOf(refund, paid)
    await openLedger(tx, accountId, { basket })
    const { Method: method, Reference: reference = null } = paid
    const id = await ensureDueRefund(
      tx,
      by,
      { id: refundId, status: 'due', refundableMinor: refund.amountMinor },
      partMinor,
    )
    await writePaidBack(
      tx,
      by,
      { ...refund, id, amountMinor: partMinor },
      { method, reference, eventId: null },
    )
    if (method === 'online') await settleUnsettled(tx, accountId, [basket.id])
    return readRefund(tx, accountId, id)
  })
}

/** @throws Problem validation if an amount is given that is not the due amount. */
function checkAmount({ amountMinor, currency }: queries.KnownRefund, { Amount }: PaidBackRequest): void {
  if (Amount === undefined || toExactMinorUnits(Amount, currency) === amountMinor) return
  const message = `must be ${toAmount(amountMinor, currency)}, the amount that is due now`
  throw problems.validation([{ field: 'Amount', message }])
}

/** The paid part in minor units. @throws Problem validation. */
function partOf({ amountMinor, currency }: queries.KnownRefund, { Part }: Partial<PaidPartRequest>): bigint {
  if (Part === undefined) return amountMinor
  const partMinor = toExactMinorUnits(Part, currency)
  if (partMinor !== null && partMinor > 0n && partMinor <= amountMinor) return partMinor
  const message =
    partMinor === null
      ? `must be an amount of ${currency}`
      : partMinor === 0n
        ? 'must be above 0'
        : `must be at most ${toAmount(amountMinor, currency)} ${currency}, the amount that is due`
  throw problems.validation([{ field: 'Part', message }])
}

/**
 * Decides about the overpaid money of a sale. Without a choice in the request, all of it becomes a due refund.
 * @throws Problem not-found; nothing-overpaid and validation as decideOverpaid().
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

/** @throws Problem not-found for an unknown basket and for a partner's booking. */
async function lockSale(tx: Transaction, accountId: number, basketId: number): Promise<Basket> {
  const { baskets } = await lockPlaces(tx, accountId, { timeslotIds: [], basketIds: [basketId] })
  const basket = baskets.get(basketId)
  if (!basket || basket.channel === 'partner') throw problems.basketNotFound()
  return basket
}

async function readRefund(sql: Queryable, accountId: number, id: number): Promise<RefundView> {
  return refundEntryView((await findRefundRow(sql, accountId, id))!)
}
