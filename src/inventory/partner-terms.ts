/** What a partner owes the operator for a booking: by the terms in force when it was sold, which the booking keeps. Pure. */
import { percentOf } from '../platform/text/money.ts'
import { type Bought, type BoughtUnit, totalOf } from './bought.ts'
import { defaultUnit, type PriceList } from './price-list.ts'

/** The terms that a partner has for a product: a commission, or net prices by the id of the unit, "0" for the default unit. */
export type TermsInForce =
  | { commissionBp: number; netPrices: null }
  | { commissionBp: null; netPrices: Record<string, number> }

type Units = Pick<PriceList, 'defaultUnitId'>

/** What is sold now, with the terms that it is sold under. */
export function sellUnder(bought: Bought, terms: TermsInForce | null, list: Units): Bought {
  if (!terms) return bought
  const { commissionBp } = terms
  return commissionBp === null ? atNetPrices(bought, terms, list) : { ...bought, commissionBp }
}

/**
 * The same at net prices of today, as what is added to a booking that was sold at net prices: of a unit that has none, its
 * price less today's commission, if there is one.
 */
export function atNetPrices(bought: Bought, terms: TermsInForce | null, { defaultUnitId }: Units): Bought {
  const netOf = ({ id, priceMinor }: Pick<BoughtUnit, 'id' | 'priceMinor'>) => {
    if (!terms) return priceMinor
    const { commissionBp, netPrices } = terms
    if (commissionBp !== null) return priceMinor - Number(percentOf(BigInt(priceMinor), commissionBp))
    const ofDefault = id === (defaultUnitId ?? defaultUnit) ? netPrices[defaultUnit] : undefined
    return netPrices[id] ?? ofDefault ?? priceMinor
  }
  const units = bought.units?.map((unit) => ({ ...unit, netMinor: netOf(unit) })) ?? null
  const netMinor = units?.[0]?.netMinor ?? netOf({ id: defaultUnit, priceMinor: bought.unitPriceMinor })
  return { ...bought, units, netMinor }
}

/**
 * What a partner owes in minor units: the total less its commission, or the net prices of what was bought; null for a
 * booking that was sold without terms.
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
