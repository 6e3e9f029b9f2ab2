/** Pure rules of what a provider's refund is of: decisions about its sale, and payments that bought nothing. */
import { sumOf } from './model.ts'

/**
 * Money that a provider's refund may be of. Of a decision: what is due, was paid back online by hand, was set off, or was to
 * be kept. Of a payment that bought nothing: what is due, or was paid back by hand.
 */
export type AskedMoney = {
  source: 'decision' | 'payment'
  status: 'due' | 'done' | 'set-off' | 'kept'
  /** What no event has confirmed yet; above 0. */
  leftMinor: bigint
  /** What the provider knows a payment by. */
  reference: string | null
}

/** So much of a refund. */
export type RefundPart<T> = { refund: T; partMinor: bigint }

export type MatchedRefund<T> = {
  parts: RefundPart<T>[]
  /** What belongs to nothing. */
  overMinor: bigint
}

/**
 * What a provider's refund of this amount pays back: first the payment that it names; then, of what is left, the first of
 * these that is exactly so much: one decision, all decisions that are due, one payment, all that is due; or else parts. What was
 * to be kept is no part of it: see keptTold().
 * @param asked what a refund of this sale and currency may be of, oldest first.
 */
export function matchRefund<T extends AskedMoney>(
  asked: readonly T[],
  { amountMinor, reference }: { amountMinor: bigint; reference: string | null },
): MatchedRefund<T> {
  const isNamed = (one: T) => one.source === 'payment' && reference !== null && one.reference === reference
  const named = takeParts(asked.filter(isNamed), amountMinor)
  if (named.overMinor === 0n) return named
  const others = asked.filter((one) => !isNamed(one))
  const wholes = findWholes(others, named.overMinor)
  if (wholes) {
    const parts = wholes.map((refund) => ({ refund, partMinor: refund.leftMinor }))
    return { parts: [...named.parts, ...parts], overMinor: 0n }
  }
  const { parts, overMinor } = takeParts(inOrderOfParts(others), named.overMinor)
  return { parts: [...named.parts, ...parts], overMinor }
}

/** Nothing where no money is exactly so much. */
function findWholes<T extends AskedMoney>(asked: readonly T[], amountMinor: bigint): T[] | null {
  const isSo = ({ leftMinor }: T) => leftMinor === amountMinor
  const of = (source: T['source'], ...statuses: T['status'][]) =>
    asked.filter((one) => one.source === source && statuses.includes(one.status))
  const allOf = (all: T[]) => (sumLeft(all) === amountMinor ? all : undefined)
  const oneOf = (found: T | undefined) => found && [found]
  const dueOfSale = of('decision', 'due')
  const duePayments = of('payment', 'due')
  const wholes =
    oneOf(of('decision', 'due', 'done').find(isSo)) ??
    allOf(dueOfSale) ??
    oneOf(duePayments.find(isSo) ?? of('payment', 'done').find(isSo)) ??
    allOf([...dueOfSale, ...duePayments])
  return wholes ?? null
}

/**
 * First decisions that were said to be paid back online, whose events are still to come; then what is due; then payments that
 * were marked by hand, of which an event may never come; and last what was set off, which the operator paid back all
 * the same.
 */
function inOrderOfParts<T extends AskedMoney>(asked: readonly T[]): T[] {
  const order = ['decision done', 'decision due', 'payment due', 'payment done', 'decision set-off']
  return order.flatMap((wanted) => asked.filter(({ source, status }) => `${source} ${status}` === wanted))
}

export type UnsettledRefunds = {
  /** What is left of this event. */
  overMinor: bigint
  /** What other events of the sale have left. */
  othersMinor: bigint
  /** What the bookings of the sale cost that stand. */
  standingMinor: bigint
}

/**
 * What of money that was to be kept a provider has paid back. While bookings of the sale stand, what belongs to nothing may be
 * for them: only what is more than they cost is certainly of what was kept.
 */
export function keptTold<T extends AskedMoney>(
  asked: readonly T[],
  { overMinor, othersMinor, standingMinor }: UnsettledRefunds,
): MatchedRefund<T> {
  const beyondMinor = between(0n, overMinor + othersMinor - standingMinor, overMinor)
  const kept = asked.filter(({ status }) => status === 'kept')
  const { parts, overMinor: left } = takeParts(kept, beyondMinor)
  return { parts, overMinor: overMinor - beyondMinor + left }
}

/** As much of each as there is, in their order. */
export function takeParts<T extends { leftMinor: bigint }>(
  refunds: readonly T[],
  amountMinor: bigint,
): MatchedRefund<T> {
  let overMinor = amountMinor
  const parts: RefundPart<T>[] = []
  for (const refund of refunds) {
    const partMinor = between(0n, overMinor, refund.leftMinor)
    if (partMinor > 0n) parts.push({ refund, partMinor })
    overMinor -= partMinor
  }
  return { parts, overMinor }
}

export function sumLeft(asked: readonly { leftMinor: bigint }[]): bigint {
  return sumOf(asked, ({ leftMinor }) => leftMinor)
}

export function between(least: bigint, value: bigint, most: bigint): bigint {
  if (value < least) return least
  return value > most ? most : value
}
