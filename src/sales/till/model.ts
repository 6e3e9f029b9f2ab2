/** Pure rules of tills: what should be in one, and by how much a count differs. Amounts are in minor units. */
import { toAmount } from '../../platform/text/money.ts'

/** What a till was opened with, the cash that was taken since, and what of it was paid back. */
export type TillCash = { floatMinor: number; takenMinor: number; paidBackMinor: number }

/** In minor units: a thousand times as much, in one till, is still summed exactly. */
const mostAtOnce = 10n ** 12n

/** Why so much is not taken, or paid back, in cash at once; null for what is, and for all other money. */
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

/** Less than 0 where more was paid back than was ever in it. */
export function expectedOf({ floatMinor, takenMinor, paidBackMinor }: TillCash): number {
  return floatMinor + takenMinor - paidBackMinor
}

/** What can be paid back out of it: nothing where more was paid back than was ever in it. */
export function cashIn(till: TillCash): bigint {
  return BigInt(Math.max(0, expectedOf(till)))
}

/** Above 0: there is too much in the till. Below: too little. */
export function differenceOf({
  countedMinor,
  expectedMinor,
}: {
  countedMinor: number
  expectedMinor: number
}): number {
  return countedMinor - expectedMinor
}
