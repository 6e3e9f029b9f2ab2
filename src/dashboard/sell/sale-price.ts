/** The amount to pay for a sale after a reduction at the till. Pure. */
import { Problem } from '../../http/problems.ts'
import { type Price, toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { readReduction } from '../../sales/basket/reducing.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import type { TillReduction } from '../../sales/basket/till-schemas.ts'

/** The total of a sale, and the till's reduction. */
export type SalePrice = {
  /** The amount to pay; null for an empty basket. */
  due: Price | null
  /** The requested reduction with its amount; null if there is none or it is invalid. */
  reduction: { request: TillReduction; off: Price } | null
}

/**
 * The price of a sale with the requested reduction at the till. @throws Problem validation for an invalid
 * reduction.
 */
export function priceOf({ Total }: BasketView, request: TillReduction | null | undefined): SalePrice {
  if (!request || !Total) return { due: Total, reduction: null }
  const { Amount, Currency: currency } = Total
  const minor = toExactMinorUnits(Amount, currency) ?? 0n
  const off = readReduction(request, { minor, currency })
  return { due: toMoney(minor - off, currency), reduction: { request, off: toMoney(off, currency) } }
}

/** Like priceOf(), but ignores a reduction that has become invalid for the sale. */
export function possiblePriceOf(basket: BasketView, request: TillReduction | null): SalePrice {
  try {
    return priceOf(basket, request)
  } catch (error) {
    if (error instanceof Problem) return priceOf(basket, null)
    throw error
  }
}
