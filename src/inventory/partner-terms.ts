/**
 * Computes the amount that a partner owes the operator for a booking. The booking stores the terms that
 * applied at the time of the sale. Pure.
 */
import { percentOf } from '../platform/text/money.ts'
import { type Bought, type BoughtUnit, totalOf } from './bought.ts'
import { defaultUnitAlias, type PriceList } from './price-list.ts'

/**
 * The terms of a partner for a product: a commission in hundredths of a percent, or net prices in minor units
 * by unit id, with the key "0" for the default unit.
 */
export type TermsInForce =
  | { commissionBp: number; netPrices: null }
  | { commissionBp: null; netPrices: Record<string, number> }

type Units = Pick<PriceList, 'defaultUnitId'>

/** Adds the terms of the partner to the Bought fields of a sale. Without terms, these do not change. */
export function sellUnder(bought: Bought, terms: TermsInForce | null, list: Units): Bought {
  if (!terms) return bought
  const { commissionBp } = terms
  return commissionBp === null ? atNetPrices(bought, terms, list) : { ...bought, commissionBp }
}

/** Adds the net price of each unit to the Bought fields of a sale. */
function atNetPrices(bought: Bought, terms: TermsInForce, list: Units): Bought {
  const units = bought.units?.map((unit) => ({ ...unit, netMinor: netPriceOf(unit, terms, list) })) ?? null
  const plain = { id: defaultUnitAlias, priceMinor: bought.unitPriceMinor }
  return { ...bought, units, netMinor: units?.[0]?.netMinor ?? netPriceOf(plain, terms, list) }
}

/**
 * The amount that a partner owes for one ticket of a unit: the price less the commission, or the net price.
 * Without terms, or if the unit has no net price, the whole price.
 */
export function netPriceOf(
  { id, priceMinor }: Pick<BoughtUnit, 'id' | 'priceMinor'>,
  terms: TermsInForce | null,
  { defaultUnitId }: Units,
): number {
  if (!terms) return priceMinor
  const { commissionBp, netPrices } = terms
  if (commissionBp !== null) return priceMinor - Number(percentOf(BigInt(priceMinor), commissionBp))
  const ofDefault = id === (defaultUnitId ?? defaultUnitAlias) ? netPrices[defaultUnitAlias] : undefined
  return netPrices[id] ?? ofDefault ?? priceMinor
}

/**
 * The amount that a partner owes for a booking, in minor units: the total less the commission, or the sum of
 * the net prices. Null for a booking that was sold without terms.
 */
export function owedOf(bought: Bought): bigint | null {
  const { commissionBp, netMinor, units, participants, pricedPerBooking } = bought
  if (commissionBp !== null) {
    const total = totalOf(bought)
    return total - percentOf(total, commissionBp)
  }
  if (netMinor === null) return null
  if (pricedPerBooking) return BigInt(netMinor)
  if (!units) return BigInt(netMinor) * BigInt(participants)
  return units.reduce(
    (sum, { netMinor: net, priceMinor, quantity }) => sum + BigInt(net ?? priceMinor) * BigInt(quantity),
    0n,
  )
}
