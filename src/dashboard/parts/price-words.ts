/** The prices of timeslots in words. Pure. */
import type { ShownPriceList, ShownUnit } from '../../inventory/price-list.ts'
import { peopleText } from '../../sales/booking/bought-view.ts'
import type { Formats } from '../frame/formats.ts'

/** Whether all of these timeslots of a product have the same prices. */
export function hasOnePrice(lists: readonly ShownPriceList[]): boolean {
  const pricesOf = ({ priceMinor, units }: ShownPriceList) =>
    [priceMinor, ...(units ?? []).map((unit) => unit.priceMinor)].join(' ')
  return new Set(lists.map(pricesOf)).size <= 1
}

/** The prices of a timeslot: `Adult €45.00, Child €25.00`. */
export function pricesText(formats: Formats, { units, priceMinor, currency }: ShownPriceList): string {
  if (!units) return formats.money(priceMinor, currency)
  return units.map((unit) => `${unit.name} ${formats.money(unit.priceMinor, currency)}`).join(', ')
}

/** The price of a product without units, and for how many people. */
export function priceLine(
  formats: Formats,
  list: ShownPriceList,
  offered: readonly ShownPriceList[],
): string {
  const { pricedPerBooking, takesTimeslot, minPlaces, maxPlaces, currency } = list
  const price = rangeText(
    formats,
    offered.map(({ priceMinor }) => priceMinor),
    currency,
  )
  if (!pricedPerBooking) return `${price} for each person`
  const most =
    maxPlaces === 999
      ? ''
      : `, for ${minPlaces > 1 ? `${minPlaces} to ` : 'up to '}${peopleText(maxPlaces, formats.number)}`
  return `${price} for the whole booking${most}.${takesTimeslot ? ' It takes the whole timeslot.' : ''}`
}

/** The price of a unit on these timeslots. */
export function unitPriceText(
  formats: Formats,
  { id }: ShownUnit,
  offered: readonly ShownPriceList[],
): string {
  const prices = offered.flatMap(({ units }) => units?.find((unit) => unit.id === id)?.priceMinor ?? [])
  return rangeText(formats, prices, offered[0]!.currency)
}

function rangeText(formats: Formats, minors: readonly number[], currency: string): string {
  const [least, most] = [Math.min(...minors), Math.max(...minors)]
  const from = formats.money(least, currency)
  return least === most ? from : `${from} to ${formats.money(most, currency)}`
}
