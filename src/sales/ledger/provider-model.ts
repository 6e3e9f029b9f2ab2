/** Pure rules of a payment provider's events: what of a refund belongs to nothing yet, and what of a payment is to be paid back. */
import { toExactMinorUnits } from '../../platform/text/money.ts'
import { type AskedMoney, between } from './matching.ts'
import { type MovedMoney, mostMinor, sumOf } from './model.ts'

/** A provider's event about a sale, as far as it moves money. */
export type ProviderEvent = {
  id: string
  type: 'succeeded' | 'failed' | 'refunded'
  amount: string
  currency: string
  reference: string | null
  outcome: string
  refundedAt: Date | null
  /** Of a payment that bought nothing: how much was paid back while it is not all. */
  refundedMinor: bigint | null
  /** Of a refund: what of it belongs to nothing yet; null: all while it is ignored, and else nothing. */
  unsettledMinor: bigint | null
}

/**
 * What of a refund belongs to nothing yet, in minor units; null where it is no amount of its currency, or beyond what is
 * kept exactly and so of no sale.
 */
export function leftOf({
  amount,
  currency,
  unsettledMinor,
}: Pick<ProviderEvent, 'amount' | 'currency' | 'unsettledMinor'>): bigint | null {
  return unsettledMinor ?? minorOf({ amount, currency })
}

function minorOf({ amount, currency }: Pick<ProviderEvent, 'amount' | 'currency'>): bigint | null {
  const minor = toExactMinorUnits(amount, currency)
  return minor === null || minor > mostMinor ? null : minor
}

type PaidMoney = Pick<MovedMoney, 'kind'> & { method: string; reference: string | null }

/**
 * Whether a refund may be of a payment of its sale that is known: it names one or none, or one of them has no reference. A
 * provider pays no cash back.
 * @param payments what was paid and paid back of the sale.
 * @param events the provider's events of the sale.
 */
export function isOfKnown(
  reference: string | null,
  payments: readonly PaidMoney[],
  events: readonly Pick<ProviderEvent, 'type' | 'reference'>[],
): boolean {
  const known = [
    ...payments.filter(({ kind, method }) => kind === 'payment' && method !== 'cash'),
    ...events.filter(({ type }) => type === 'succeeded'),
  ]
  return reference === null || known.some((one) => one.reference === null || one.reference === reference)
}

export type AskedPayment = AskedMoney & {
  source: 'payment'
  status: 'due' | 'done'
  eventId: string
  currency: string
}

/** What is still to be paid back of a payment that bought nothing, in minor units; null where that is not known exactly. */
export function dueOfPayment(
  payment: Pick<ProviderEvent, 'amount' | 'currency' | 'outcome' | 'refundedAt' | 'refundedMinor'>,
): bigint | null {
  if (payment.outcome !== 'refund-due' || payment.refundedAt !== null) return 0n
  const minor = minorOf(payment)
  return minor === null ? null : minor - (payment.refundedMinor ?? 0n)
}

/**
 * The payments of a sale that bought nothing, as a refund in this currency may be of them: what is due of each, and what was
 * paid back by hand and not confirmed by an event. The latter is known only for all payments together: it counts for the
 * payment with the event's reference first, and else for the oldest.
 * @param events all of the sale, oldest first.
 * @param toldMinor how much of the decisions about the sale, in this currency, events have confirmed.
 */
export function askedPayments(
  events: readonly ProviderEvent[],
  { currency, reference, toldMinor }: { currency: string; reference: string | null; toldMinor: bigint },
): AskedPayment[] {
  const own = events.filter((event) => event.currency === currency && minorOf(event) !== null)
  const refundsMinor = sumOf(own, (event) => (event.type === 'refunded' ? settledOf(event) : 0n))
  const payments = own.filter(({ outcome }) => outcome === 'refund-due')
  const namedFirst = [
    ...payments.filter((payment) => payment.reference === reference),
    ...payments.filter((payment) => payment.reference !== reference),
  ]
  let untoldMinor = sumOf(payments, backOfPayment) - (refundsMinor - toldMinor)
  return namedFirst.flatMap((payment) => {
    const doneMinor = between(0n, untoldMinor, backOfPayment(payment))
    untoldMinor -= doneMinor
    const { id: eventId, reference: ownReference } = payment
    const common = { source: 'payment', reference: ownReference, eventId, currency } as const
    const asked = [
      { ...common, status: 'due', leftMinor: dueOfPayment(payment)! },
      { ...common, status: 'done', leftMinor: doneMinor },
    ] as const
    return asked.filter(({ leftMinor }) => leftMinor > 0n)
  })
}

/** What was paid back of a payment that bought nothing. */
function backOfPayment(payment: ProviderEvent): bigint {
  return minorOf(payment)! - dueOfPayment(payment)!
}

/** What of a refund belongs to something. */
function settledOf(event: ProviderEvent): bigint {
  const leftMinor = event.outcome === 'ignored' ? leftOf(event)! : (event.unsettledMinor ?? 0n)
  return minorOf(event)! - leftMinor
}
