/**
 * The only module that marks refunds as paid back. paying-back.ts and paying-back-several.ts call it for decisions
 * that are marked by hand, basket/marking-refunded.ts for payments that bought nothing, and payment/service.ts for a
 * provider's events. Other callers only settle unsettled events. The callers have locked the basket of the sale. An
 * event can arrive before or after the money that it pays back becomes due:
 *
 * | first | second | result |
 * |---|---|---|
 * | due money | an event of the same amount | the money is paid back |
 * | due money | an event of a smaller amount | a part is paid back; the rest stays due |
 * | due money | an event of a larger amount | the money is paid back; the rest pays back other due money |
 * | an event, which is unsettled | money becomes due | the event pays it back at once, and is settled |
 * | a mark by hand of an online refund | its event | the event confirms the mark; nothing else changes |
 * | a decision to keep money | an event above the total of valid bookings | the excess is no longer kept |
 * | a decision to keep money | an event that names an unknown payment | unsettled until the payment arrives |
 *
 * Due money is a due decision, or a payment that bought nothing and is not paid back. Everything is written
 * in the transaction of the event or request that causes it. If the process dies before the commit, nothing
 * has happened. After the commit, a retry of the provider or the operator gets the same response as the first
 * request.
 */
import { type Authorship, thePaymentProvider } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { type Price, toMoney } from '../../platform/text/money.ts'
import { findTillToPayFrom } from '../till/paying-out.ts'
import { keptPaidBack, type MatchedRefund, matchRefund } from './matching.ts'
import { sumOf } from './model.ts'
import {
  isForKnownPayment,
  type ProviderEvent,
  type RefundablePayment,
  refundablePayments,
  unsettledOf,
} from './provider-model.ts'
import * as provided from './provider-queries.ts'
import { insertPayments, type PaymentMethod } from './queries.ts'
import * as queries from './refund-queries.ts'
import { checkCash, readLedger } from './service.ts'

type RefundableEntry = queries.RefundableDecision | RefundablePayment
type KeptMatch = {
  /** All events of the sale. */
  events: readonly ProviderEvent[]
  decisions: readonly queries.RefundableDecision[]
  /** The unsettled part of the event, in minor units. */
  overMinor: bigint
}

/**
 * Matches the unsettled part of a provider's event with the money that it pays back, and marks that money as
 * paid back. The caller has locked the sale.
 * @returns whether the event has paid back money, or confirmed a mark by hand.
 */
export async function settleByEvent(
  tx: Transaction,
  accountId: number,
  event: provided.UnsettledEvent,
): Promise<boolean> {
  const amountMinor = unsettledOf(event)
  if (amountMinor === null || amountMinor === 0n) return false
  const decisions = await queries.listRefundableDecisions(tx, accountId, event.basketId)
  const ofDecisions = decisions.filter(({ currency }) => currency === event.currency)
  const events = await provided.listEvents(tx, accountId, event.basketId)
  const refundable: RefundableEntry[] = [
    ...ofDecisions,
    ...(await listRefundablePayments(tx, accountId, event, events)),
  ]
  const matched = matchRefund(refundable, { amountMinor, reference: event.reference })
  const { overMinor } = matched
  const beyond = await matchKept(tx, accountId, event, { events, decisions: ofDecisions, overMinor })
  const parts = [...matched.parts, ...beyond.parts]
  if (parts.length === 0) return false
  for (const { refund, partMinor } of parts)
    if (refund.source === 'payment') await settlePayment(tx, accountId, event, refund, partMinor)
    else await settleDecision(tx, accountId, { refund, partMinor }, event)
  // If the whole event pays back payments that bought nothing, unsettled_minor stays null, as the previous
  // version expects.
  const isOfPayments = parts.every(({ refund }) => refund.source === 'payment')
  if (event.unsettledMinor !== null || beyond.overMinor > 0n || !isOfPayments)
    await provided.updateUnsettled(tx, accountId, event.id, beyond.overMinor)
  return true
}

async function listRefundablePayments(
  tx: Transaction,
  accountId: number,
  { basketId, currency, reference }: provided.UnsettledEvent,
  events: readonly ProviderEvent[],
): Promise<RefundablePayment[]> {
  if (!events.some(({ outcome }) => outcome === 'refund-due')) return []
  const confirmedMinor = await provided.findConfirmed(tx, accountId, { basketId, currency })
  return refundablePayments(events, { currency, reference, confirmedMinor })
}

/**
 * Matches the unmatched rest of an event with kept money. An event that names an unknown payment is not matched: it
 * waits for that payment, which may turn out to have bought nothing.
 */
async function matchKept(
  tx: Transaction,
  accountId: number,
  { id, basketId, currency, reference }: provided.UnsettledEvent,
  { events, decisions, overMinor }: KeptMatch,
): Promise<MatchedRefund<queries.RefundableDecision>> {
  const nothing = { parts: [], overMinor }
  if (overMinor === 0n || !decisions.some(({ status }) => status === 'kept')) return nothing
  const ledger = (await readLedger(tx, accountId, [basketId])).get(basketId)
  const isKnown = (name: string | null) => isForKnownPayment(name, ledger?.payments ?? [], events)
  if (!isKnown(reference)) return nothing
  const unsettled = await provided.listUnsettled(tx, accountId, [basketId])
  const others = unsettled.filter(
    (other) => other.id !== id && other.currency === currency && isKnown(other.reference),
  )
  const othersMinor = sumOf(others, (other) => unsettledOf(other) ?? 0n)
  return keptPaidBack(decisions, { overMinor, othersMinor, validTotalMinor: ledger?.charged ?? 0n })
}

