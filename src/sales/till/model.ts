/** Pure rules of tills: the expected cash, and how much a count differs from it. Amounts are in minor units. */
import { toAmount } from '../../platform/text/money.ts'

/** The float of a till, and its cash payments and refunds since it was opened. */
export type TillCash = { floatMinor: number; takenMinor: number; paidBackMinor: number }

/** The largest payment or refund in cash, in minor units: the sum of a thousand of them is still an exact number. */
const maxCashMinor = 10n ** 12n

/** The error of a cash amount above the limit. Null for an amount up to the limit, and for other methods. */
export function cashFault({
  method,
  amountMinor,
  currency,
}: {
  method: string
  amountMinor: bigint
  currency: string
}): string | null {
  if (method !== 'cash' || amountMinor <= maxCashMinor) return null
  return `must be at most ${toAmount(maxCashMinor, currency)} ${currency} in cash`
}

/** The cash that should be in the till; below 0 if the refunds were more than the float and the payments. */
export function expectedOf({ floatMinor, takenMinor, paidBackMinor }: TillCash): number {
  return floatMinor + takenMinor - paidBackMinor
}

/** The cash that can be paid back out of the till; 0 if the refunds were more than the float and the payments. */
export function cashIn(till: TillCash): bigint {
  return BigInt(Math.max(0, expectedOf(till)))
}

/** Above 0 if there is too much cash in the till; below 0 if there is too little. */
export function differenceOf({
  countedMinor,
  expectedMinor,
}: {
  countedMinor: number
  expectedMinor: number
}): number {
  return countedMinor - expectedMinor
}
