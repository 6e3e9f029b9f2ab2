/** Pure rules of refunds: what may be paid back of a sale that becomes cheaper, what is proposed, and what is kept. */
import { type RefundStep, refundOf } from '../../inventory/refund-terms.ts'

/** What the operator decided: by the terms, all, nothing, or so much in minor units. */
export type RefundChoice = 'terms' | 'full' | 'none' | { amountMinor: bigint }

/** The refund terms of a booking, and how long is left until it starts; negative after it. */
export type TermsNow = { steps: readonly RefundStep[]; msBefore: number }

export type RefundCause = 'cancelled' | 'amended' | 'moved' | 'closed' | 'overpaid'

/** What can be paid back of what falls away, in minor units. */
export type RefundOptions = {
  /** What was paid of it: the most that can be paid back. */
  mostMinor: bigint
  /** Null without terms. */
  byTermsMinor: bigint | null
  /** What is paid back unless something else is chosen. */
  proposedMinor: bigint
}

type FallingAway = {
  /** By how much a booking becomes cheaper: by all of its total if it is cancelled. */
  goneMinor: bigint
  /** The balance of its sale before: what the customer still owes; negative where too much was paid. */
  balanceMinor: bigint
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
  balanceMinor,
  terms,
  isOperatorsOwn,
}: FallingAway): RefundOptions {
  const mostMinor = between(0n, goneMinor - balanceMinor, goneMinor)
  const keptByTerms = terms && goneMinor - refundOf(terms.steps, goneMinor, terms.msBefore)
  const byTermsMinor = keptByTerms === null ? null : between(0n, mostMinor - keptByTerms, mostMinor)
  return { mostMinor, byTermsMinor, proposedMinor: isOperatorsOwn ? mostMinor : (byTermsMinor ?? mostMinor) }
}

/** What can be paid back of a sale that was paid too much, where nothing fell away. */
export function overpaidOptions(balanceMinor: bigint): RefundOptions {
  const mostMinor = balanceMinor < 0n ? -balanceMinor : 0n
  return { mostMinor, byTermsMinor: null, proposedMinor: mostMinor }
}

export type RefundAmounts = { amountMinor: bigint; keptMinor: bigint }

/**
 * What is paid back and what is kept: together what was paid of what falls away. Without terms, to go by them is to pay
 * back all.
 * @param choice null: as proposed.
 * @returns null where more is chosen than can be paid back.
 */
export function chooseRefund(
  { mostMinor, byTermsMinor, proposedMinor }: RefundOptions,
  choice: RefundChoice | null,
): RefundAmounts | null {
  const amounts = { terms: byTermsMinor ?? mostMinor, full: mostMinor, none: 0n }
  const amountMinor =
    choice === null ? proposedMinor : typeof choice === 'string' ? amounts[choice] : choice.amountMinor
  return amountMinor > mostMinor ? null : { amountMinor, keptMinor: mostMinor - amountMinor }
}

/** The balance of a sale after something fell away and was decided about. */
export function balanceAfter(
  balanceMinor: bigint,
  goneMinor: bigint,
  { amountMinor, keptMinor }: RefundAmounts,
): bigint {
  return balanceMinor - goneMinor + amountMinor + keptMinor
}

type AskedRefund = { status: 'due' | 'done' | 'none'; amountMinor: bigint; currency: string }

/**
 * What a provider paid back when it says so much: the oldest refund of that amount, or else all together that are due.
 * @param untold the refunds of a sale that no event has told of, oldest first.
 */
export function refundsToldBy<T extends AskedRefund>(
  untold: readonly T[],
  { amountMinor, currency }: { amountMinor: bigint; currency: string },
): T[] {
  const same = untold.filter((refund) => refund.currency === currency)
  const one = same.find((refund) => refund.amountMinor === amountMinor)
  if (one) return [one]
  const due = same.filter(({ status }) => status === 'due')
  return due.reduce((sum, refund) => sum + refund.amountMinor, 0n) === amountMinor ? due : []
}

function between(least: bigint, value: bigint, most: bigint): bigint {
  if (value < least) return least
  return value > most ? most : value
}
