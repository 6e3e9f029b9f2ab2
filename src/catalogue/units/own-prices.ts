/**
 * Pure functions that check and convert the own prices of a schedule or a timeslot. An own price takes
 * precedence over the price of the product.
 */
import type { FieldError } from '../../platform/schema/validation.ts'
import { checkPrice, toAmount, toMinorUnits } from '../../platform/text/money.ts'
import type { Unit } from '../model.ts'

export type OwnPriceFields = { UnitID: number; Amount: string }

/**
 * Own prices as the database stores them: amounts in the currency's minor units, by the id of the product's
 * unit. The default unit, or a place of a product without units, has the key 0.
 */
export type OwnPrices = Record<string, number>

/** A stored own price. `unitId` is 0 if the product has no units: then it is the price of a place. */
export type OwnPrice = { unitId: number; priceMinor: number; currency: string }

/** A product's units that may have own prices, and its currency. */
export type PricedProduct = { currency: string; units: readonly Pick<Unit, 'id' | 'isDefault'>[] | null }

/**
 * Checks that each price is for a unit of the product, that no unit is repeated, and that each amount is
 * valid.
 */
export function checkOwnPrices(prices: readonly OwnPriceFields[], product: PricedProduct): FieldError[] {
  const seen = new Set<string>()
  return prices.flatMap(({ UnitID, Amount }, index): FieldError[] => {
    const errors: FieldError[] = []
    const key = keyOfUnit(UnitID, product)
    if (key === null || seen.has(key)) {
      const message = 'must be a unit of the product, and only once; 0 is the default unit'
      errors.push({ field: `UnitPrices[${index}].UnitID`, message })
    } else seen.add(key)
    const wrong = checkPrice({ Amount, Currency: product.currency })
    if (wrong) errors.push({ field: `UnitPrices[${index}].Amount`, message: wrong.message })
    return errors
  })
}

/** Converts own prices for the database. checkOwnPrices() must have found no errors in them. */
export function toOwnPrices(prices: readonly OwnPriceFields[], product: PricedProduct): OwnPrices {
  return Object.fromEntries(
    prices.map(({ UnitID, Amount }) => [
      keyOfUnit(UnitID, product)!,
      toMinorUnits(Amount, product.currency)!,
    ]),
  )
}

function keyOfUnit(unitId: number, { units }: PricedProduct): string | null {
  if (unitId === 0) return '0'
  const unit = units?.find(({ id }) => id === unitId)
  return unit ? (unit.isDefault ? '0' : String(unit.id)) : null
}

export function ownPricesView(prices: readonly OwnPrice[]): OwnPriceFields[] {
  return prices.map(({ unitId, priceMinor, currency }) => {
    return { UnitID: unitId, Amount: toAmount(priceMinor, currency) }
  })
}
