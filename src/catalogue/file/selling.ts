/**
 * Checks the rules, units and own prices of the products of a file, and converts them for the database. Pure;
 * the existing product is a parameter.
 */
import { checkPrice, toMinorUnits } from '../../platform/text/money.ts'
import { defaultRules, fromRow, leastPlaces, ruleErrors } from '../model.ts'
import { priceBasisErrors } from '../products/service.ts'
import type { Product } from '../queries.ts'
import { checkUnits, keyOf, toDrafts, type UnitDraft } from '../units/model.ts'
import type { OwnPrices } from '../units/own-prices.ts'
import type { StatedUnit } from '../units/schemas.ts'
import { type Fault, inPointer, type Located, type Sketch } from './parse.ts'
import { defaultUnitName, type FileUnit, type FileUnitPrice } from './schemas.ts'

/**
 * Checks the rules, units, price and own prices of a product in the file, together with those of the existing
 * product.
 * @param product the existing product with this name; null for a new product.
 * @param partners the names of the partners that have net prices of the existing product.
 */
export function sellingFaults(sketch: Sketch, product: Product | null, partners: readonly string[]): Fault[] {
  const { pointer, fields, hasUnsoundUnits, schedules, timeslots } = sketch
  const currentUnits = (fields.Units || hasUnsoundUnits ? null : product?.units) ?? []
  const errors = ruleErrors(
    fields,
    product ? fromRow(product) : defaultRules,
    currentUnits.map((unit) => ({ name: unit.name, leastPlaces: leastPlaces(unit) })),
  )
  const { Price } = fields
  if (product) {
    const { PricedPer } = { ...fromRow(product), ...fields }
    const becomes = {
      currency: Price?.Currency ?? product.currency,
      pricedPerBooking: PricedPer === 'booking',
    }
    errors.push(...priceBasisErrors(product, becomes, partners))
  }
  if (Price && fields.Units) {
    const { MaxPlaces, PricedPer } = { ...(product ? fromRow(product) : defaultRules), ...fields }
    const owner = {
      currency: Price.Currency,
      maxPlaces: MaxPlaces,
      pricedPerBooking: PricedPer === 'booking',
    }
    errors.push(...checkUnits(fields.Units, owner, []))
    const index = fields.Units.findIndex(({ Default }) => Default)
    const unit = fields.Units[index]
    if (unit && minorOf(unit.Price) !== minorOf(Price)) {
      const message = `must be the product’s Price, ${Price.Amount}, for the default unit`
      errors.push({ field: `Units[${index}].Price.Amount`, message })
    }
  }
  return [
    ...errors.map(({ field, message }) => ({ pointer: `${pointer}/${inPointer(field)}`, message })),
    ...(hasUnsoundUnits || !Price
      ? []
      : [...schedules, ...timeslots].flatMap((owner) => {
          return priceFaults(owner, Price.Currency, namesOf(fields.Units ?? product?.units ?? []))
        })),
  ]
}

function minorOf({ Amount, Currency }: FileUnit['Price']): number | null {
  return toMinorUnits(Amount, Currency)
}

type AnyUnit = { name: string } | { Name: string }

/** The names that own prices may use. */
function namesOf(units: readonly AnyUnit[]): Set<string> {
  const names = units.map((unit) => keyOf('name' in unit ? unit.name : unit.Name))
  return new Set(names.length > 0 ? names : [keyOf(defaultUnitName)])
}

function priceFaults(
  { pointer, value: { UnitPrices = [] } }: Located<{ UnitPrices?: FileUnitPrice[] }>,
  Currency: string,
  names: Set<string>,
): Fault[] {
  const free = new Set(names)
  return UnitPrices.flatMap(({ Name, Amount }, index): Fault[] => {
    const at = `${pointer}/UnitPrices/${index}`
    const wrong = checkPrice({ Amount, Currency })
    const faults = wrong?.field === 'Amount' ? [{ pointer: `${at}/Amount`, message: wrong.message }] : []
    if (free.delete(keyOf(Name))) return faults
    const message = `must be the Name of a unit of the product, or ${defaultUnitName} if it has none, and only once`
    return [...faults, { pointer: `${at}/Name`, message }]
  })
}

/** The units of a file as the database stores them. A unit with the name of an existing unit gets its id. */
export function draftsOf(units: readonly FileUnit[], product: Product | null): UnitDraft[] {
  const ids = new Map((product?.units ?? []).map(({ name, id }) => [keyOf(name), id]))
  return toDrafts(
    units.map((unit): StatedUnit => {
      const UnitID = ids.get(keyOf(unit.Name))
      return UnitID === undefined ? unit : { ...unit, UnitID }
    }),
  )
}

/**
 * The own prices of a file as the database stores them. Null if the file leaves out the field, so that the
 * existing prices stay; an empty list removes them.
 * @param product the product after the import of its units.
 */
export function ownPricesFrom(
  prices: readonly FileUnitPrice[] | undefined,
  { units, currency }: Product,
): OwnPrices | null {
  if (!prices) return null
  const keys = new Map(
    (units ?? []).map(({ name, id, isDefault }) => [keyOf(name), isDefault ? '0' : String(id)]),
  )
  return Object.fromEntries(
    prices.map(({ Name, Amount }) => [keys.get(keyOf(Name)) ?? '0', toMinorUnits(Amount, currency)!]),
  )
}
