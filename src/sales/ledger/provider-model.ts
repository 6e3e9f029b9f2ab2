/** Pure rules of a payment provider's events: the unsettled part of a refund, and the due part of a payment. */
import { type Price, toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { clamp, type RefundableMoney } from './matching.ts'
import { type MovedMoney, maxMinor, sumOf } from './model.ts'

/** The data about money in a provider's event. */
export type ProviderEvent = {
  id: string
  type: 'succeeded' | 'failed' | 'refunded'
  amount: string
  currency: string
  reference: string | null
  outcome: string
  refundedAt: Date | null
  /** For a payment that bought nothing and was paid back in part: the part. */
  refundedMinor: bigint | null
  /** For a refund: its unsettled part. Null means all if the event is ignored, and nothing otherwise. */
  unsettledMinor: bigint | null
}

/**
 * The unsettled part of an unsettled refund, in minor units. Null if the event's amount is not valid in its
 * currency, or is too large to be stored exactly. Do not call it for a settled refund: it would return the
 * whole amount.
 */
export function unsettledOf({
  amount,
  currency,
  unsettledMinor,
}: Pick<ProviderEvent, 'amount' | 'currency' | 'unsettledMinor'>): bigint | null {
  return unsettledMinor ?? minorOf({ amount, currency })
}

/**
 * The amount in minor units; null if it is not valid in its currency, or is too large to be stored exactly.
 */
export function minorOf({ amount, currency }: Pick<ProviderEvent, 'amount' | 'currency'>): bigint | null {
  const minor = toExactMinorUnits(amount, currency)
  return minor === null || minor > maxMinor ? null : minor
}

type PaidMoney = Pick<MovedMoney, 'kind' | 'undoesId'> & { method: string; reference: string | null }

/**
 * Whether a refund may be for a known payment of its sale: the refund names no payment or a known one, or a known
 * payment has no reference. Payments in cash are ignored, because providers do not pay cash back.
 * @param payments the payments and refunds of the sale.
 * @param events the provider's events of the sale.
 */
export function isForKnownPayment(
  reference: string | null,
  payments: readonly PaidMoney[],
  events: readonly Pick<ProviderEvent, 'type' | 'reference'>[],
): boolean {
  const known = [
    ...payments.filter(
      ({ kind, method, undoesId = null }) => kind === 'payment' && method !== 'cash' && undoesId === null,
    ),
    ...events.filter(({ type }) => type === 'succeeded'),
  ]
  return reference === null || known.some((one) => one.reference === null || one.reference === reference)
}

export type RefundablePayment = RefundableMoney & {
  source: 'payment'
  status: 'due' | 'done'
  eventId: string
  currency: string
}

/**
 * The due part of a payment that bought nothing, in minor units; null if it is not known exactly; 0 for any
 * other event.
 */
export function dueOfPayment(
  payment: Pick<ProviderEvent, 'amount' | 'currency' | 'outcome' | 'refundedAt' | 'refundedMinor'>,
): bigint | null {
  if (payment.outcome !== 'refund-due' || payment.refundedAt !== null) return 0n
  return restMinorOf(payment)
}

type PartlyRefunded = Pick<ProviderEvent, 'amount' | 'currency' | 'refundedMinor'>

/**
 * The amount of a payment that bought nothing, minus the part that was paid back first. This rest is due, or
 * was paid back when the payment was marked as paid back. Null if minorOf() returns null for the payment.
 */
export function restMinorOf(payment: PartlyRefunded): bigint | null {
  const minor = minorOf(payment)
  return minor === null ? null : minor - (payment.refundedMinor ?? 0n)
}

/**
 * The amount of restMinorOf(), as a price. If no part was paid back first, or the amount is not valid, it is
 * the amount as the provider wrote it.
 */
export function restOfPayment(payment: PartlyRefunded): Price {
  const { amount, currency, refundedMinor } = payment
  const minor = refundedMinor === null ? null : restMinorOf(payment)
  return minor === null ? { Amount: amount, Currency: currency } : toMoney(minor, currency)
}

/**
 * Lists the payments of a sale, in this currency, that bought nothing, with the amounts that a refund event
 * may pay back. Each payment has up to two entries: its due amount, and the amount that was marked as paid
 * back but not confirmed by an event. The unconfirmed amount is known only for all payments together. It is
 * assigned to the payment with the event's reference first, and then to the oldest.
 * @param events all events of the sale, oldest first.
 * @param confirmedMinor how much of the decisions about the sale, in this currency, events have confirmed.
 */
export function refundablePayments(
  events: readonly ProviderEvent[],
  {
    currency,
    reference,
    confirmedMinor,
  }: { currency: string; reference: string | null; confirmedMinor: bigint },
): RefundablePayment[] {
  const own = events.filter((event) => event.currency === currency && minorOf(event) !== null)
  const refundsMinor = sumOf(own, (event) => (event.type === 'refunded' ? settledOf(event) : 0n))
  const payments = own.filter(({ outcome }) => outcome === 'refund-due')
  const namedFirst = [
    ...payments.filter((payment) => payment.reference === reference),
    ...payments.filter((payment) => payment.reference !== reference),
  ]
  let unconfirmedMinor = sumOf(payments, paidBackOf) - (refundsMinor - confirmedMinor)
  return namedFirst.flatMap((payment) => {
    const doneMinor = clamp(0n, unconfirmedMinor, paidBackOf(payment))
    unconfirmedMinor -= doneMinor
    const { id: eventId, reference: ownReference } = payment
    const common = { source: 'payment', reference: ownReference, eventId, currency } as const
    const entries = [
      { ...common, status: 'due', refundableMinor: dueOfPayment(payment)! },
      { ...common, status: 'done', refundableMinor: doneMinor },
    ] as const
    return entries.filter(({ refundableMinor }) => refundableMinor > 0n)
  })
}

/** The paid-back part of a payment that bought nothing. */
function paidBackOf(payment: ProviderEvent): bigint {
  return minorOf(payment)! - dueOfPayment(payment)!
}

/** The settled part of a refund. */
function settledOf(event: ProviderEvent): bigint {
  const unsettledMinor = event.outcome === 'ignored' ? unsettledOf(event)! : (event.unsettledMinor ?? 0n)
  return minorOf(event)! - unsettledMinor
}
