/** Marks several due refunds as paid back together: by one method, with one reference, out of one till. */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { problems } from '../../http/problems.ts'
import { lockPlaces } from '../../inventory/service.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/database.ts'
import { type OnceRequest, runOnce } from '../../platform/postgres/run-once.ts'
import { toAmount, toExactMinorUnits } from '../../platform/text/money.ts'
import { cashFault } from '../till/model.ts'
import { findTillToPayFrom } from '../till/paying-out.ts'
import { sumOf } from './model.ts'
import type { PaymentMethod } from './queries.ts'
import { listDueOfSale, listRefundRows } from './refund-list-queries.ts'
import * as queries from './refund-queries.ts'
import type { RefundView } from './refund-schemas.ts'
import { refundEntryView } from './refund-views.ts'
import { openLedgers } from './service.ts'
import { settleUnsettled, writePaidBack } from './settling.ts'

/** The most refunds that are marked together. */
export const maxTogether = 100

/** The due decisions about a sale, the oldest first. Payments that bought nothing are not included. */
export async function listDueTogether(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<RefundView[]> {
  return (await listDueOfSale(sql, accountId, basketId)).map(refundEntryView)
}

/** The decisions with these ids, the oldest first. @throws Problem not-found if one of them is unknown. */
export async function readRefunds(
  sql: Queryable,
  accountId: number,
  refundIds: readonly number[],
): Promise<RefundView[]> {
  const rows = await listRefundRows(sql, accountId, refundIds)
  if (rows.length < new Set(refundIds).size) throw moneyProblems.refundNotFound()
  return rows.map(refundEntryView)
}

export type RefundsTogether = {
  /** For each refund: its due amount, as the caller saw it. */
  refunds: readonly { refundId: number; amount: string }[]
  method: PaymentMethod
  reference: string | null
}

/**
 * Marks refunds as paid back in full, each with its own payment and event, in one transaction: all of them,
 * or none. If a user pays in cash, the cash comes out of the user's open till, which must have the sum.
 * @throws Problem not-found; refund-not-due if one of them is not due; validation if an
 *   amount is not the due amount or is above the limit of cash, for several currencies, or for more than
 *   `maxTogether` refunds; till-short.
 */
export function payBackTogether(
  sql: Sql,
  request: OnceRequest,
  by: Authorship,
  { refunds, method, reference }: RefundsTogether,
): Promise<{ answer: { RefundIDs: number[] }; replayed: boolean }> {
  const { accountId } = by
  const amounts = new Map(refunds.map(({ refundId, amount }) => [refundId, amount]))
  const ids = [...amounts.keys()]
  if (ids.length > maxTogether) throw invalidField('Refunds', `must have at most ${maxTogether} items`)
  return runOnce(sql, request, async (tx) => {
    const known = await queries.listRefunds(tx, accountId, ids)
    if (known.length === 0 || known.length < ids.length) throw moneyProblems.refundNotFound()
    const basketIds = [...new Set(known.map(({ basketId }) => basketId))]
    await lockSales(tx, accountId, basketIds)
    const due = await queries.listRefunds(tx, accountId, ids)
    checkDue(due, amounts)
    checkCashOfEach(due, method)
    const { currency } = due[0]!
    if (due.some((refund) => refund.currency !== currency))
      throw invalidField('Refunds', 'must all be in one currency')
    await openLedgers(tx, accountId, basketIds)
    const sum = { method, currency, amountMinor: sumOf(due, ({ amountMinor }) => amountMinor) }
    // Checks that the till has enough cash for all refunds. writePaidBack() then takes out the cash of each
    // refund.
    await findTillToPayFrom(tx, by, sum)
    for (const refund of due) await writePaidBack(tx, by, refund, { method, reference, eventId: null })
    if (method === 'online') await settleUnsettled(tx, accountId, basketIds)
    return { RefundIDs: ids }
  })
}

/** @throws Problem not-found for an unknown basket and for a partner's booking. */
async function lockSales(tx: Transaction, accountId: number, basketIds: readonly number[]): Promise<void> {
  const { baskets } = await lockPlaces(tx, accountId, { timeslotIds: [], basketIds })
  const isSale = (id: number) => {
    const basket = baskets.get(id)
    return basket !== undefined && basket.channel !== 'partner'
  }
  if (!basketIds.every(isSale)) throw problems.basketNotFound()
}

/** @throws Problem refund-not-due; validation if an amount is not the due amount. */
function checkDue(refunds: readonly queries.KnownRefund[], amounts: ReadonlyMap<number, string>): void {
  for (const { id, status, amountMinor, currency } of refunds) {
    if (status !== 'due') throw moneyProblems.refundNotDue(status)
    const index = [...amounts.keys()].indexOf(id)
    if (toExactMinorUnits(amounts.get(id)!, currency) === amountMinor) continue
    const message = `must be ${toAmount(amountMinor, currency)}, the amount that is due now`
    throw invalidField(`Refunds[${index}].Amount`, message)
  }
}

/** @throws Problem validation if one of the refunds is above the limit of cash. */
function checkCashOfEach(refunds: readonly queries.KnownRefund[], method: PaymentMethod): void {
  for (const { amountMinor, currency } of refunds) {
    const message = cashFault({ method, amountMinor, currency })
    if (message) throw invalidField('Method', message)
  }
}

function invalidField(field: string, message: string) {
  return problems.validation([{ field, message }])
}
