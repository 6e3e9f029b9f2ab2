/** Prices a changed party: kept units keep their price, and added ones have today's price. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { netPriceOf, type TermsInForce } from '../../../inventory/partner-terms.ts'
import { defaultUnitAlias, type PriceList } from '../../../inventory/price-list.ts'
import { type Bought, type BoughtUnit, priceOf } from '../../../inventory/service.ts'
import { percentOf } from '../../../platform/text/money.ts'
import type { TakenOff } from '../../promotion/applying.ts'
import { implicitUnit, type Party, type PricedParty, priceParty, toBoughtUnit } from '../pricing.ts'

export type RepricedOn = Partial<TakenOff> & { capacity: number; terms?: TermsInForce | null }

/**
 * Prices the changed party of a booking on a timeslot with this price list. Units that are no longer
 * sold, or only in another currency, can be kept but not added. A booking with one price for the whole
 * booking keeps this price. Any other booking stays priced by unit: if the product now has one price per
 * booking, added people pay the price of the booking's first unit. A percentage in `taken` is applied to the new
 * price; any other reduction keeps its amount, but is at most the new price. The booking keeps its commission.
 * @param taken the result of findTakenOff() for the booking.
 * @param terms the partner's current terms for the product: units that are added to a booking at net prices
 *   have the net prices of these terms.
 */
export function repriceParty(
  sold: Bought,
  party: Party,
  list: PriceList,
  { capacity, terms = null, ...taken }: RepricedOn,
): PricedParty {
  const { pricedPerBooking, currency, commissionBp, netMinor } = sold
  const existing = sold.units ?? soldPlainly(sold)
  const offered = { ...list, ...offeredUnits(sold, existing, list), pricedPerBooking }
  const priceNet = (unit: BoughtUnit) =>
    netMinor === null ? unit : { ...unit, netMinor: netPriceOf(unit, terms, list) }
  const keep = (wanted: BoughtUnit) => keepSold(priceNet(wanted), existing.filter(isSame(list, wanted.id)))
  const { bought, errors } = priceParty(party, offered, capacity, '', pricedPerBooking ? undefined : keep)
  if (errors) return { errors }
  const [first, ...others] = bought.units!
  const units = first!.id === defaultUnitAlias && others.length === 0 ? null : bought.units
  const ofFirst = pricedPerBooking
    ? { unitPriceMinor: sold.unitPriceMinor, netMinor }
    : { unitPriceMinor: bought.unitPriceMinor, netMinor: first!.netMinor ?? null }
  return { bought: reduced({ ...bought, units, ...ofFirst, currency, commissionBp }, sold, taken) }
}

/** What a booking of a product without units bought, as one unit. */
function soldPlainly({ participants, unitPriceMinor, netMinor }: Bought): BoughtUnit[] {
  const unit = toBoughtUnit({ unit: implicitUnit(unitPriceMinor), quantity: participants })
  return [netMinor === null ? unit : { ...unit, netMinor }]
}

/**
 * The units that the party may have: the units on sale in the currency of the booking, and units that are no
 * longer on sale, at most as many as it bought.
 */
function offeredUnits(sold: Bought, existing: readonly BoughtUnit[], list: PriceList) {
  const price = list.pricedPerBooking ? sold.unitPriceMinor : list.priceMinor
  const isSold = list.currency === sold.currency || sold.pricedPerBooking
  const onSale = isSold ? (list.units ?? [implicitUnit(price)]) : []
  const isOnSale = (row: BoughtUnit) => onSale.some(({ id }) => isSame(list, id)(row))
  const gone = [...new Set(existing.filter((row) => !isOnSale(row)).map(({ id }) => id))].map((id) => {
    const rows = existing.filter(isSame(list, id))
    const maxQuantity = rows.reduce((sum, { quantity }) => sum + quantity, 0)
    const row = existing.find((one) => one.id === id)!
    return { ...row, minQuantity: null, maxQuantity, accompaniedBy: [] }
  })
  const units = [...onSale, ...gone]
  const wanted = list.defaultUnitId ?? defaultUnitAlias
  const defaultUnitId = units.some(({ id }) => id === wanted) ? wanted : units[0]!.id
  return { units, defaultUnitId }
}

/**
 * Returns a test of whether a row is of this unit. Rows from before the product had units are of its default
 * unit.
 */
function isSame(list: PriceList, id: number) {
  return (row: BoughtUnit) => row.id === id || (row.id === defaultUnitAlias && id === list.defaultUnitId)
}

/**
 * Takes as many units as possible from those sold before, in their order and at their old price. Further
 * units have today's price.
 */
function keepSold(wanted: BoughtUnit, sold: readonly BoughtUnit[]): BoughtUnit[] {
  let left = wanted.quantity
  const rows: BoughtUnit[] = []
  for (const row of sold) {
    const quantity = Math.min(left, row.quantity)
    if (quantity > 0) rows.push({ ...row, quantity })
    left -= quantity
  }
  if (left === 0) return rows
  const last = rows.at(-1)
  if (last && isDeepStrictEqual({ ...last, quantity: left }, { ...wanted, quantity: left }))
    last.quantity += left
  else rows.push({ ...wanted, quantity: left })
  return rows
}

/**
 * Applies the earlier reduction to a new price: the percentage of a promotion code and the amount that the till took
 * off, or else the same amount as before. The reduction is at most the price.
 */
export function reduced(
  bought: Bought,
  { discountMinor }: Bought,
  { basisPoints = null, reductionMinor = 0n }: Partial<TakenOff>,
): Bought {
  const price = priceOf(bought)
  const taken = basisPoints === null ? BigInt(discountMinor) : percentOf(price, basisPoints) + reductionMinor
  return { ...bought, discountMinor: String(price < taken ? price : taken) }
}
