/** Prices a party by a price list: places, units and prices, or the errors of the party. Pure. */
import { defaultUnitAlias, type ListedUnit, type PriceList } from '../../inventory/price-list.ts'
import { type Bought, type BoughtUnit, placesOfWhole } from '../../inventory/service.ts'
import type { FieldError } from '../../platform/schema/validation.ts'

/** A requested party: a number of people, units, or both, which must then agree. */
export type Party = {
  participants: number | null
  units: readonly { UnitID: number; Quantity: number }[] | null
}

/** Reads the party from the fields of a request. */
export function toParty({ Participants, Units }: PartyRequest): Party {
  return { participants: Participants ?? null, units: Units ?? null }
}

export type PartyRequest = {
  Participants?: number | undefined
  Units?: { UnitID: number; Quantity: number }[] | undefined
}

/**
 * Estimates the places of a party without the price list: one for each person, or for each unit if no people are
 * given.
 */
export function estimatePlaces({ participants, units }: Party): PlacesWanted {
  const count = units?.reduce((sum, { Quantity }) => sum + Quantity, 0)
  return { places: participants ?? count ?? 0, whole: false }
}

/** How many places must be free. `whole`: the timeslot must also have no bookings and no holds. */
export type PlacesWanted = { places: number; whole: boolean }

/**
 * The places that must be free for a party. For a product sold by whole timeslots, as many as there are
 * people.
 */
export function placesWanted({ places, participants, takesTimeslot: whole }: Bought): PlacesWanted {
  return { places: whole ? participants : places, whole }
}

export type PricedParty = { bought: Bought; errors?: never } | { bought?: never; errors: FieldError[] }

/** A unit of the price list, its quantity, and the request's field to name in errors. */
type PickedUnit = { unit: ListedUnit; quantity: number; field: string }

export const maxPeople = 999

/**
 * A price list, with the number of free places if it is known. If a party is above `maxPlaces`, the error
 * names `maxPlaces`. It names `free` instead if that is smaller, unless the product is priced per booking or
 * sold by whole timeslots. A party that exceeds only `free` causes no error here.
 */
type SellingList = PriceList & { free?: number }

/**
 * Prices a party on a timeslot of this capacity.
 * @param path the prefix of field names: `Lines[0].`, or empty.
 * @param sell splits a quantity of a unit into rows with their prices. Without `sell`, the whole quantity has the
 *   price of the list.
 */
export function priceParty(
  party: Party,
  list: SellingList,
  capacity: number,
  path = '',
  sell = (wanted: BoughtUnit) => [wanted],
): PricedParty {
  const { picks, errors } = pickUnits(party, list, path)
  if (errors.length > 0) return { errors }
  const sold = picks.flatMap((pick) => sell(toBoughtUnit(pick)))
  const bought = boughtOf(sold, list)
  const { participants, places } = bought
  const broken = [
    ...picks.flatMap((pick) => checkPick(pick, picks, list)),
    ...checkSize(party, { participants, places }, list, path),
  ]
  if (broken.length > 0) return { errors: broken }
  if (list.takesTimeslot) bought.places = placesOfWhole(capacity, participants)
  return { bought }
}

/**
 * Adds up the places and people of units, without checking the rules of the product. `places` is the sum of
 * the units even if the product is sold by whole timeslots.
 */
export function boughtOf(sold: BoughtUnit[], list: PriceList): Bought {
  const units = list.units && sold
  return {
    places: sum(sold, (unit) => unit.places * unit.quantity),
    participants: sum(sold, ({ people, quantity }) => people * quantity),
    units,
    unitPriceMinor: units?.[0]?.priceMinor ?? list.priceMinor,
    currency: list.currency,
    pricedPerBooking: list.pricedPerBooking,
    takesTimeslot: list.takesTimeslot,
    discountMinor: '0',
    commissionBp: null,
    netMinor: null,
  }
}

/** The name and the type of the unit of a product without units. */
export const person = { name: 'Person', type: 'PERSON' } as const

/** The unit of a product without units. */
export function implicitUnit(priceMinor: number): ListedUnit {
  return {
    ...{ id: defaultUnitAlias, ...person, priceMinor, places: 1, people: 1 },
    ...{ minQuantity: null, maxQuantity: null, accompaniedBy: [] },
  }
}

