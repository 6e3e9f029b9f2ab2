/** The words of a receipt, as its e-mail and its customer's page say them: paragraphs of lines. Pure. */
import { hoursText, toPeriods } from '../../catalogue/opening-hours.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { longDate } from '../../platform/text/local-time.ts'
import { toMoney } from '../../platform/text/money.ts'
import { unitsText } from '../booking/bought-view.ts'
import { methodText } from '../ledger/method-names.ts'
import type { Receipt } from './service.ts'

/** Its lines, the sums, and the payments, if any. */
export function receiptParagraphs(receipt: Receipt): string[] {
  const all = [...receipt.lines.map(lineText), sumsText(receipt), paymentsText(receipt)]
  return all.filter((text) => text !== '')
}

/** On the clock of who sold it. */
export function receiptDay({ seller, at }: Receipt): string {
  return longDate(dateIn(seller.timeZone, new Date(at)))
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

function sumsText({ basket, ledger }: Receipt): string {
  const { kept, charged, balance, due } = ledger
  const text = textOf(ledger.currency)
  const { Promotion } = basket
  return [
    ...(Promotion
      ? [`Promotion ${Promotion.Code}: ${Promotion.Discount.Amount} ${Promotion.Discount.Currency} off`]
      : []),
    ...(kept > 0n ? [`For what was cancelled: ${text(kept)}`] : []),
    `Total: ${text(charged + kept)}`,
    ...(due > 0n ? [`To be paid back to you: ${text(due)}`] : []),
    ...(balance > 0n ? [`Still to be paid: ${text(balance)}`] : []),
  ].join('\n')
}

function paymentsText({ ledger, seller }: Receipt): string {
  const text = textOf(ledger.currency)
  return ledger.payments
    .map(({ kind, method, amountMinor, madeAt }) => {
      const day = longDate(dateIn(seller.timeZone, madeAt))
      return `${kind === 'payment' ? 'Paid' : 'Paid back'} on ${day}, ${methodText(method)}: ${text(amountMinor)}`
    })
    .join('\n')
}

function textOf(currency: string) {
  return (minor: bigint) => {
    const { Amount, Currency } = toMoney(minor, currency)
    return `${Amount} ${Currency}`
  }
}
