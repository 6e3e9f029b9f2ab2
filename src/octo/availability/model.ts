/** Pure rules of OCTO's availability: the units that a request asks for, and the status of a timeslot for them. */
import type { Bought } from '../../inventory/bought.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import { sellUnder } from '../../inventory/partner-terms.ts'
import type { PriceList } from '../../inventory/price-list.ts'
import {
  boughtOf,
  findUnit,
  type Party,
  type PlacesWanted,
  placesWanted,
  priceParty,
  toBoughtUnit,
} from '../../sales/booking/pricing.ts'
import { octoErrors } from '../errors.ts'
import { parseUnitId } from '../model.ts'
import type { OctoProduct } from '../products/queries.ts'
import type { OctoSlot } from './queries.ts'

/** A unit that a request asks for, by its id in the catalogue, and its quantity. */
export type RequestedUnit = { id: number; quantity: number }

/**
 * The units that a request asks for. If it names a unit twice, the quantities are added. Units with the
 * quantity 0 are left out.
 * @throws Problem for a unitId that the product does not have.
 */
export function toAskedUnits(
  { units }: Pick<OctoProduct, 'units'>,
  asked: readonly { id: string; quantity: number }[] = [],
): RequestedUnit[] {
  const quantities = new Map<number, number>()
  for (const { id: unitId, quantity } of asked) {
    const id = parseUnitId(unitId, units)
    if (id === null) throw octoErrors.invalidUnitId(unitId)
    quantities.set(id, (quantities.get(id) ?? 0) + quantity)
  }
  return [...quantities].flatMap(([id, quantity]) => (quantity > 0 ? [{ id, quantity }] : []))
}

export type SlotStatus = 'AVAILABLE' | 'LIMITED' | 'SOLD_OUT' | 'CLOSED'

type SlotVacancies = { status: SlotStatus; available: boolean; vacancies: number }

/**
 * The status of a timeslot for the requested units. If the request names no units, or if the product does not
 * allow the party, the status depends only on the free places and on whether the timeslot is on sale. If the
 * product does not allow the party, `available` is false.
 */
export function vacanciesOf(slot: OctoSlot, list: PriceList, asked: readonly RequestedUnit[]): SlotVacancies {
  const free = freeForSale(slot, list)
  if (!slot.isOnSale) return { status: 'CLOSED', available: false, vacancies: 0 }
  if (free === 0) return { status: 'SOLD_OUT', available: false, vacancies: 0 }
  const status = 2 * free < slot.capacity ? 'LIMITED' : 'AVAILABLE'
  if (asked.length === 0) return { status, available: true, vacancies: free }
  const { bought } = priceParty(toAskedParty(asked), list, slot.capacity)
  if (!bought) return { status, available: false, vacancies: free }
  const fits = isRoomFor(slot, placesWanted(bought))
  return { status: fits ? status : 'SOLD_OUT', available: fits, vacancies: free }
}

/** The places that can be sold. For a product that is sold by whole timeslots: all, or none. */
function freeForSale(slot: OctoSlot, { takesTimeslot }: PriceList): number {
  if (takesTimeslot && slot.booked + slot.held > 0) return 0
  return freeOf(slot)
}

function isRoomFor(slot: OctoSlot, { places, whole }: PlacesWanted): boolean {
  return places <= freeOf(slot) && !(whole && slot.booked + slot.held > 0)
}

function toAskedParty(asked: readonly RequestedUnit[]): Party {
  return { participants: null, units: asked.map(({ id, quantity }) => ({ UnitID: id, Quantity: quantity })) }
}

/** The units and prices of a booking of these units. Does not check whether the product allows the booking. */
export function quoteOf(
  list: PriceList,
  asked: readonly RequestedUnit[],
  terms: OctoProduct['terms'],
): Bought {
  const units = asked.map(({ id, quantity }) => toBoughtUnit({ unit: findUnit(list, id)!, quantity }))
  return sellUnder(boughtOf(units, list), terms, list)
}
