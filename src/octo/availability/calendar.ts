/** Computes the entries of OCTO's calendar from the timeslots of each day. Pure. */
import type { Capabilities } from '../capabilities.ts'
import type { OctoPricing, OctoUnitPricing } from '../pricing.ts'
import type { OctoProduct } from '../products/queries.ts'
import { priceListOf } from '../products/view.ts'
import { type RequestedUnit, type SlotStatus, vacanciesOf } from './model.ts'
import type { OctoSlot } from './queries.ts'
import type { OctoCalendarDay } from './schemas.ts'
import { hoursView, totalPriceOf, unitPricesOf } from './view.ts'

// From the best to the worst. A day has the best status of its timeslots that can be booked, or of all if
// none can be booked.
const statuses: SlotStatus[] = ['AVAILABLE', 'LIMITED', 'SOLD_OUT', 'CLOSED']
// For products with opening hours, resellers treat a day without hours as an error.
const noHours = [{ from: '00:00', to: '00:00' }]

/**
 * Returns the calendar entry of a day. `slots` are its timeslots in the order of their starts. A day without
 * timeslots is CLOSED.
 */
export function calendarDay(
  product: OctoProduct,
  { date, slots }: { date: string; slots: readonly OctoSlot[] },
  { pricing }: Capabilities,
  asked: readonly RequestedUnit[],
): OctoCalendarDay {
  const slotStates = slots.map((slot) => {
    const list = priceListOf(product, slot)
    return { slot, list, ...vacanciesOf(slot, list, asked) }
  })
  const bookable = slotStates.filter(({ available }) => available)
  const shown = bookable.length > 0 ? bookable : slotStates
  const hours = hoursOf(shown.map(({ slot }) => slot))
  const lists = shown.map(({ list }) => list)
  if (lists.length === 0)
    lists.push(priceListOf(product, { priceMinor: product.priceMinor, ownPrices: null }))
  return {
    localDate: date,
    available: bookable.length > 0,
    status: statuses.find((status) => shown.some((one) => one.status === status)) ?? 'CLOSED',
    vacancies: Math.max(0, ...slotStates.map(({ vacancies }) => vacancies)),
    capacity: slots.reduce((sum, { capacity }) => sum + capacity, 0),
    openingHours: hours.length === 0 && product.isAllDay ? noHours : hours,
    ...(pricing && {
      unitPricingFrom: lowestOfEach(lists.map((list) => unitPricesOf(product, list))),
      pricingFrom: lowest(lists.map((list) => totalPriceOf(product, list, asked))),
    }),
  }
}

/** The opening hours of these timeslots without duplicates, by opening time. */
function hoursOf(slots: readonly OctoSlot[]) {
  const periods = slots.flatMap(({ openingHours }) => hoursView(openingHours))
  const distinct = new Map(periods.map((period) => [`${period.from} ${period.to}`, period]))
  return [...distinct.values()].sort((one, other) => one.from.localeCompare(other.from))
}

function lowest<Priced extends OctoPricing>(prices: readonly Priced[]): Priced {
  return prices.reduce((least, price) => (price.retail < least.retail ? price : least))
}

/** The lowest price of each unit in several price lists of the same units. */
function lowestOfEach(lists: readonly OctoUnitPricing[][]): OctoUnitPricing[] {
  return lists[0]!.map((_, unit) => lowest(lists.map((list) => list[unit]!)))
}
