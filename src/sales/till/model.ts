/** Pure rules of tills: the expected cash, and the difference of a count. Amounts are in minor units. */
import { toAmount } from '../../platform/text/money.ts'

/** The float of a till, and its cash payments and refunds since it was opened. */
export type TillCash = { floatMinor: number; takenMinor: number; paidBackMinor: number }

/** In minor units: the sum of a thousand such amounts in one till is still exact. */
const mostAtOnce = 10n ** 12n

/** Why an amount is above the limit of cash; null if it is not, or if it is not cash. */
export function cashFault({
  method,
  amountMinor,
  currency,
}: {
  method: string
  amountMinor: bigint
  currency: string
}): string | null {
  if (method !== 'cash' || amountMinor <= mostAtOnce) return null
  return `must be at most ${toAmount(mostAtOnce, currency)} ${currency} in cash`
}

/** Below 0 if the refunds were more than the cash in it. */
export function expectedOf({ floatMinor, takenMinor, paidBackMinor }: TillCash): number {
  return floatMinor + takenMinor - paidBackMinor
}

/** The cash that can be paid back out of it; 0 if the refunds were more than the cash in it. */
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
