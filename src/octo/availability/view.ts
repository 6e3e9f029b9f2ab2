/** Timeslots as OCTO writes them, in availability and in bookings. Pure. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import type { PriceList } from '../../inventory/price-list.ts'
import { withOffset } from '../../platform/text/local-time.ts'
import { implicitUnit } from '../../sales/booking/pricing.ts'
import type { Capabilities } from '../capabilities.ts'
import { toAvailabilityId, toOctoUnitId, toUtc } from '../model.ts'
import { type OctoPricing, type OctoUnitPricing, pricingOfBought } from '../pricing.ts'
import type { OctoProduct } from '../products/queries.ts'
import { priceListOf, priceOfUnit, unitLimits } from '../products/view.ts'
import { quoteOf, type RequestedUnit, vacanciesOf } from './model.ts'
import type { OctoSlot } from './queries.ts'
import type { OctoAvailability } from './schemas.ts'

/** @param asked the units of the request; empty if it names none. */
export function availabilityView(
  product: OctoProduct,
  slot: OctoSlot,
  { content, pricing }: Capabilities,
  asked: readonly RequestedUnit[] = [],
): OctoAvailability {
  const list = priceListOf(product, slot)
  const { status, available, vacancies } = vacanciesOf(slot, list, asked)
  const start = toAvailabilityId(slot)
  return {
    id: start,
    localDateTimeStart: start,
    localDateTimeEnd: withOffset(slot.endsAt, slot.localEnd),
    utcCutoffAt: toUtc(slot.saleEndsAt),
    allDay: slot.openingHours !== null,
    available,
    status,
    vacancies,
    capacity: slot.capacity,
    maxUnits: unitLimits(product).maxUnits,
    openingHours: hoursView(slot.openingHours),
    ...(pricing && {
      unitPricing: unitPricesOf(product, list),
      pricing: totalPriceOf(product, list, asked),
    }),
    ...(content && { title: null, shortDescription: '' }),
  }
}

export function hoursView(periods: readonly OpeningPeriod[] | null): OctoAvailability['openingHours'] {
  return (periods ?? []).map(({ opens, closes }) => ({ from: opens, to: closes }))
}

/** The price of each unit; empty if the price is for a whole booking. */
export function unitPricesOf(product: OctoProduct, list: PriceList): OctoUnitPricing[] {
  if (list.pricedPerBooking) return []
  return (list.units ?? [implicitUnit(list.priceMinor)]).map((unit) => {
    return { unitId: toOctoUnitId(unit.id), ...priceOfUnit(product, unit) }
  })
}

/** The total price of the requested units; without units, the price of one default unit or of a booking. */
export function totalPriceOf(
  product: OctoProduct,
  list: PriceList,
  asked: readonly RequestedUnit[],
): OctoPricing {
  const one = [{ id: list.defaultUnitId ?? 0, quantity: 1 }]
  return pricingOfBought(quoteOf(list, asked.length > 0 ? asked : one, product.terms))
}
