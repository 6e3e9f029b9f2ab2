/** What a booking costs on the timeslot that it is moved to, at the prices of today. Pure. */
import { defaultUnit, type PriceList } from '../../../inventory/price-list.ts'
import type { Bought } from '../../../inventory/service.ts'
import type { FieldError } from '../../../platform/schema/validation.ts'
import { findUnit, type Party, type PricedParty, priceParty } from '../pricing.ts'
import { reduced } from './repricing.ts'

/** The price of a booking that is moved: that at which it was sold, or what its new timeslot sells for today. */
export const movePrices = ['kept', 'current'] as const
export type MovePrice = (typeof movePrices)[number]

/**
 * Prices a booking as a timeslot of this price list sells today. What was taken off its price stays taken off, up to the new
 * price.
 * @param party null where it stays who it is: the same units, or the same number of people where the booking or the
 *   timeslot has no units.
 */
export function priceAnew(sold: Bought, party: Party | null, list: PriceList, capacity: number): PricedParty {
  if (sold.currency !== list.currency)
    return keptOnly(`the booking was sold in ${sold.currency}, and this timeslot sells in ${list.currency}`)
  if (sold.takesTimeslot && !list.takesTimeslot)
    return keptOnly('the booking has a whole timeslot to itself, and this one sells single places')
  const asked = party ?? standingParty(sold, list)
  const missing = party ? [] : unitsNotSold(sold, list)
  if (missing.length > 0) {
    const message = `must say who comes: this timeslot does not sell ${missing.join(' or ')}`
    return { errors: [{ field: 'Units', message }] }
  }
  const { bought, errors } = priceParty(asked, list, capacity)
  if (bought) return { bought: reduced(bought, sold) }
  return { errors: party ? errors : errors.map(({ message }) => ofPrice(`this party ${message}`)) }
}

function keptOnly(why: string): PricedParty {
  return { errors: [ofPrice(why)] }
}

function ofPrice(why: string): FieldError {
  return { field: 'Price', message: `must be kept: ${why}` }
}

function standingParty({ participants, units }: Bought, list: PriceList): Party {
  if (!units || !list.units) return { participants, units: null }
  const counts = new Map<number, number>()
  for (const { id, quantity } of units) {
    const sameId = id === defaultUnit ? list.defaultUnitId! : id
    counts.set(sameId, (counts.get(sameId) ?? 0) + quantity)
  }
  return { participants: null, units: [...counts].map(([UnitID, Quantity]) => ({ UnitID, Quantity })) }
}

function unitsNotSold({ units }: Bought, list: PriceList): string[] {
  if (!units || !list.units) return []
  return [...new Set(units.filter(({ id }) => !findUnit(list, id)).map(({ name }) => name))]
}
