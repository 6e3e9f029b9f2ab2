/** The prices of timeslots in words. Pure. */
import type { ShownPriceList, ShownUnit } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import { peopleText } from '../../sales/booking/bought-view.ts'

/** Whether all of these timeslots of a product have the same prices. */
export function hasOnePrice(lists: readonly ShownPriceList[]): boolean {
  const pricesOf = ({ priceMinor, units }: ShownPriceList) =>
    [priceMinor, ...(units ?? []).map((unit) => unit.priceMinor)].join(' ')
  return new Set(lists.map(pricesOf)).size <= 1
}

/** The prices of a timeslot: `Adult €45.00, Child €25.00`. */
export function pricesText(t: Texts, { units, priceMinor, currency }: ShownPriceList): string {
  if (!units) return t.amount(priceMinor, currency)
  return units.map((unit) => `${unit.name} ${t.amount(unit.priceMinor, currency)}`).join(', ')
}

/** The price of a product without units, and for how many people. */
export function priceLine(t: Texts, list: ShownPriceList, offered: readonly ShownPriceList[]): string {
  const { pricedPerBooking, takesTimeslot, minPlaces, maxPlaces, currency } = list
  const price = rangeText(
    t,
    offered.map(({ priceMinor }) => priceMinor),
    currency,
  )
  if (!pricedPerBooking) return `${price} for each person`
  const most =
    maxPlaces === 999
      ? ''
      : `, for ${minPlaces > 1 ? `${minPlaces} to ` : 'up to '}${peopleText(maxPlaces, t.number)}`
  return `${price} for the whole booking${most}.${takesTimeslot ? ' It takes the whole timeslot.' : ''}`
}

/** The price of a unit on these timeslots. */
export function unitPriceText(t: Texts, { id }: ShownUnit, offered: readonly ShownPriceList[]): string {
  const prices = offered.flatMap(({ units }) => units?.find((unit) => unit.id === id)?.priceMinor ?? [])
  return rangeText(t, prices, offered[0]!.currency)
}

function rangeText(t: Texts, minors: readonly number[], currency: string): string {
  const [least, most] = [Math.min(...minors), Math.max(...minors)]
  const from = t.amount(least, currency)
  return least === most ? from : `${from} to ${t.amount(most, currency)}`
}