/**
 * Marks a payment that bought nothing as paid back, in whole or in part. A payment that was marked by hand stays as
 * it is.
 */
async function settlePayment(
  tx: Transaction,
  accountId: number,
  { basketId, reference }: provided.UnsettledEvent,
  { status, eventId, refundableMinor, currency }: RefundablePayment,
  partMinor: bigint,
): Promise<void> {
  if (status === 'done') return
  const by = { accountId, actor: thePaymentProvider }
  const how = { method: 'online', reference } as const
  const part = toMoney(partMinor, currency)
  if (partMinor === refundableMinor)
    return writeRefunded(tx, by, basketId, { payments: [{ id: eventId, rest: part }], ...how })
  await provided.addRefunded(tx, accountId, eventId, partMinor)
  await appendEvents(tx, [{ ...by, type: 'refund.done', basketId, details: part }])
}

/** A payment that bought nothing, and the amount of it that was due. */
type RefundedPayment = { id: string; rest: Price }

/**
 * Marks payments that bought nothing as paid back. The locked basket becomes `refunded` if no payment of it
 * stays due.
 */
export async function writeRefunded(
  tx: Transaction,
  by: Authorship,
  basketId: number,
  { payments, ...how }: { payments: readonly RefundedPayment[] } & Pick<MadeRefund, 'method' | 'reference'>,
): Promise<void> {
  const paymentIds = payments.map(({ id }) => id)
  await provided.updateRefunded(tx, by.accountId, basketId, { paymentIds, ...how, actor: by.actor })
  await appendEvents(
    tx,
    payments.map(({ rest }) => ({ ...by, type: 'refund.done' as const, basketId, details: rest })),
  )
}

async function settleDecision(
  tx: Transaction,
  accountId: number,
  { refund, partMinor }: { refund: queries.RefundableDecision; partMinor: bigint },
  { id: eventId, reference }: provided.UnsettledEvent,
): Promise<void> {
  const { status, refundableMinor, paymentId } = refund
  if (status === 'done') {
    if (partMinor === refundableMinor) await queries.updateConfirmedBy(tx, accountId, paymentId!, eventId)
    await queries.addConfirmed(tx, accountId, paymentId!, partMinor)
    return
  }
  const by = { accountId, actor: thePaymentProvider }
  const paidBack = { ...refund, id: await ensureDueRefund(tx, by, refund, partMinor), amountMinor: partMinor }
  await writePaidBack(tx, by, paidBack, { method: 'online', reference, eventId })
}

/**
 * Returns the id of a due refund of exactly this amount: the given refund if this is its whole due amount.
 * For a part of the due amount, and for set-off or kept money, it writes a new due refund.
 */
export async function ensureDueRefund(
  tx: Transaction,
  by: Authorship,
  { id, status, refundableMinor }: Pick<queries.RefundableDecision, 'id' | 'status' | 'refundableMinor'>,
  partMinor: bigint,
): Promise<number> {
  if (status === 'kept') return queries.takeFromKept(tx, by, id, partMinor)
  if (status === 'set-off') return queries.splitRefund(tx, by.accountId, { id, status }, partMinor)
  if (partMinor === refundableMinor) return id
  return queries.splitRefund(tx, by.accountId, { id, status: 'due' }, partMinor)
}

/**
 * Settles the unsettled events of locked sales. Call it after a change that adds due refunds or lowers the
 * price of a sale.
 * @returns whether an event has paid back money, or confirmed a mark by hand.
 */
export async function settleUnsettled(
  tx: Transaction,
  accountId: number,
  basketIds: readonly number[],
): Promise<boolean> {
  let isAny = false
  for (const event of await provided.listUnsettled(tx, accountId, basketIds)) {
    if (!(await settleByEvent(tx, accountId, event))) continue
    await provided.updateSettled(tx, accountId, event.id)
    isAny = true
  }
  return isAny
}

type MadeRefund = { method: PaymentMethod; reference: string | null; eventId: string | null }

/**
 * Writes that a due refund of a locked sale was paid back. Cash of a user comes out of the user's till.
 * @throws Problem till-short if the till has less cash; validation for more cash than the limit.
 */
export async function writePaidBack(
  tx: Transaction,
  by: Authorship,
  { id: refundId, basketId, amountMinor, currency }: Omit<queries.KnownRefund, 'status'>,
  { method, reference, eventId }: MadeRefund,
): Promise<void> {
  const { accountId, actor } = by
  checkCash({ method, amountMinor, currency })
  const tillId = await findTillToPayFrom(tx, by, { method, amountMinor, currency })
  const moved = { basketId, kind: 'refund', method, amountMinor, currency, reference, actor } as const
  await insertPayments(tx, accountId, [{ ...moved, tillId, eventId, refundId }])
  await queries.updateDone(tx, accountId, refundId)
  const details = { RefundID: refundId, Method: method, ...toMoney(amountMinor, currency) }
  await appendEvents(tx, [{ ...by, type: 'refund.done', basketId, details }])
}
