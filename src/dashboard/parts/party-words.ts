/** A party and its price in words. Pure. */

import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import { partyWords } from '../../sales/booking/bought-view.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { hasUnits, minorOf, reductionOf } from '../../sales/booking/price-facts.ts'

/** The party of a booking or of a line of a basket. */
type DescribedParty = Pick<BookingRecord, 'Participants' | 'Units'>
type DescribedSale = DescribedParty & Pick<BookingRecord, 'UnitPrice' | 'Total'>
type ReducedSale = DescribedSale & Pick<BookingRecord, 'Reduction'>

/** The party in words, from partyWords(), with numbers in the language of the page. */
export function partyText({ people }: Texts, party: DescribedParty): string {
  return partyWords(party, people)
}

/**
 * The price of each unit: `2 × Adult at €45.00`, or `2 × €45.00` for a product without units. If the price is
 * for the whole booking, the units have no prices: `2 × Adult`. Without units, the text is the price of the
 * whole booking.
 */
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

/**
 * The reductions of a booking as rows of a label and an amount: a row for the promotion code, and a row for
 * the reduction at the till.
 */
export function reductionRows(t: Texts, booking: ReducedSale, code: string | null): [string, string][] {
  const { ofCode, ofTill } = reductionParts(t, booking, code)
  const rows: [string, string][] = []
  if (ofCode !== null) rows.push([t.say('reduction.code', { code: code! }), ofCode])
  if (ofTill !== null)
    rows.push([t.say('reduction.reduced'), [ofTill, booking.Reduction?.Reason].filter(Boolean).join(': ')])
  return rows
}

/**
 * The amounts by which the promotion code and the till reduced a price; null for no reduction. If `code` is
 * null, `ofTill` is the whole reduction, even if a promotion gave a part of it.
 */
export function reductionParts(t: Texts, { Reduction, ...sale }: ReducedSale, code: string | null) {
  const all = reductionOf(sale)
  const requestedMinor = Reduction ? minorOf(Reduction) : 0n
  const tillMinor = code === null || requestedMinor > all ? all : requestedMinor
  const text = (minor: bigint) => (minor > 0n ? t.amount(Number(minor), sale.UnitPrice.Currency) : null)
  return { ofCode: text(all - tillMinor), ofTill: text(tillMinor) }
}

/**
 * An amount of the API in the reader's language. It may be below 0. An amount from a payment provider may
 * have more decimals than its currency. All of them are shown.
 */
export function money(t: Texts, price: Price): string {
  return t.money(price).replace('-', '−')
}

/** The total of a booking; empty if unknown. */
export function totalText(t: Texts, { Total }: Pick<BookingRecord, 'Total'>): string {
  return Total ? money(t, Total) : ''
}
