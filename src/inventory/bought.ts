/** The units and people that a booking has bought, and its price. Pure. */

/** A quantity of a unit of a product, with the unit's values at the time of the sale. */
export type BoughtUnit = {
  id: number
  name: string
  type: string
  quantity: number
  /** The price of one ticket. */
  priceMinor: number
  /** The places that one ticket takes. */
  places: number
  /** The people that one ticket admits. */
  people: number
  /** The amount that the partner owes for one ticket, if the unit was sold at net prices. */
  netMinor?: number
}

/** The data that a booking stores about its sale. */
export type Bought = {
  /** How many places of its timeslot it takes. */
  places: number
  /** How many people take part. */
  participants: number
  /**
   * Null for a product without units. A unit that was bought at two prices is listed twice.
   */
  units: BoughtUnit[] | null
  /**
   * The price of the whole booking if `pricedPerBooking`; otherwise of one ticket of the first unit or,
   * without units, of one person.
   */
  unitPriceMinor: number
  currency: string
  /** Whether the unit price is the price of the whole booking. */
  pricedPerBooking: boolean
  /** Whether the booking takes all places of its timeslot, including places added later. */
  takesTimeslot: boolean
  /** The reduction of the price in minor units, as text, because it may exceed the largest safe integer. */
  discountMinor: string
  /**
   * The commission of the partner that sold the booking, in hundredths of a percent; null if there is none.
   */
  commissionBp: number | null
  /**
   * The net price that corresponds to `unitPriceMinor`: of the whole booking, of one ticket of the first
   * unit, or of one person. Null if the booking was not sold at net prices. `units` has the net prices of all
   * units.
   */
  netMinor: number | null
}

/** The price of a booking in minor units, before reductions. */
export function priceOf({ participants, units, unitPriceMinor, pricedPerBooking }: Bought): bigint {
  if (pricedPerBooking) return BigInt(unitPriceMinor)
  if (!units) return BigInt(unitPriceMinor) * BigInt(participants)
  return units.reduce((sum, { priceMinor, quantity }) => sum + BigInt(priceMinor) * BigInt(quantity), 0n)
}

/** The price of a booking in minor units, after the reduction. */
export function totalOf(bought: Bought): bigint {
  return priceOf(bought) - BigInt(bought.discountMinor)
}

/** The Bought fields of a booking. */
export function pickBought(booking: Bought): Bought {
  const { places, participants, units, unitPriceMinor, currency } = booking
  const { pricedPerBooking, takesTimeslot, discountMinor, commissionBp, netMinor } = booking
  return {
    ...{ places, participants, units, unitPriceMinor, currency },
    ...{ pricedPerBooking, takesTimeslot, discountMinor, commissionBp, netMinor },
  }
}

/** The Bought fields of a booking that takes a whole timeslot of this capacity. */
export function onWholeTimeslot(bought: Bought, capacity: number): Bought {
  return { ...pickBought(bought), places: placesOfWhole(capacity, bought.participants), takesTimeslot: true }
}

/**
 * The places that a booking of a whole timeslot takes: the capacity, or the participants if these are more.
 */
export function placesOfWhole(capacity: number, participants: number): number {
  return Math.max(capacity, participants)
}

/** The fields of an event that describe what was bought. */
export function partyDetails({ participants, units }: Bought) {
  return { Participants: participants, ...(units && { Units: countUnits(units) }) }
}

/** How many people a ticket of a unit admits. */
export function peopleOf({ units }: Pick<Bought, 'units'>, unitId: number): number {
  return units?.find(({ id }) => id === unitId)?.people ?? 1
}

/**
 * The quantity of each unit, as in an event. A unit that was bought at two prices is counted once, with the
 * sum.
 */
export function countUnits(units: readonly BoughtUnit[]): { UnitID: number; Quantity: number }[] {
  const counts = new Map<number, number>()
  for (const { id, quantity } of units) counts.set(id, (counts.get(id) ?? 0) + quantity)
  return [...counts].map(([UnitID, Quantity]) => ({ UnitID, Quantity }))
}
