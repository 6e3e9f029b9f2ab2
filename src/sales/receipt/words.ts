/** The words of a receipt, as its e-mail and its customer's page say them: paragraphs of lines. Pure. */
import type { Texts } from '../../languages/texts.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { toMoney } from '../../platform/text/money.ts'
import { partyWords } from '../booking/bought-view.ts'
import { startWords } from '../booking/start-words.ts'
import { type ReceiptSum, receiptSums } from './model.ts'
import type { Receipt } from './service.ts'

/**
 * Its lines, and the sums.
 * @param isNamed whether a line says its booking reference. A reference checks its party in, and customers of other bookings
 *   of the same sale may read the receipt.
 */
export function receiptParagraphs(
  t: Texts,
  receipt: Receipt,
  isNamed: (reference: string) => boolean,
): string[] {
  const lines = receipt.lines.map((line) => lineText(t, line, isNamed(line.BookingReference)))
  return [
    ...lines,
    receiptSums(receipt)
      .map((sum) => sumText(t, receipt, sum))
      .join('\n'),
  ]
}

/** A line of a receipt as its page has it: what it is, in lines, and its amount. */
export type ReceiptRow = { about: string[]; amount: string; isDue?: boolean }

/** The lines of a receipt in two columns. @param isNamed as receiptParagraphs(). */
export function receiptRows(
  t: Texts,
  { lines }: Receipt,
  isNamed: (reference: string) => boolean,
): ReceiptRow[] {
  return lines.map((line) => {
    const about = lineText(t, line, isNamed(line.BookingReference)).split('\n')
    return { about: about.slice(0, -1), amount: about.at(-1)! }
  })
}

/** Its sums in two columns. The debt is marked, if there is any. */
export function sumRows(t: Texts, receipt: Receipt): ReceiptRow[] {
  const { ledger, seller } = receipt
  return receiptSums(receipt).map((sum) => {
    const { label, amountMinor, isDiscount, payment } = sum
    const amount = t.money(toMoney(amountMinor, ledger.currency))
    const name = sumLabel(t, sum)
    if (!payment)
      return {
        about: [name],
        amount: isDiscount ? t.say('receipt.amount-off', { amount }) : amount,
        isDue: label === 'receipt.to-pay' && amountMinor > 0n,
      }
    const date = t.date(dateIn(seller.timeZone, payment.madeAt))
    const method = t.say(`method.${payment.method}`)
    return { about: [t.say('receipt.by', { label: name, date, method })], amount }
  })
}

/** On the clock of who sold it. */
export function receiptDay(t: Texts, { seller, at }: Receipt): string {
  return t.date(dateIn(seller.timeZone, new Date(at)))
}

/** What a sum is called. */
export function sumLabel(t: Texts, { label, code = '' }: ReceiptSum): string {
  return t.say(label, { code })
}

function lineText(t: Texts, line: Receipt['lines'][number], isNamed: boolean): string {
  const { BookingReference: reference, Total, UnitPrice, Status } = line
  return [
    line.ProductName,
    t.say('ticket.when', { date: t.date(line.Date), when: startWords(t, line) }),
    partyWords(line, t.people),
    ...(isNamed ? [t.say('booking.reference', { reference })] : []),
    Status === 'cancelled' ? t.say('receipt.cancelled') : t.money(Total ?? UnitPrice),
  ].join('\n')
}

function sumText(t: Texts, { ledger, seller }: Receipt, sum: ReceiptSum): string {
  const { amountMinor, isDiscount, payment } = sum
  const label = sumLabel(t, sum)
  const amount = t.money(toMoney(amountMinor, ledger.currency))
  if (!payment) return t.say(isDiscount ? 'receipt.sum-off' : 'receipt.sum', { label, amount })
  const date = t.date(dateIn(seller.timeZone, payment.madeAt))
  return t.say('receipt.sum-by', { label, date, method: t.say(`method.${payment.method}`), amount })
}
