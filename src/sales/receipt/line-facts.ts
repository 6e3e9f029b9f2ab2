/** The texts about one line of a receipt, for paper, the receipt's e-mail and the customer's page. Pure. */
import type { Texts } from '../../languages/texts.ts'
import { toMoney } from '../../platform/text/money.ts'
import { partyWords } from '../booking/bought-view.ts'
import { hasUnits, reductionOf } from '../booking/price-facts.ts'
import { startWords } from '../booking/start-words.ts'
import type { Receipt } from './service.ts'

type ReceiptLine = Receipt['lines'][number]

export type LineFacts = {
  product: string
  when: string
  party: string
  /** The price of each unit and, if the line was reduced, the amount of the reduction. */
  prices: string[]
  /** The texts of `prices`, and the subtotal. */
  costs: string[]
  reference: string
  isCancelled: boolean
}

export function lineFacts(t: Texts, line: ReceiptLine): LineFacts {
  const { UnitPrice, Total = UnitPrice, Status } = line
  const reduction = reductionOf(line)
  const amount = t.money(toMoney(reduction, UnitPrice.Currency))
  const prices = [...pricesOf(t, line), ...(reduction > 0n ? [t.say('receipt.reduced', { amount })] : [])]
  return {
    product: line.ProductName,
    when: t.say('ticket.when', { date: t.date(line.Date), when: startWords(t, line) }),
    party: partyWords(line, t.people),
    prices,
    costs: [...prices, t.say('receipt.subtotal', { amount: t.money(Total) })],
    reference: line.BookingReference,
    isCancelled: Status === 'cancelled',
  }
}

/**
 * The price of each unit. If the units have no prices: the quantity of each unit of the product, or the price
 * of the whole line if the product has no units.
 */
function pricesOf(t: Texts, { Units = [], UnitPrice }: ReceiptLine): string[] {
  const isNamed = hasUnits({ Units })
  if (!isNamed && !Units[0]?.UnitPrice) return [t.say('receipt.for-all', { price: t.money(UnitPrice) })]
  return Units.map(({ Name: unit, Quantity: count, UnitPrice: each }) => {
    if (!each) return t.say('receipt.units', { count, unit })
    return t.say(isNamed ? 'receipt.each-unit' : 'receipt.each', { count, unit, price: t.money(each) })
  })
}
