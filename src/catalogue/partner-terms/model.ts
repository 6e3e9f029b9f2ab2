/** Pure rules of partner terms: what a list of terms may contain, and how the database stores it. */

import type { FieldError } from '../../platform/schema/validation.ts'
import { checkPrice, toAmount, toMinorUnits } from '../../platform/text/money.ts'
import { toBasisPoints, toPercent } from '../../platform/text/percent.ts'
import type { PartnerTerm } from './schemas.ts'

/**
 * A line of a partner's terms: a commission in hundredths of a percent, or net prices. `netPrices` has
 * amounts in the currency's minor units, by the id of the product's unit.
 */
export type PartnerTermRow = {
  /** Null for all products without a line of their own. */
  productId: number | null
  commissionBp: number | null
  netPrices: Record<string, number> | null
}

/** A product that can have net prices. */
export type NetPricedProduct = {
  id: number
  currency: string
  defaultUnitId: number | null
  unitIds: number[]
}

type Products = ReadonlyMap<number, NetPricedProduct>

/**
 * Checks terms that match the schema: each product once, a commission or net prices, and net prices only for
 * one product and with its units. Returns the errors.
 * @param products the existing products of the terms, by id.
 */
export function checkTerms(terms: readonly PartnerTerm[], products: Products): FieldError[] {
  const named = new Set<number | null>()
  return terms.flatMap((term, index) => {
    const { ProductID, Commission, NetPrices } = term
    const product = ProductID === null ? null : products.get(ProductID)
    const rules: [boolean, string, string][] = [
      [product === undefined, 'ProductID', 'is not a product of this account'],
      [named.has(ProductID), 'ProductID', 'must differ from that of earlier terms'],
      [!Commission === !NetPrices, 'Commission', 'or NetPrices must be given, and only one of them'],
      [ProductID === null && !!NetPrices, 'NetPrices', 'must be for one product'],
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
 * Removes the net prices of units that the product no longer sells. If no net price remains, the partner owes
 * the whole price, so the terms become a commission of 0.
 */
export function withoutGoneUnits(term: PartnerTerm, products: Products): PartnerTerm {
  const { ProductID, NetPrices } = term
  const product = ProductID === null ? undefined : products.get(ProductID)
  if (!product || !NetPrices) return term
  const kept = NetPrices.filter(({ UnitID }) => UnitID === 0 || product.unitIds.includes(UnitID))
  return kept.length > 0 ? { ProductID, NetPrices: kept } : { ProductID, Commission: '0' }
}

/** Converts terms for the database. The caller has checked them with checkTerms(). */
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

/** Converts a row for the API. `currency` is the currency of the product; null for terms for all products. */
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
