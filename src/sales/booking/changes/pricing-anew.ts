/** Prices a booking on its new timeslot, at today's prices. Pure. */
import type { ListedUnit, PriceList } from '../../../inventory/price-list.ts'
import type { Bought, BoughtUnit } from '../../../inventory/service.ts'
import type { FieldError } from '../../../platform/schema/validation.ts'
import { findUnit, type Party, type PricedParty, priceParty } from '../pricing.ts'
import { type RepricedOn, reduced } from './repricing.ts'

/** The price of a moved booking: its own price, or today's price of the new timeslot. */
export const movePrices = ['kept', 'current'] as const
export type MovePrice = (typeof movePrices)[number]

/**
 * Prices a booking by the price list of a timeslot. A percentage in `taken` is applied to the new price. Any other
 * reduction keeps its amount, but is at most the new price.
 * @param party null keeps the party: the same units on the same product, and the units with the same names on another
 *   product. If the booking or the timeslot has no units, the number of people stays.
 * @param taken the result of findTakenOff() for the booking.
 */
export function priceAnew(
  sold: Bought,
  party: Party | null,
  list: PriceList,
  { capacity, ...taken }: Omit<RepricedOn, 'terms'>,
): PricedParty {
  if (sold.currency !== list.currency)
    return onlyAtKeptPrice(
      `the booking was sold in ${sold.currency}, and this timeslot sells in ${list.currency}`,
    )
  if (sold.takesTimeslot && !list.takesTimeslot)
    return onlyAtKeptPrice('the booking has a whole timeslot to itself, and this one sells single places')
  const missing = party ? [] : unitsNotSold(sold, list)
  if (missing.length > 0) {
    const others = list.units!.map(({ name }) => name).join(', ')
    const message = `must be given: this timeslot does not sell ${missing.join(' or ')}, only ${others}`
    return { errors: [{ field: 'Units', message }] }
  }
  const { bought, errors } = priceParty(party ?? existingParty(sold, list), list, capacity)
  if (bought) return { bought: reduced(bought, sold, taken) }
  return { errors: party ? errors : errors.map(({ message }) => priceError(`this party ${message}`)) }
}

function onlyAtKeptPrice(why: string): PricedParty {
  return { errors: [priceError(why)] }
}

function priceError(why: string): FieldError {
  return { field: 'Price', message: `must be kept: ${why}` }
}

/** The party of a booking in units of the price list. The list has all of them: unitsNotSold() is empty. */
function existingParty({ participants, units }: Bought, list: PriceList): Party {
  if (!units || !list.units) return { participants, units: null }
  const counts = new Map<number, number>()
  for (const unit of units) {
    const { id } = findSame(list, unit)!
    counts.set(id, (counts.get(id) ?? 0) + unit.quantity)
  }
  return { participants: null, units: [...counts].map(([UnitID, Quantity]) => ({ UnitID, Quantity })) }
}

/** The names of units of a booking that the timeslot does not sell, neither by id nor by name. */
export function unitsNotSold({ units }: Bought, list: PriceList): string[] {
  if (!units || !list.units) return []
  return [...new Set(units.filter((unit) => !findSame(list, unit)).map(({ name }) => name))]
}

/**
 * The unit of the price list with the same id, or else the one with the same name. If several units have the name
 * in different spellings, only the exact spelling matches.
 */
function findSame(list: PriceList, { id, name }: BoughtUnit): ListedUnit | undefined {
  const named = list.units?.filter((unit) => nameKey(unit.name) === nameKey(name)) ?? []
  return findUnit(list, id) ?? (named.length > 1 ? named.find((unit) => unit.name === name) : named[0])
}

/** A typed `é` may be one character or two, so the name is normalized first. */
function nameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ')
}
