/** Pure rules that match a provider's refund with decisions about its sale and with payments that bought nothing. */
import { sumOf } from './model.ts'

/**
 * Money that a provider's refund may pay back. Of a decision: the amount that is due, was marked by hand as paid
 * back online, was set off, or was to be kept. Of a payment that bought nothing: the amount that is due, or was
 * marked as paid back.
 */
export type RefundableMoney = {
  source: 'decision' | 'payment'
  status: 'due' | 'done' | 'set-off' | 'kept'
  /** The amount that no event has confirmed yet; above 0. */
  refundableMinor: bigint
  /** The provider's reference of the payment; null for a decision, and for a payment without a reference. */
  reference: string | null
}

/** A decision or a payment (`refund`), and the part of its amount that is paid back or set off. */
export type RefundPart<T> = { refund: T; partMinor: bigint }

export type MatchedRefund<T> = {
  parts: RefundPart<T>[]
  /** The amount that matches nothing. */
  overMinor: bigint
}

/**
 * Matches a provider's refund of this amount. The refund first pays back the payment that it names. Its
 * remaining amount pays back the first of these that has exactly the remaining amount: one decision that is due
 * or done, all due decisions, one payment, everything that is due. If there is none, it pays back parts, in the
 * order of inOrderOfParts(). keptPaidBack() matches money that was to be kept.
 * @param refundable the money of this sale and currency, oldest first.
 */
export function matchRefund<T extends RefundableMoney>(
  refundable: readonly T[],
  { amountMinor, reference }: { amountMinor: bigint; reference: string | null },
): MatchedRefund<T> {
  const isNamed = (one: T) => one.source === 'payment' && reference !== null && one.reference === reference
  const named = takeParts(refundable.filter(isNamed), amountMinor)
  if (named.overMinor === 0n) return named
  const others = refundable.filter((one) => !isNamed(one))
  const wholes = findWholes(others, named.overMinor)
  if (wholes) {
    const parts = wholes.map((refund) => ({ refund, partMinor: refund.refundableMinor }))
    return { parts: [...named.parts, ...parts], overMinor: 0n }
  }
  const { parts, overMinor } = takeParts(inOrderOfParts(others), named.overMinor)
  return { parts: [...named.parts, ...parts], overMinor }
}

/** The first of the groups in matchRefund() that has exactly this amount; null if there is none. */
function findWholes<T extends RefundableMoney>(refundable: readonly T[], amountMinor: bigint): T[] | null {
  const hasExactAmount = ({ refundableMinor }: T) => refundableMinor === amountMinor
  const of = (source: T['source'], ...statuses: T['status'][]) =>
    refundable.filter((one) => one.source === source && statuses.includes(one.status))
  const allOf = (all: T[]) => (sumRefundable(all) === amountMinor ? all : undefined)
  const oneOf = (found: T | undefined) => found && [found]
  const dueOfSale = of('decision', 'due')
  const duePayments = of('payment', 'due')
  const wholes =
    oneOf(of('decision', 'due', 'done').find(hasExactAmount)) ??
    allOf(dueOfSale) ??
    oneOf(duePayments.find(hasExactAmount) ?? of('payment', 'done').find(hasExactAmount)) ??
    allOf([...dueOfSale, ...duePayments])
  return wholes ?? null
}

/**
 * The order in which parts are paid back. First, decisions that were marked as paid back online, because their
 * events must still come. Then everything that is due. Then payments that were marked by hand, whose events may
 * never come. Last, money that was set off, which the operator then paid back nevertheless.
 */
function inOrderOfParts<T extends RefundableMoney>(money: readonly T[]): T[] {
  const order = ['decision done', 'decision due', 'payment due', 'payment done', 'decision set-off']
  return order.flatMap((wanted) => money.filter(({ source, status }) => `${source} ${status}` === wanted))
}

export type UnsettledRefunds = {
  /** The unsettled part of this event. */
  overMinor: bigint
  /** The unsettled parts of other events of the sale. */
  othersMinor: bigint
  /** The total of the valid bookings of the sale. */
  validTotalMinor: bigint
}

/**
 * Matches the unsettled part of an event with money that was to be kept. Unsettled refunds may be for the valid
 * bookings of the sale. So only the amount above the total of those bookings certainly comes from kept money.
 */
export function keptPaidBack<T extends RefundableMoney>(
  refundable: readonly T[],
  { overMinor, othersMinor, validTotalMinor }: UnsettledRefunds,
): MatchedRefund<T> {
  const beyondMinor = clamp(0n, overMinor + othersMinor - validTotalMinor, overMinor)
  const kept = refundable.filter(({ status }) => status === 'kept')
  const { parts, overMinor: left } = takeParts(kept, beyondMinor)
  return { parts, overMinor: overMinor - beyondMinor + left }
}

/**
 * Distributes an amount over `refunds` in order: each gets at most its `refundableMinor`. `overMinor` is the rest
 * of the amount.
 */
export function takeParts<T extends { refundableMinor: bigint }>(
  refunds: readonly T[],
  amountMinor: bigint,
): MatchedRefund<T> {
  let overMinor = amountMinor
  const parts: RefundPart<T>[] = []
  for (const refund of refunds) {
    const partMinor = clamp(0n, overMinor, refund.refundableMinor)
    if (partMinor > 0n) parts.push({ refund, partMinor })
    overMinor -= partMinor
  }
  return { parts, overMinor }
}

export function sumRefundable(refundable: readonly { refundableMinor: bigint }[]): bigint {
  return sumOf(refundable, ({ refundableMinor }) => refundableMinor)
}

export function clamp(least: bigint, value: bigint, most: bigint): bigint {
  if (value < least) return least
  return value > most ? most : value
}
