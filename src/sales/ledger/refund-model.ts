/** Pure rules of refunds, when a sale becomes cheaper: the limits, the proposal, and the kept part. */
import { type RefundStep, refundOf } from '../../inventory/refund-terms.ts'
import { percentOf } from '../../platform/text/money.ts'
import { clamp, type RefundPart, takeParts } from './matching.ts'

/**
 * The operator's choice: by the terms, all, nothing, an amount in minor units, or a percentage of all in basis
 * points.
 */
export type RefundChoice = 'terms' | 'full' | 'none' | { amountMinor: bigint } | { basisPoints: number }

/** The refund terms of a booking, and the time until its start, which is negative after the start. */
export type TermsNow = { steps: readonly RefundStep[]; msBefore: number }

/**
 * The cause of a refund. `provider`: without a decision of the operator, a payment provider paid back money
 * that was to be kept.
 */
export type RefundCause = 'cancelled' | 'amended' | 'moved' | 'closed' | 'overpaid' | 'provider'

/** What the largest possible refund is. */
export type RefundLimit =
  /** Everything that was paid for a booking that is cancelled. */
  | 'paid'
  /** The amount by which the booking becomes cheaper. */
  | 'cheaper'
  /** The amount that was paid above the new total of the sale. It is less than the drop in the price. */
  | 'beyond'
  /** The overpaid amount. */
  | 'overpaid'

/** The possible refunds of a change, in minor units. */
export type RefundOptions = {
  /** The largest possible refund: the paid part of the amount by which the price drops. */
  maxMinor: bigint
  limit: RefundLimit
  /** The smallest possible refund: the amount that a provider has already paid back, at most `maxMinor`. */
  leastMinor: bigint
  /** Null without terms. */
  byTermsMinor: bigint | null
  /** The refund unless another one is chosen. */
  proposedMinor: bigint
}

type DropInSale = {
  /** The amount by which a booking becomes cheaper; its total if it is cancelled. */
  droppedMinor: bigint
  /** The total of the valid bookings of its sale after the change. */
  remainingTotalMinor?: bigint
  /** The total of the booking after the change. */
  newTotalMinor?: bigint
  /** The balance of its sale before the change: above 0 if the customer owes it, below 0 if too much was paid. */
  balanceMinor: bigint
  /**
   * The amount that a provider has paid back of the sale without a decision, and that cannot be for other
   * bookings.
   */
  backMinor: bigint
  terms: TermsNow | null
  /**
   * Whether the operator cancels for its own reasons, by a closure. If so, the proposal is to pay everything
   * back, even if the terms say less. False if the operator cancels a single booking.
   */
  isOperatorsOwn: boolean
}

/**
 * Computes the possible refunds of a change. The unpaid balance of the sale is subtracted from the amount by which the
 * price drops, so that only paid money can be paid back. By the terms, the operator keeps a share of the price, even if
 * only a deposit was paid. A deposit that is not larger than this share is kept completely.
 */
export function refundOptions({
  droppedMinor,
  newTotalMinor = 0n,
  remainingTotalMinor = newTotalMinor,
  balanceMinor,
  backMinor,
  terms,
  isOperatorsOwn,
}: DropInSale): RefundOptions {
  const maxMinor = clamp(0n, droppedMinor - balanceMinor, droppedMinor)
  const leastMinor = clamp(0n, backMinor, maxMinor)
  const keptByTerms = terms && droppedMinor - refundOf(terms.steps, droppedMinor, terms.msBefore)
  const byTermsMinor = keptByTerms === null ? null : clamp(0n, maxMinor - keptByTerms, maxMinor)
  const proposedMinor = isOperatorsOwn ? maxMinor : larger(byTermsMinor ?? maxMinor, leastMinor)
  const isAll = maxMinor === droppedMinor
  const limit = isAll
    ? newTotalMinor > 0n
      ? 'cheaper'
      : 'paid'
    : remainingTotalMinor > 0n
      ? 'beyond'
      : 'paid'
  return { maxMinor, limit, leastMinor, byTermsMinor, proposedMinor }
}

/**
 * How much of a provider's refund without a decision is certainly for a booking that becomes cheaper: the
 * part above the total of the other bookings of its sale, because the provider's refund may be for the other
 * bookings.
 * @param othersMinor the total of the other valid bookings of the sale.
 */
export function undecidedForDrop(undecidedMinor: bigint, othersMinor: bigint): bigint {
  return larger(undecidedMinor - othersMinor, 0n)
}

/** The possible refunds of an overpaid sale without a change. */
export function overpaidOptions(balanceMinor: bigint, backMinor: bigint): RefundOptions {
  const maxMinor = larger(-balanceMinor, 0n)
  const leastMinor = clamp(0n, backMinor, maxMinor)
  return { maxMinor, limit: 'overpaid', leastMinor, byTermsMinor: null, proposedMinor: maxMinor }
}

export type RefundAmounts = { amountMinor: bigint; keptMinor: bigint }

/**
 * The paid-back part and the kept part, which together are `maxMinor`. Without terms, “by the terms” means
 * all. Money that was already paid back is never kept.
 * @param choice null for the proposal.
 * @returns null if the choice is more than can be paid back, or less than was already paid back.
 */
export function chooseRefund(
  { maxMinor, leastMinor, byTermsMinor, proposedMinor }: RefundOptions,
  choice: RefundChoice | null,
): RefundAmounts | null {
  const terms = larger(byTermsMinor ?? maxMinor, leastMinor)
  const amounts = { terms, full: maxMinor, none: leastMinor }
  const chosenMinor = () => {
    if (choice === null) return proposedMinor
    if (typeof choice === 'string') return amounts[choice]
    if ('amountMinor' in choice) return choice.amountMinor
    return larger(percentOf(maxMinor, choice.basisPoints), leastMinor)
  }
  const amountMinor = chosenMinor()
  const isPossible = amountMinor >= leastMinor && amountMinor <= maxMinor
  return isPossible ? { amountMinor, keptMinor: maxMinor - amountMinor } : null
}

/** The balance of a sale after a change and its decision. */
export function balanceAfter(
  balanceMinor: bigint,
  droppedMinor: bigint,
  { amountMinor, keptMinor }: RefundAmounts,
): bigint {
  return balanceMinor - droppedMinor + amountMinor + keptMinor
}

/** How much of the due refunds is set off against the balance of their sale. The latest decision is set off first. */
export function partsSetOff<T extends { amountMinor: bigint }>(
  due: readonly T[],
  owedMinor: bigint,
): RefundPart<T>[] {
  const latestFirst = due.map((refund) => ({ refund, refundableMinor: refund.amountMinor })).reverse()
  const { parts } = takeParts(latestFirst, larger(owedMinor, 0n))
  return parts.map(({ refund: { refund }, partMinor }) => ({ refund, partMinor }))
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
