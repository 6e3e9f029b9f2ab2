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
  /** The unit bought by a number of participants; null without units. */
  defaultUnitId: number | null
  minPlaces: number
  maxPlaces: number
  pricedPerBooking: boolean
  takesTimeslot: boolean
  /** Whether a partner has terms for the product. */
  hasPartnerTerms: boolean
}

/** A unit as a page shows it to people. */
export type ShownUnit = ListedUnit & { minAge: number | null; maxAge: number | null }

/** What a timeslot sells, as a page shows it. */
export type ShownPriceList = Omit<PriceList, 'units'> & { units: ShownUnit[] | null }

/** The id with which a request names the default unit, also for a product without units. */
export const defaultUnit = 0
