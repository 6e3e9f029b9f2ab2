/** The words of a receipt, as its e-mail and its customer's page say them: paragraphs of lines. Pure. */
import { hoursText, toPeriods } from '../../catalogue/opening-hours.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { longDate } from '../../platform/text/local-time.ts'
import { toMoney } from '../../platform/text/money.ts'
import { partyWords } from '../booking/bought-view.ts'
import { methodText } from '../ledger/method-names.ts'
import { type ReceiptSum, receiptSums } from './model.ts'
import type { Receipt } from './service.ts'

/**
 * Its lines, and the sums.
 * @param isNamed whether a line says its booking reference. A reference checks its party in, and customers of other bookings
 *   of the same sale may read the receipt.
 */
export function receiptParagraphs(receipt: Receipt, isNamed: (reference: string) => boolean): string[] {
  const lines = receipt.lines.map((line) => lineText(line, isNamed(line.BookingReference)))
  return [
    ...lines,
    receiptSums(receipt)
      .map((sum) => sumText(receipt, sum))
      .join('\n'),
  ]
}

/** On the clock of who sold it. */
export function receiptDay({ seller, at }: Receipt): string {
  return longDate(dateIn(seller.timeZone, new Date(at)))
}

function lineText(line: Receipt['lines'][number], isNamed: boolean): string {
  const { Date: date, Time, OpeningHours, Total, UnitPrice, Status } = line
  const hours = toPeriods(OpeningHours)
  const when = hours ? `open ${hoursText(hours)}` : `at ${Time}`
  const { Amount, Currency } = Total ?? UnitPrice
  return [
    line.ProductName,
    `${longDate(date)}, ${when}`,
    partyWords(line),
    ...(isNamed ? [`Booking reference: ${line.BookingReference}`] : []),
    Status === 'cancelled' ? 'Cancelled' : `${Amount} ${Currency}`,
  ].join('\n')
}

function sumText(
  { ledger, seller }: Receipt,
  { label, amountMinor, isDiscount, payment }: ReceiptSum,
): string {
  const { Amount, Currency } = toMoney(amountMinor, ledger.currency)
  const day = payment && longDate(dateIn(seller.timeZone, payment.madeAt))
  const about = payment ? ` on ${day}, ${methodText(payment.method)}` : ''
  return `${label}${about}: ${Amount} ${Currency}${isDiscount ? ' off' : ''}`
}
