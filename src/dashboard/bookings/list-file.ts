/** The rows of the CSV file with the list of bookings. Pure. */
import { hoursText, toPeriods } from '../../catalogue/opening-hours.ts'
import { unitsText } from '../../sales/booking/bought-view.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'

/**
 * The amount that is still to be paid for the sale, and the amount by which the sale is overpaid. At least
 * one of the two is 0.
 */
export type SaleBalance = { toPay: string; overpaid: string }

export const csvHead = [
  'BookingReference',
  'Status',
  'Channel',
  'ProductName',
  'Date',
  'Time',
  'Participants',
  'FirstName',
  'LastName',
  'Email',
  'Phone',
  'Partner',
  'PaymentReference',
  'UnitPrice',
  'Currency',
  'Attendance',
  'CreatedAt',
  'CancelledAt',
  'CancelReason',
  'Units',
  'Total',
  'Refund',
  'PartnerTerms',
  'Owed',
  'OpeningHours',
  'Sale',
  'SaleToPay',
  'SaleOverpaid',
  'PeopleHere',
  'PeopleAbsent',
]

/**
 * @param balance the balance of the sale for the first confirmed booking of the sale in the file; null for
 *   all other bookings, so that the columns can be summed. Null also for bookings of partners.
 */
export function csvRow(booking: BookingRecord, balance: SaleBalance | null): (string | number | null)[] {
  const { Customer } = booking
  return [
    booking.BookingReference,
    booking.Status,
    booking.Channel,
    booking.ProductName,
    booking.Date,
    booking.Time,
    booking.Participants,
    Customer.FirstName,
    Customer.LastName,
    Customer.Email,
    Customer.Phone,
    booking.Partner?.Name ?? null,
    booking.PaymentReference,
    booking.UnitPrice.Amount,
    booking.UnitPrice.Currency,
    booking.Attendance,
    booking.CreatedAt,
    booking.CancelledAt,
    booking.CancelReason,
    unitsText(booking.Units ?? []),
    booking.Total?.Amount ?? null,
    booking.Refund?.Amount ?? null,
    termsText(booking),
    booking.Owed?.Amount ?? null,
    hoursText(toPeriods(booking.OpeningHours) ?? []),
    booking.BasketID,
    balance?.toPay ?? null,
    balance?.overpaid ?? null,
    booking.PeopleHere,
    booking.PeopleAbsent ?? 0,
  ]
}

function termsText({ PartnerTerms }: BookingRecord): string | null {
  if (!PartnerTerms) return null
  return PartnerTerms.Commission === undefined ? 'net' : `${PartnerTerms.Commission}%`
}
