/** The words of a receipt, for paper, the receipt's e-mail and the customer's page. Pure. */
import type { Texts } from '../../languages/texts.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { toMoney } from '../../platform/text/money.ts'
import { lineFacts } from './line-facts.ts'
import { type ReceiptSum, receiptSums } from './model.ts'
import type { Receipt } from './service.ts'

/**
 * The lines and the sums of a receipt for its e-mail, with the same facts as on paper. Each line is one
 * paragraph.
 */
export function receiptParagraphs(t: Texts, receipt: Receipt): { lines: string[]; sums: string } {
  const lines = receipt.lines.map((line) => {
    const { product, when, party, costs, reference, isCancelled } = lineFacts(t, line)
    const cancelled = `${t.say('receipt.cancelled')} (${costs.join(', ')})`
    const about = [product, when, party, t.say('booking.reference', { reference })]
    return [...about, ...(isCancelled ? [cancelled] : costs)].join('\n')
  })
  return {
    lines,
    sums: receiptSums(receipt)
      .map((sum) => sumText(t, receipt, sum))
      .join('\n'),
  }
}

/** A row of a receipt on its page: a description of one or more lines, and an amount. */
export type ReceiptRow = { about: string[]; amount: string; isDue?: boolean }

/**
 * The lines of a receipt in two columns.
 * @param isNamed whether to show the reference of a booking. Customers of other bookings of the same sale can
 *   open the receipt too. They must not see the reference, because it can be used to check the party in.
 */
export function receiptRows(
  t: Texts,
  { lines }: Receipt,
  isNamed: (reference: string) => boolean,
): ReceiptRow[] {
  return lines.map((line) => {
    const { product, when, party, prices, reference, isCancelled } = lineFacts(t, line)
    const named = isNamed(reference) ? [t.say('booking.reference', { reference })] : []
    return {
      about: [product, when, party, ...(isCancelled ? [] : prices), ...named],
      amount: isCancelled ? t.say('receipt.cancelled') : t.money(line.Total ?? line.UnitPrice),
    }
  })
}

/** The sums of a receipt in two columns. `isDue` marks the amount to pay if it is above 0. */
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

/** The date of a receipt in the seller's time zone. */
export function receiptDay(t: Texts, { seller, at }: Receipt): string {
  return t.date(dateIn(seller.timeZone, new Date(at)))
}

/** The date and time of a receipt in the seller's time zone, for paper and for the e-mail. */
export function receiptTime(t: Texts, { seller, at }: Receipt): string {
  return t.instant(new Date(at), seller.timeZone)
}

/** The name of a sum in the reader's language. */
export function sumLabel(t: Texts, { label, code = '' }: ReceiptSum): string {
  return t.say(label, { code })
}

/** How and when a payment was made. */
export function paymentFacts(
  t: Texts,
  { seller }: Pick<Receipt, 'seller'>,
  { method, reference, madeAt }: NonNullable<ReceiptSum['payment']>,
): { how: string; at: string } {
  const how = [t.say(`method.${method}`), reference].filter(Boolean).join(', ')
  return { how, at: t.instant(madeAt, seller.timeZone) }
}

function sumText(t: Texts, receipt: Receipt, sum: ReceiptSum): string {
  const { amountMinor, isDiscount, payment } = sum
  const label = sumLabel(t, sum)
  const amount = t.money(toMoney(amountMinor, receipt.ledger.currency))
  if (!payment) return t.say(isDiscount ? 'receipt.sum-off' : 'receipt.sum', { label, amount })
  const { how: method, at: date } = paymentFacts(t, receipt, payment)
  return t.say('receipt.sum-by', { label, date, method, amount })
}
