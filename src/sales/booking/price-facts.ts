/**
 * Facts about the price of a booking or a line: whether it has units, and by how much it was reduced. Pure.
 */
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import { type Price, toExactMinorUnits } from '../../platform/text/money.ts'
import type { BoughtView } from './schemas.ts'

type UnitsSold = { Units?: BoughtView['Units'] | undefined }
type PricedSale = UnitsSold & { UnitPrice: Price; Total?: Price | undefined }

/** Whether a booking or a line has units of its product. False for a product without units. */
export function hasUnits({ Units = [] }: UnitsSold): boolean {
  return Units.some(({ UnitID }) => UnitID !== defaultUnitAlias)
}

/** By how much a price was reduced, in minor units. */
export function reductionOf({ Units = [], UnitPrice, Total = UnitPrice }: PricedSale): bigint {
  const price = Units.some((unit) => unit.UnitPrice)
    ? Units.reduce((sum, unit) => sum + minorOf(unit.UnitPrice!) * BigInt(unit.Quantity), 0n)
    : minorOf(UnitPrice)
  return price - minorOf(Total)
}

/** The price in minor units; 0 if the amount is not valid in its currency. */
export function minorOf({ Amount, Currency }: Price): bigint {
  return toExactMinorUnits(Amount, Currency) ?? 0n
}
