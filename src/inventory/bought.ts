/** What a booking has bought, and what that costs. Pure. */

/** So many of a unit of a product, as the unit was when they were sold. */
export type BoughtUnit = {
  id: number
  name: string
  type: string
  quantity: number
  /** Of one. */
  priceMinor: number
  /** That one takes. */
  places: number
  /** That one is. */
  people: number
  /** What the partner owes for one that it sold at net prices. */
  netMinor?: number
}

/** What a booking keeps of its sale. */
export type Bought = {
  /** How many places of its timeslot it takes. */
  places: number
  /** How many people take part. */
  participants: number
  /** Null for a product without units: each of the people paid the unit price. A unit that was bought at two prices is there twice. */
  units: BoughtUnit[] | null
  /** Of the first unit. */
  unitPriceMinor: number
  currency: string
  /** The unit price is for all of it. */
  pricedPerBooking: boolean
  /** It takes all places of its timeslot, also those that are added. */
  takesTimeslot: boolean
  /** By how much the price was reduced, in digits: it may be more than a number holds exactly. */
  discountMinor: string
  /** The terms that a partner sold it under: a commission in hundredths of a percent, or net prices; or neither. */
  commissionBp: number | null
  /** The net price of the first unit, as the unit price is; those of units are with them. */
  netMinor: number | null
}

/** What a booking costs in minor units, before it was reduced. */
export function priceOf({ participants, units, unitPriceMinor, pricedPerBooking }: Bought): bigint {
  if (pricedPerBooking) return BigInt(unitPriceMinor)
  if (!units) return BigInt(unitPriceMinor) * BigInt(participants)
  return units.reduce((sum, { priceMinor, quantity }) => sum + BigInt(priceMinor) * BigInt(quantity), 0n)
}

/** What a booking costs in minor units. */
export function totalOf(bought: Bought): bigint {
  return priceOf(bought) - BigInt(bought.discountMinor)
}

/** What was bought alone, of a booking. */
export function pickBought(booking: Bought): Bought {
  const { places, participants, units, unitPriceMinor, currency } = booking
  const { pricedPerBooking, takesTimeslot, discountMinor, commissionBp, netMinor } = booking
  return {
    ...{ places, participants, units, unitPriceMinor, currency },
    ...{ pricedPerBooking, takesTimeslot, discountMinor, commissionBp, netMinor },
  }
}

/** The same for all places of a timeslot of this capacity. */
export function onWholeTimeslot(bought: Bought, capacity: number): Bought {
  return { ...pickBought(bought), places: placesOfWhole(capacity, bought.participants), takesTimeslot: true }
}

/** How many places so many people need who take a whole timeslot: more than it has where they do not fit. */
export function placesOfWhole(capacity: number, participants: number): number {
  return Math.max(capacity, participants)
}

/** What an event says of what was bought. */
export function partyDetails({ participants, units }: Bought) {
  return { Participants: participants, ...(units && { Units: countUnits(units) }) }
}

/** How many people a ticket of a unit admits. */
export function peopleOf({ units }: Pick<Bought, 'units'>, unitId: number): number {
  return units?.find(({ id }) => id === unitId)?.people ?? 1
}

/** How many of each unit, for an event. */
export function countUnits(units: readonly BoughtUnit[]): { UnitID: number; Quantity: number }[] {
  const counts = new Map<number, number>()
  for (const { id, quantity } of units) counts.set(id, (counts.get(id) ?? 0) + quantity)
  return [...counts].map(([UnitID, Quantity]) => ({ UnitID, Quantity }))
}
