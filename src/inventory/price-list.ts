/** What a timeslot sells, and at which price: the units of its product, and the rules for a booking. */

/** A unit as a timeslot sells it. */
export type ListedUnit = {
  id: number
  name: string
  type: string
  /** The price on this timeslot. */
  priceMinor: number
  /** How many places of the timeslot one takes; may be 0. */
  places: number
  people: number
  minQuantity: number | null
  maxQuantity: number | null
  /** Units of which at least one must be in the same booking; empty where it may come alone. */
  accompaniedBy: number[]
}

export type PriceList = {
  productId: number
  currency: string
  /** The price of the default unit on this timeslot, or of a whole booking where it is priced so. */
  priceMinor: number
  /** In the operator's order; null for a product without units, which sells places to people. */
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
  /** Whether a partner has terms for the product. */
  hasPartnerTerms: boolean
}

/** A unit as a page shows it to people. */
export type ShownUnit = ListedUnit & { minAge: number | null; maxAge: number | null }

/** What a timeslot sells, as a page shows it. */
export type ShownPriceList = Omit<PriceList, 'units'> & { units: ShownUnit[] | null }

/** The `UnitID` of a request for the default unit, and for what a product without units sells. */
export const defaultUnitAlias = 0
