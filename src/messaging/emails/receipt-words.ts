/** The words of a receipt. Pure. */
import { hoursText, toPeriods } from '../../catalogue/opening-hours.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { longDate } from '../../platform/text/local-time.ts'
import { toMoney } from '../../platform/text/money.ts'
import { unitsText } from '../../sales/booking/bought-view.ts'
import { methodText } from '../../sales/ledger/method-names.ts'
import { type ReceiptSum, receiptSums } from '../../sales/receipt/model.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import type { Words } from './words.ts'

export function receiptWords(receipt: Receipt, greeting: string): Words {
  const { basket, seller, at } = receipt
  const title = `Receipt ${basket.BasketID}`
  const paragraphs = [
    greeting,
    `here is your receipt of ${longDate(dateIn(seller.timeZone, new Date(at)))}.`,
    ...receipt.lines.map(lineText),
    receiptSums(receipt)
      .map((sum) => sumText(receipt, sum))
      .join('\n'),
    seller.name,
  ]
  return {
    subject: `${title}: ${seller.name}`,
    text: `${paragraphs.filter((text) => text !== '').join('\n\n')}\n`,
  }
}

function lineText(line: Receipt['lines'][number]): string {
  const { Date: date, Time, OpeningHours, Units = [], Participants, Total, UnitPrice, Status } = line
  const hours = toPeriods(OpeningHours)
  const when = hours ? `open ${hoursText(hours)}` : `at ${Time}`
  const people = `${Participants} ${Participants === 1 ? 'participant' : 'participants'}`
  const { Amount, Currency } = Total ?? UnitPrice
  return [
    line.ProductName,
    `${longDate(date)}, ${when}`,
    Units.length > 0 ? unitsText(Units) : people,
    `Booking reference: ${line.BookingReference}`,
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
