/** A party and its price in words. Pure. */

import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import { partyWords } from '../../sales/booking/bought-view.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { hasUnits, minorOf, reductionOf } from '../../sales/booking/price-facts.ts'

/** What a booking or a line of a basket has bought. */
type DescribedParty = Pick<BookingRecord, 'Participants' | 'Units'>
type DescribedSale = DescribedParty & Pick<BookingRecord, 'UnitPrice' | 'Total'>

/** The same as `partyWords()`, with numbers in the language of the page. */
export function partyText({ people }: Texts, party: DescribedParty): string {
  return partyWords(party, people)
}

/** The price of each unit: `2 × Adult at €45.00`; `2 × €45.00` for a product without units. */
export function unitPrices(t: Texts, { Units = [], UnitPrice: price }: DescribedSale): string[] {
  if (!hasUnits({ Units })) {
    const [person] = Units
    if (!person?.UnitPrice) return [t.say('price.for-all', { price: money(t, price) })]
    return [`${person.Quantity} × ${money(t, person.UnitPrice)}`]
  }
  return Units.map(({ Name, Quantity, UnitPrice }) =>
    UnitPrice
      ? t.say('price.unit', { count: String(Quantity), unit: Name, price: money(t, UnitPrice) })
      : `${Quantity} × ${Name}`,
  )
}

/** The reduction of a price; null if there was none. */
export function reductionText(t: Texts, party: DescribedSale): string | null {
  const reduction = reductionOf(party)
  return reduction > 0n ? t.amount(Number(reduction), party.UnitPrice.Currency) : null
}

/** The reductions of a booking, by a promotion's code and by the till, each with its name. */
export function reductionRows(t: Texts, booking: BookingRecord, code: string | null): [string, string][] {
  const all = reductionOf(booking)
  const { Reduction, UnitPrice } = booking
  const asked = Reduction ? minorOf(Reduction) : 0n
  const tillMinor = code === null || asked > all ? all : asked
  const text = (minor: bigint) => t.amount(Number(minor), UnitPrice.Currency)
  const rows: [string, string][] = []
  if (all > tillMinor) rows.push([t.say('reduction.code', { code: code! }), text(all - tillMinor)])
  if (tillMinor > 0n)
    rows.push([t.say('reduction.reduced'), [text(tillMinor), Reduction?.Reason].filter(Boolean).join(': ')])
  return rows
}

/** Texts an amount of the wire. */
export function money(t: Texts, price: Price): string {
  return t.amount(Number(minorOf(price)), price.Currency)
}

/** The total of a booking; empty if unknown. */
export function totalText(t: Texts, { Total }: Pick<BookingRecord, 'Total'>): string {
  return Total ? money(t, Total) : ''
}
