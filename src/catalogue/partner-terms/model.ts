/** Pure rules of what is agreed with partners: what a list of terms may say, and what the database keeps of it. */

import type { FieldError } from '../../platform/schema/validation.ts'
import { checkPrice, toAmount, toMinorUnits } from '../../platform/text/money.ts'
import { toBasisPoints, toPercent } from '../../platform/text/percent.ts'
import type { PartnerTerm } from './schemas.ts'

/** A line of a partner's terms: a commission in hundredths of a percent, or net prices in minor units by unit. */
export type PartnerTermRow = {
  /** Null for all products without a line of their own. */
  productId: number | null
  commissionBp: number | null
  netPrices: Record<string, number> | null
}

/** A product that net prices can be given for. */
export type NetPricedProduct = {
  id: number
  currency: string
  defaultUnitId: number | null
  unitIds: number[]
}

type Products = ReadonlyMap<number, NetPricedProduct>

/** What is wrong with terms whose shape is right. */
export function checkTerms(terms: readonly PartnerTerm[], products: Products): FieldError[] {
  const named = new Set<number | null>()
  return terms.flatMap((term, index) => {
    const { ProductID, Commission, NetPrices } = term
    const product = ProductID === null ? null : products.get(ProductID)
    const rules: [boolean, string, string][] = [
      [product === undefined, 'ProductID', 'is no product of this account'],
      [named.has(ProductID), 'ProductID', 'must be other than that of the terms before'],
      [!Commission === !NetPrices, 'Commission', 'or NetPrices must be given, and only one of them'],
      [ProductID === null && !!NetPrices, 'NetPrices', 'must be those of one product'],
    ]
    named.add(ProductID)
    const errors = rules.flatMap(([isBroken, field, message]) => (isBroken ? [{ field, message }] : []))
    if (product && NetPrices) errors.push(...checkNetPrices(NetPrices, product))
    return errors.map(({ field, message }) => ({ field: `Terms[${index}].${field}`, message }))
  })
}

function checkNetPrices(
  netPrices: NonNullable<PartnerTerm['NetPrices']>,
  { currency, defaultUnitId, unitIds }: NetPricedProduct,
): FieldError[] {
  const free = new Set([defaultUnitId ?? 0, ...unitIds])
  return netPrices.flatMap(({ UnitID, Amount }, index) => {
    const errors: FieldError[] = []
    if (!free.delete(UnitID === 0 ? (defaultUnitId ?? 0) : UnitID))
      errors.push({
        field: `NetPrices[${index}].UnitID`,
        message: 'must be a unit of this product, and only once',
      })
    const wrong = checkPrice({ Amount, Currency: currency })
    if (wrong) errors.push({ field: `NetPrices[${index}].Amount`, message: wrong.message })
    return errors
  })
}

/**
 * Terms of a product without the net prices of units that it sells no more. Where no net price is left the partner owes the
 * whole price, which a commission of 0 says as well.
 */
export function withoutGoneUnits(term: PartnerTerm, products: Products): PartnerTerm {
  const { ProductID, NetPrices } = term
  const product = ProductID === null ? undefined : products.get(ProductID)
  if (!product || !NetPrices) return term
  const kept = NetPrices.filter(({ UnitID }) => UnitID === 0 || product.unitIds.includes(UnitID))
  return kept.length > 0 ? { ProductID, NetPrices: kept } : { ProductID, Commission: '0' }
}

/** For terms that checkTerms() finds nothing wrong with. */
export function toTermRows(terms: readonly PartnerTerm[], products: Products): PartnerTermRow[] {
  return terms.map(({ ProductID, Commission, NetPrices }) => {
    const amounts = NetPrices?.map(({ UnitID, Amount }) => {
      return [UnitID, toMinorUnits(Amount, products.get(ProductID!)!.currency)!] as const
    })
    return {
      productId: ProductID,
      commissionBp: Commission === undefined ? null : toBasisPoints(Commission),
      netPrices: amounts ? Object.fromEntries(amounts) : null,
    }
  })
}

/** @param currency of the product, which terms for all products do not have. */
export function fromTermRow({
  productId,
  commissionBp,
  netPrices,
  currency,
}: PartnerTermRow & { currency: string | null }): PartnerTerm {
  const terms =
    commissionBp === null
      ? { NetPrices: toNetPrices(netPrices ?? {}, currency!) }
      : { Commission: toPercent(commissionBp) }
  return { ProductID: productId, ...terms }
}

function toNetPrices(netPrices: Record<string, number>, currency: string) {
  return Object.entries(netPrices).map(([unitId, minor]) => {
    return { UnitID: Number(unitId), Amount: toAmount(minor, currency) }
  })
}
