/** The price list of a timeslot: the units of its product with their prices, and the rules for a booking. */

/** A unit as a timeslot sells it. */
export type ListedUnit = {
  id: number
  name: string
  type: string
  /** The price on this timeslot. */
  priceMinor: number
  /** How many places of the timeslot one ticket takes; may be 0. */
  places: number
  /** How many people one ticket admits. */
  people: number
  minQuantity: number | null
  maxQuantity: number | null
  /** The ids of units. At least one of these units must be in the same booking, unless the list is empty. */
  accompaniedBy: number[]
}

export type PriceList = {
  productId: number
  currency: string
  /** The price on this timeslot: of the default unit or, without units, of one person or a whole booking. */
  priceMinor: number
  /** The units in the operator's order; null for a product without units, which sells places. */
  units: ListedUnit[] | null
  /** The unit that a request with only a number of participants buys; null without units. */
  defaultUnitId: number | null
  /** The fewest places of a booking; the fewest people if `pricedPerBooking`. */
  minPlaces: number
  /** The most places of a booking; the most people if `pricedPerBooking`. */
  maxPlaces: number
  pricedPerBooking: boolean
  /** Whether a booking takes the whole timeslot. */
  takesTimeslot: boolean
  /** Whether any partner has terms for the product or for all products. */
  hasPartnerTerms: boolean
}

/** A unit as a page shows it to people. */
export type ShownUnit = ListedUnit & { minAge: number | null; maxAge: number | null }

/** A price list with the ages of each unit, as a page shows it. */
export type ShownPriceList = Omit<PriceList, 'units'> & { units: ShownUnit[] | null }

/** The `UnitID` that means the default unit of a product, or a place of a product without units. */
export const defaultUnitAlias = 0