/** The unit that a request names; undefined if the list has none with this id. */
export function findUnit(list: PriceList, id: number): ListedUnit | undefined {
  if (!list.units) return id === defaultUnitAlias ? implicitUnit(list.priceMinor) : undefined
  const wanted = id === defaultUnitAlias ? list.defaultUnitId : id
  return list.units.find((unit) => unit.id === wanted)
}

function pickUnits({ participants, units }: Party, list: PriceList, path: string) {
  if (!units) {
    const unit = findUnit(list, defaultUnitAlias)!
    return { picks: [{ unit, quantity: participants!, field: `${path}Participants` }], errors: [] }
  }
  const picks: PickedUnit[] = []
  const errors = units.flatMap(({ UnitID, Quantity }, index): FieldError[] => {
    const field = `${path}Units[${index}]`
    const unit = findUnit(list, UnitID)
    if (!unit) return [{ field: `${field}.UnitID`, message: 'is not a unit of this product' }]
    if (picks.some((pick) => pick.unit.id === unit.id))
      return [{ field: `${field}.UnitID`, message: `names ${unit.name} for the second time` }]
    picks.push({ unit, quantity: Quantity, field: `${field}.Quantity` })
    return []
  })
  return { picks, errors }
}

/** Checks the rules of one unit. */
function checkPick(
  { unit, quantity, field }: PickedUnit,
  picks: readonly PickedUnit[],
  { units }: PriceList,
): FieldError[] {
  const { name, minQuantity, maxQuantity, accompaniedBy } = unit
  const errors: FieldError[] = []
  if (minQuantity !== null && quantity < minQuantity)
    errors.push({ field, message: `must be at least ${minQuantity} for ${name}` })
  if (maxQuantity !== null && quantity > maxQuantity)
    errors.push({ field, message: `must be at most ${maxQuantity} for ${name}` })
  if (accompaniedBy.length > 0 && !picks.some((pick) => accompaniedBy.includes(pick.unit.id))) {
    const companions = units?.filter(({ id }) => accompaniedBy.includes(id)).map((other) => other.name) ?? []
    errors.push({ field, message: `${name} must be accompanied by ${companions.join(' or ')}` })
  }
  return errors
}

/** Checks the rules of a product, and whether the number of people agrees with the units. */
function checkSize(
  { participants, units }: Party,
  sums: { participants: number; places: number },
  { minPlaces, maxPlaces, pricedPerBooking, takesTimeslot, free = maxPlaces }: SellingList,
  path: string,
): FieldError[] {
  const field = `${path}${units ? 'Units' : 'Participants'}`
  const errors: FieldError[] = []
  if (units && participants !== null && participants !== sums.participants)
    errors.push({
      field: `${path}Participants`,
      message: `must be ${sums.participants}, the number of people in Units`,
    })
  if (sums.participants > maxPeople)
    errors.push({ field, message: `must be at most ${maxPeople} people in all` })
  const count = pricedPerBooking ? sums.participants : sums.places
  const [one, several] = pricedPerBooking ? ['person', 'people'] : ['place', 'places']
  const nounOf = (number: number) => (number === 1 ? one : several)
  if (sums.places < 1) errors.push({ field, message: 'must take at least 1 place' })
  else if (count < minPlaces)
    errors.push({ field, message: `must be at least ${minPlaces} ${nounOf(minPlaces)} in all` })
  const isShort = free < maxPlaces && !pricedPerBooking && !takesTimeslot
  const most = isShort ? tooFewFree(free) : `must be at most ${maxPlaces} ${nounOf(maxPlaces)} in all`
  if (count > maxPlaces) errors.push({ field, message: most })
  return errors
}

/** The error of a party that needs more places than are free. */
export function tooFewFree(free: number): string {
  if (free <= 0) return 'cannot be booked: no places are free'
  const words = free === 1 ? '1 place' : `${free} places`
  return `must be at most ${words} in all, because only ${words} ${free === 1 ? 'is' : 'are'} free`
}

/** A quantity of a unit at its current price. */
export function toBoughtUnit({ unit, quantity }: { unit: ListedUnit; quantity: number }): BoughtUnit {
  const { id, name, type, priceMinor, places, people } = unit
  return { id, name, type, quantity, priceMinor, places, people }
}

function sum<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((total, item) => total + read(item), 0)
}
