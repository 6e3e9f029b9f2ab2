/**
 * What is paid back is written down here and nowhere else: by hand (paying-back.ts) and by a provider's event. An event and
 * a decision find each other in either order, under the lock of the sale's basket:
 *
 * | comes first | comes second | then |
 * |---|---|---|
 * | a decision | its event | the event marks it as paid back |
 * | a decision | an event of a part of it | the part is paid back as a refund of its own, and the rest stays due |
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
import { partsToldBy, wholesToldBy } from './refund-model.ts'
import * as queries from './refund-queries.ts'
import { checkCash, mostMinor } from './service.ts'

/** What a provider says it paid back of a sale. */
export type ProvidedRefund = Omit<queries.KeptEvent, 'basketId'>

/**
 * Matches a provider's event with what it pays back of a locked sale; whether there was anything. Of an event that told of
 * something before only what is left counts. Who decided has opened the ledger.
 * @param inParts whether it may be a part of a refund, or more than one.
 */
export async function settleByEvent(
  tx: Transaction,
  accountId: number,
  basketId: number,
  event: ProvidedRefund,
  { inParts }: { inParts: boolean },
): Promise<boolean> {
  const amountMinor = leftOf(event)
  if (amountMinor === null || amountMinor === 0n) return false
  const asked = await queries.listAsked(tx, accountId, basketId)
  const same = asked.filter(({ currency }) => currency === event.currency)
  const wholes = wholesToldBy(same, amountMinor).map((refund) => ({ refund, partMinor: refund.leftMinor }))
  const told =
    wholes.length > 0 || !inParts ? { parts: wholes, overMinor: 0n } : partsToldBy(same, amountMinor)
  if (told.parts.length === 0) return false
  for (const part of told.parts) await settlePart(tx, accountId, part, event)
  await queries.updateUnsettled(tx, accountId, event.id, told.overMinor)
  return true
}

/**
 * What of an event belongs to no refund yet, in minor units; null where it is no amount of its currency, or beyond what is
 * kept exactly and so of no sale.
 */
export function leftOf({ amount, currency, unsettledMinor }: ProvidedRefund): bigint | null {
  const minor = unsettledMinor ?? toExactMinorUnits(amount, currency)
  return minor === null || minor > mostMinor ? null : minor
}

async function settlePart(
  tx: Transaction,
  accountId: number,
  { refund, partMinor }: { refund: queries.AskedRow; partMinor: bigint },
  { id: eventId, reference }: ProvidedRefund,
): Promise<void> {
  const { status, leftMinor, paymentId } = refund
  const isWhole = partMinor === leftMinor
  if (status === 'done') {
    if (isWhole) await queries.updateTold(tx, accountId, paymentId!, eventId)
    await queries.addTold(tx, accountId, paymentId!, partMinor)
    return
  }
  const isOwn = status === 'due' && isWhole
  const id = isOwn ? refund.id : await queries.splitRefund(tx, accountId, refund, partMinor)
  const paidBack = { ...refund, id, amountMinor: partMinor }
  await writePaidBack(tx, { accountId, actor: thePayment }, paidBack, {
    method: 'online',
    reference,
    eventId,
  })
}

/**
 * Matches the events that were kept of locked sales, now that something was decided or said to be paid back; whether there
 * was anything to match.
 */
export async function settleByKept(
  tx: Transaction,
  accountId: number,
  basketIds: readonly number[],
): Promise<boolean> {
  let isAny = false
  for (const kept of await queries.listKept(tx, accountId, basketIds)) {
    if (!(await settleByEvent(tx, accountId, kept.basketId, kept, { inParts: true }))) continue
    await queries.updateKept(tx, accountId, kept.id)
    isAny = true
  }
  return isAny
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
