/** Pure functions that check a given list of units and convert it for the database. */
import type { FieldError } from '../../platform/schema/validation.ts'
import { checkPrice, toMinorUnits } from '../../platform/text/money.ts'
import { leastPlaces, type Unit } from '../model.ts'
import type { StatedUnit } from './schemas.ts'

/** The fields of a product on which its units depend. */
export type UnitOwner = { currency: string; maxPlaces: number; pricedPerBooking: boolean }

/**
 * A unit of a request or a file, as the database stores it, except that a new unit has the id null, and that
 * `accompaniedBy` has positions of units in the list instead of ids.
 */
export type UnitDraft = Omit<Unit, 'id' | 'accompaniedBy'> & { id: number | null; accompaniedBy: number[] }

/**
 * Checks a list of units. Returns an error for each broken rule; its field is, for example,
 * `Units[2].MinAge`.
 * @param existingIds the ids of the units that the product sells now. A `UnitID` must be one of them.
 */
export function checkUnits(
  units: readonly StatedUnit[],
  owner: UnitOwner,
  existingIds: readonly number[],
): FieldError[] {
  const errors = units.flatMap((unit, index) =>
    checkUnit(unit, owner).map(({ field, message }) => ({ field: `Units[${index}].${field}`, message })),
  )
  const at = (index: number, field: string, message: string) => {
    errors.push({ field: `Units[${index}].${field}`, message })
  }
  const names = new Map<string, number>()
  const free = new Set(existingIds)
  let defaults = 0
  for (const [index, { UnitID, Name, Default }] of units.entries()) {
    if (UnitID !== undefined && !free.delete(UnitID))
      at(index, 'UnitID', 'must be a unit that the product sells, and only once')
    const name = keyOf(Name)
    if (names.has(name))
      at(
        index,
        'Name',
        `is already the Name of Units[${names.get(name)}] (upper and lower case count as the same)`,
      )
    else names.set(name, index)
    if (Default && ++defaults > 1) at(index, 'Default', 'must be true of one unit only')
  }
  if (units.length > 0 && defaults === 0)
    errors.push({ field: 'Units', message: 'must have one unit with Default true' })
  if (units.length > 0 && owner.pricedPerBooking)
    errors.push({ field: 'Units', message: 'must be empty for a product that is priced per booking' })
  return [...errors, ...checkAccompaniedBy(units, owner)]
}

/** Checks the rules that concern only one unit. The fields of the errors are relative to the unit. */
function checkUnit(unit: StatedUnit, { currency, maxPlaces }: UnitOwner): FieldError[] {
  const { Name, Price, MinAge = 0, MaxAge = MinAge, MinQuantity = 1, MaxQuantity = MinQuantity } = unit
  const errors: FieldError[] = []
  if (Name.trim() === '') errors.push({ field: 'Name', message: 'must not be blank' })
  const price = checkPrice(Price)
  if (Price.Currency !== currency)
    errors.push({ field: 'Price.Currency', message: `must be the product’s, ${currency}` })
  else if (price) errors.push({ field: `Price.${price.field}`, message: price.message })
  const { places, people } = sizeOf(unit)
  if (unit.Default && places !== 1)
    errors.push({ field: 'Places', message: 'must be 1 for the default unit' })
  if (unit.Default && people !== 1)
    errors.push({ field: 'People', message: 'must be 1 for the default unit' })
  if (MinAge > MaxAge) errors.push({ field: 'MinAge', message: `must not be more than MaxAge, ${MaxAge}` })
  if (MinQuantity > MaxQuantity)
    errors.push({ field: 'MinQuantity', message: `must not be more than MaxQuantity, ${MaxQuantity}` })
  const least = leastOf(unit)
  if (least > maxPlaces) {
    const message = `makes a booking of at least ${least} places; the product’s MaxPlaces is ${maxPlaces}`
    errors.push({ field: unit.MinQuantity === undefined ? 'Places' : 'MinQuantity', message })
  }
  return errors
}

/**
 * Checks `AccompaniedBy` of each unit: it must name other units of the list, each once, and at least one of
 * them must fit into one booking together with the unit.
 */
function checkAccompaniedBy(units: readonly StatedUnit[], { maxPlaces }: UnitOwner): FieldError[] {
  const find = finder(units)
  return units.flatMap((unit, index) => {
    const { AccompaniedBy = [] } = unit
    const errors: FieldError[] = []
    const found = new Set<number>()
    for (const [place, named] of AccompaniedBy.entries()) {
      const other = find(named)
      const field = `Units[${index}].AccompaniedBy[${place}]`
      if (other === null)
        errors.push({ field, message: 'must be the UnitID or the Name of a unit of this list' })
      else if (other === index) errors.push({ field, message: 'must be another unit' })
      else if (found.has(other)) errors.push({ field, message: 'is there already' })
      else found.add(other)
    }
    const least = leastOf(unit)
    const companions = [...found].map((other) => leastOf(units[other]!))
    if (errors.length === 0 && least <= maxPlaces && companions.every((other) => least + other > maxPlaces)) {
      if (companions.length === 0) return []
      const message = `cannot be met: a booking with this unit and any of these units takes more places than the product’s MaxPlaces, ${maxPlaces}`
      errors.push({ field: `Units[${index}].AccompaniedBy`, message })
    }
    return errors
  })
}

/**
 * Returns a function that finds a unit of the list by its id (0 is the default unit) or its name, and returns
 * its position; null if there is no such unit.
 */
function finder(units: readonly StatedUnit[]): (named: number | string) => number | null {
  const ids = new Map(units.map(({ UnitID }, index) => [UnitID, index]))
  const names = new Map(units.map(({ Name }, index) => [keyOf(Name), index]))
  const byDefault = units.findIndex(({ Default }) => Default)
  return (named) => {
    if (typeof named === 'string') return names.get(keyOf(named)) ?? null
    if (named === 0) return byDefault < 0 ? null : byDefault
    return ids.get(named) ?? null
  }
}

/** Names are compared without regard to case. */
export function keyOf(name: string): string {
  return name.toLowerCase()
}

function sizeOf({ Places = 1, People = 1 }: StatedUnit) {
  return { places: Places, people: People }
}

function leastOf(unit: StatedUnit): number {
  return leastPlaces({ places: sizeOf(unit).places, minQuantity: unit.MinQuantity ?? null })
}

/** Converts a list of units for the database. checkUnits() must have found no errors in the list. */
export function toDrafts(units: readonly StatedUnit[]): UnitDraft[] {
  const find = finder(units)
  return units.map((unit) => ({
    id: unit.UnitID ?? null,
    name: unit.Name,
    type: unit.Type,
    priceMinor: toMinorUnits(unit.Price.Amount, unit.Price.Currency)!,
    currency: unit.Price.Currency,
    ...sizeOf(unit),
    minAge: unit.MinAge ?? null,
    maxAge: unit.MaxAge ?? null,
    minQuantity: unit.MinQuantity ?? null,
    maxQuantity: unit.MaxQuantity ?? null,
    accompaniedBy: (unit.AccompaniedBy ?? []).map((named) => find(named)!),
    isDefault: unit.Default ?? false,
  }))
}
