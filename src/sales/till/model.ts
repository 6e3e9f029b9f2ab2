/** Pure rules of tills: what should be in one, and by how much a count differs. Amounts are in minor units. */

/** What a till was opened with, the cash that was taken since, and what of it was paid back. */
export type TillCash = { floatMinor: number; takenMinor: number; paidBackMinor: number }

/** Less than 0 where more was paid back than was ever in it. */
export function expectedOf({ floatMinor, takenMinor, paidBackMinor }: TillCash): number {
  return floatMinor + takenMinor - paidBackMinor
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
