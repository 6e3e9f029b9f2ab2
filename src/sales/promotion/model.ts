/**
 * Pure rules of reductions: when a promotion may be used, and by how much a promotion or a reduction at the
 * till reduces each line.
 */
import { percentOf, shareOut } from '../../platform/text/money.ts'
import { percentPattern, toBasisPoints } from '../../platform/text/percent.ts'

/** The reduction of a promotion: hundredths of a percent of each line, or an amount that the lines share. */
export type PromotionTerms =
  | { basisPoints: number; amountMinor: null; currency: null }
  | { basisPoints: null; amountMinor: number; currency: string }

/** Where a promotion is valid. Both days are included; null means no limit. */
export type PromotionScope = {
  /** Null for all products. */
  productIds: readonly number[] | null
  travelFrom: string | null
  travelTo: string | null
}

export type ReducibleLine = {
  productId: number
  /** The day of its timeslot, local to the product. */
  date: string
  currency: string
  /** The price before the reduction. */
  priceMinor: bigint
}

/** Whether a promotion is valid for a line. It can be valid for a line with the price 0 too. */
export function isFor({ currency, ...scope }: PromotionTerms & PromotionScope, line: ReducibleLine): boolean {
  return (
    (currency === null || currency === line.currency) &&
    (scope.productIds === null || scope.productIds.includes(line.productId)) &&
    isWithin(line.date, scope.travelFrom, scope.travelTo)
  )
}

function isWithin(day: string, from: string | null, to: string | null): boolean {
  return (from === null || from <= day) && (to === null || day <= to)
}

/**
 * How much a promotion takes off each line. A percentage is computed for each line that it is valid for, by
 * percentOf(). An amount is shared by these lines in proportion to their prices, and is at most their total.
 */
export function discountLines(
  promotion: PromotionTerms & PromotionScope,
  lines: readonly ReducibleLine[],
): bigint[] {
  const { basisPoints, amountMinor } = promotion
  const prices = lines.map((line) => (isFor(promotion, line) ? line.priceMinor : 0n))
  if (basisPoints !== null) return prices.map((price) => percentOf(price, basisPoints))
  return shareUpTo(BigInt(amountMinor), prices)
}

/** Divides an amount, or the sum of the prices if that is less, in proportion to the prices. */
export function shareUpTo(minor: bigint, prices: readonly bigint[]): bigint[] {
  const sum = prices.reduce((total, price) => total + price, 0n)
  return sum === 0n ? prices.map(() => 0n) : shareOut(minor < sum ? minor : sum, prices)
}

/** Why a promotion cannot be used, in words for people. */
export const promotionRefusals = {
  'unknown-code': 'There is no promotion with this code.',
  'not-active': 'The promotion has ended.',
  'outside-sale-dates': 'The promotion is not valid today.',
  'not-for-these-lines': 'The promotion is for other products, days or currencies than those in the basket.',
  'customer-needed': 'The promotion needs the customer’s e-mail address.',
  'used-by-customer': 'This customer has used the promotion as often as it allows.',
  'used-up': 'The promotion is used up.',
} as const
export type PromotionReason = keyof typeof promotionRefusals

export type PromotionLimits = {
  active: boolean
  saleFrom: string | null
  saleTo: string | null
  maxUses: number | null
  maxUsesPerCustomer: number | null
}

/** The number of uses by other baskets: of all customers, and of the customer of this basket. */
export type PromotionUses = { total: number; ofCustomer: number }

/** Why no basket may use a promotion today, in the account's time zone; null if baskets may use it today. */
export function whyNotToday(
  { active, saleFrom, saleTo }: PromotionLimits,
  today: string,
): PromotionReason | null {
  if (!active) return 'not-active'
  return isWithin(today, saleFrom, saleTo) ? null : 'outside-sale-dates'
}

/** Why a basket cannot use a promotion, by the limits of its uses; null if it can. */
export function whyNoUse(
  { maxUses, maxUsesPerCustomer }: PromotionLimits,
  uses: PromotionUses,
  isCustomerKnown: boolean,
): PromotionReason | null {
  if (maxUses !== null && uses.total >= maxUses) return 'used-up'
  if (maxUsesPerCustomer === null) return null
  if (!isCustomerKnown) return 'customer-needed'
  return uses.ofCustomer >= maxUsesPerCustomer ? 'used-by-customer' : null
}

/** A percentage above 0 and up to 100, as hundredths of a percent; null for other text. */
export function toReduction(percent: string): number | null {
  const basisPoints = new RegExp(percentPattern).test(percent) ? toBasisPoints(percent) : 0
  return basisPoints > 0 ? basisPoints : null
}
