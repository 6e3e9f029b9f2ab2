/**
 * What is paid back is written down here and nowhere else: by hand (paying-back.ts) and by a provider's event. An event and
 * a decision find each other in either order, under the lock of the sale's basket:
 *
 * | comes first | comes second | then |
 * |---|---|---|
 * | a decision | its event | the event marks it as paid back |
 * | the event, which is kept as ignored | the decision | the decision is paid back at once, and the event is not ignored any more |
 * | the operator's word that it was paid back online | its event | the event is noted with what was paid back; no money moves |
 *
 * All of it is one transaction with what caused it: if the process dies before the commit, nothing happened; after it, the
 * provider's retry and the operator's are answered as the first time.
 */
import { type Authorship, thePayment } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { findTillFor } from '../till/queries.ts'
import { insertPayments, type PaymentMethod } from './queries.ts'
import { refundsToldBy } from './refund-model.ts'
import * as queries from './refund-queries.ts'
import { checkCash } from './service.ts'

/** What a provider says it paid back of a sale. */
export type ProvidedRefund = Omit<queries.KeptEvent, 'basketId'>

/**
 * Matches a provider's event with what it pays back of a locked sale; whether there was anything. An event that told of
 * something before must not be given again. Who decided has opened the ledger.
 */
export async function settleByEvent(
  tx: Transaction,
  accountId: number,
  basketId: number,
  { id: eventId, amount, currency, reference }: ProvidedRefund,
): Promise<boolean> {
  const amountMinor = toExactMinorUnits(amount, currency)
  if (amountMinor === null) return false
  const untold = await queries.listUntold(tx, accountId, basketId)
  const told = refundsToldBy(untold, { amountMinor, currency })
  for (const refund of told) {
    if (refund.paymentId !== null) await queries.updateTold(tx, accountId, refund.paymentId, eventId)
    else
      await writePaidBack(tx, { accountId, actor: thePayment }, refund, {
        method: 'online',
        reference,
        eventId,
      })
  }
  return told.length > 0
}

/** Matches the events that were kept of locked sales, now that something was decided or said to be paid back. */
export async function settleByKept(
  tx: Transaction,
  accountId: number,
  basketIds: readonly number[],
): Promise<void> {
  for (const kept of await queries.listKept(tx, accountId, basketIds))
    if (await settleByEvent(tx, accountId, kept.basketId, kept))
      await queries.updateKept(tx, accountId, kept.id)
}

type MadeRefund = { method: PaymentMethod; reference: string | null; eventId: string | null }

/** Writes down that a refund that is due of a locked sale was paid back. Cash of a user comes out of the user's till. */
export async function writePaidBack(
  tx: Transaction,
  by: Authorship,
  { id: refundId, basketId, amountMinor, currency }: Omit<queries.KnownRefund, 'status'>,
  { method, reference, eventId }: MadeRefund,
): Promise<void> {
  const { accountId, actor } = by
  checkCash({ method, amountMinor, currency })
  const tillId = await findTillFor(tx, by, { method, currency })
  const moved = { basketId, kind: 'refund', method, amountMinor, currency, reference, actor } as const
  await insertPayments(tx, accountId, [{ ...moved, tillId, eventId, refundId }])
  await queries.updateDone(tx, accountId, refundId)
  const details = { RefundID: refundId, Method: method, ...toMoney(amountMinor, currency) }
  await appendEvents(tx, [{ ...by, type: 'refund.done', basketId, details }])
}
