/** Pure rules of refunds: what may be paid back of a sale that becomes cheaper, what is proposed, and what is kept. */
import { type RefundStep, refundOf } from '../../inventory/refund-terms.ts'
import { between, type RefundPart, takeParts } from './matching.ts'

/** What the operator decided: by the terms, all, nothing, or so much in minor units. */
export type RefundChoice = 'terms' | 'full' | 'none' | { amountMinor: bigint }

/** The refund terms of a booking, and how long is left until it starts; negative after it. */
export type TermsNow = { steps: readonly RefundStep[]; msBefore: number }

/** Why; `provider`: a payment provider has paid back what was to be kept, without a decision. */
export type RefundCause = 'cancelled' | 'amended' | 'moved' | 'closed' | 'overpaid' | 'provider'

/** What the most that can be paid back is. */
export type RefundLimit =
  /** All that was paid of what falls away, which is all of a booking. */
  | 'paid'
  /** By how much the booking becomes cheaper. */
  | 'cheaper'
  /** What was paid above what the sale still costs: less than by how much it becomes cheaper. */
  | 'beyond'
  /** What was paid too much. */
  | 'overpaid'

/** What can be paid back of what falls away, in minor units. */
export type RefundOptions = {
  /** What was paid of it: the most that can be paid back. */
  mostMinor: bigint
  limit: RefundLimit
  /** What a provider has paid back of it already: the least, since it cannot be kept. */
  leastMinor: bigint
  /** Null without terms. */
  byTermsMinor: bigint | null
  /** What is paid back unless something else is chosen. */
  proposedMinor: bigint
}

type FallingAway = {
  /** By how much a booking becomes cheaper: by all of its total if it is cancelled. */
  goneMinor: bigint
  /** What the bookings of its sale cost then; 0 where none stands any more. */
  standingMinor?: bigint
  /** What the booking costs then. */
  leftMinor?: bigint
  /** The balance of its sale before: what the customer still owes; negative where too much was paid. */
  balanceMinor: bigint
  /** What a provider has paid back of the sale, of which no decision is known and for which nothing else can stand. */
  backMinor: bigint
  terms: TermsNow | null
  /** Whether the operator does not do what it sold: then all is paid back, also where the terms say less. */
  isOperatorsOwn: boolean
}

/**
 * What the customer still owes counts as owed for what falls away, so that only what was paid can be paid back. The
 * terms say what the operator keeps: a deposit that is not more than this is kept.
 */
export function refundOptions({
  goneMinor,
  leftMinor = 0n,
  standingMinor = leftMinor,
  balanceMinor,
  backMinor,
  terms,
  isOperatorsOwn,
}: FallingAway): RefundOptions {
  const mostMinor = between(0n, goneMinor - balanceMinor, goneMinor)
  const leastMinor = between(0n, backMinor, mostMinor)
  const keptByTerms = terms && goneMinor - refundOf(terms.steps, goneMinor, terms.msBefore)
  const byTermsMinor = keptByTerms === null ? null : between(0n, mostMinor - keptByTerms, mostMinor)
  const proposedMinor = isOperatorsOwn ? mostMinor : larger(byTermsMinor ?? mostMinor, leastMinor)
  const isAll = mostMinor === goneMinor
  const limit = isAll ? (leftMinor > 0n ? 'cheaper' : 'paid') : standingMinor > 0n ? 'beyond' : 'paid'
  return { mostMinor, limit, leastMinor, byTermsMinor, proposedMinor }
}

/**
 * What of money that a provider paid back without a decision counts for a booking that becomes cheaper: what is more than
 * the other bookings of its sale cost, which it may be for.
 * @param othersMinor what the other standing bookings of the sale cost.
 */
export function backOf(undecidedMinor: bigint, othersMinor: bigint): bigint {
  return larger(undecidedMinor - othersMinor, 0n)
}

/** What can be paid back of a sale that was paid too much, where nothing fell away. */
export function overpaidOptions(balanceMinor: bigint, backMinor: bigint): RefundOptions {
  const mostMinor = larger(-balanceMinor, 0n)
  const leastMinor = between(0n, backMinor, mostMinor)
  return { mostMinor, limit: 'overpaid', leastMinor, byTermsMinor: null, proposedMinor: mostMinor }
}

export type RefundAmounts = { amountMinor: bigint; keptMinor: bigint }

/**
 * What is paid back and what is kept: together what was paid of what falls away. Without terms, to go by them is to pay
 * back all. What was paid back already is never kept.
 * @param choice null: as proposed.
 * @returns null where more is chosen than can be paid back, or an amount that is less than was paid back already.
 */
export function chooseRefund(
  { mostMinor, leastMinor, byTermsMinor, proposedMinor }: RefundOptions,
  choice: RefundChoice | null,
): RefundAmounts | null {
  const terms = larger(byTermsMinor ?? mostMinor, leastMinor)
  const amounts = { terms, full: mostMinor, none: leastMinor }
  const amountMinor =
    choice === null ? proposedMinor : typeof choice === 'string' ? amounts[choice] : choice.amountMinor
  const isPossible = amountMinor >= leastMinor && amountMinor <= mostMinor
  return isPossible ? { amountMinor, keptMinor: mostMinor - amountMinor } : null
}

/** The balance of a sale after something fell away and was decided about. */
export function balanceAfter(
  balanceMinor: bigint,
  goneMinor: bigint,
  { amountMinor, keptMinor }: RefundAmounts,
): bigint {
  return balanceMinor - goneMinor + amountMinor + keptMinor
}

/** What of refunds that are due is set off against what their sale owes: of those that were decided last first. */
export function partsSetOff<T extends { amountMinor: bigint }>(
  due: readonly T[],
  owedMinor: bigint,
): RefundPart<T>[] {
  const latestFirst = due.map((refund) => ({ refund, leftMinor: refund.amountMinor })).reverse()
  const { parts } = takeParts(latestFirst, larger(owedMinor, 0n))
  return parts.map(({ refund: { refund }, partMinor }) => ({ refund, partMinor }))
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
