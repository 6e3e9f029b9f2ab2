/** The prices of timeslots in words. Pure. */
import type { ShownPriceList, ShownUnit } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'

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

/**
 * The price of a product without units: for each person, or for the whole booking with its number of people,
 * if that is limited.
 * @param offered the price lists of the shown timeslots, whose prices may differ.
 */
export function priceLine(t: Texts, list: ShownPriceList, offered: readonly ShownPriceList[]): string {
  const { pricedPerBooking, takesTimeslot, minPlaces, maxPlaces, currency } = list
  const price = rangeText(
    t,
    offered.map(({ priceMinor }) => priceMinor),
    currency,
  )
  if (!pricedPerBooking) return t.say('price.each', { price })
  const people = t.people(maxPlaces)
  const whole =
    maxPlaces === 999
      ? t.say('price.whole', { price })
      : minPlaces > 1
        ? t.say('price.whole.range', { price, min: minPlaces, people })
        : t.say('price.whole.up-to', { price, people })
  return takesTimeslot ? `${whole} ${t.say('price.takes-all')}` : whole
}

/** The price of a unit on these timeslots. */
export function unitPriceText(t: Texts, { id }: ShownUnit, offered: readonly ShownPriceList[]): string {
  const prices = offered.flatMap(({ units }) => units?.find((unit) => unit.id === id)?.priceMinor ?? [])
  return rangeText(t, prices, offered[0]!.currency)
}

function rangeText(t: Texts, minors: readonly number[], currency: string): string {
  const [least, most] = [Math.min(...minors), Math.max(...minors)]
  const from = t.amount(least, currency)
  return least === most ? from : t.say('price.range', { from, to: t.amount(most, currency) })
}
