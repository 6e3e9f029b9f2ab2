/** Schemas of partner statements. */
import { openingView } from '../../../catalogue/opening-hours.ts'
import { idInPathSchema } from '../../../catalogue/schemas.ts'
import { openingFields } from '../../../catalogue/timeslots/schemas.ts'
import { pageFields } from '../../../http/wire.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { toMoney } from '../../../platform/text/money.ts'
import { isOwedUnknown } from '../report/model.ts'
import type { StatementRow, StatementSums } from './queries.ts'
import type { PartnerStatement } from './service.ts'

export const statementPathSchema = Type.Object({ PartnerID: idInPathSchema })

export const monthSchema = Type.String({
  pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$',
  errorMessage: 'must be a month, YYYY-MM',
  description: 'The month of the timeslots.',
  examples: ['2027-06'],
})

export const statementQuerySchema = Type.Object({ Month: monthSchema, ...pageFields })

const money = (description: string) =>
  Type.Object(
    { Amount: Type.String({ examples: ['90.00'] }), Currency: Type.String({ examples: ['EUR'] }) },
    { description },
  )
const moneyOrNull = (description: string) => Type.Union([money(description), Type.Null()], { description })

const statementBookingSchema = Type.Object(
  {
    BookingReference: Type.String({ examples: ['7KQ4MXW2PD'] }),
    PaymentReference: Type.Union([Type.String(), Type.Null()], {
      description: 'The reference that the partner gave it.',
      examples: ['VIA-88213'],
    }),
    Status: Type.Enum(['confirmed', 'cancelled']),
    ProductName: Type.String({ examples: ['Sunset kayak tour'] }),
    Date: Type.String({ format: 'date', examples: ['2027-06-12'] }),
    Time: Type.String({ examples: ['10:00'] }),
    ...openingFields,
    SoldAt: Type.String({ format: 'date-time', examples: ['2027-05-30T09:12:00.000Z'] }),
    Participants: Type.Integer({ examples: [2] }),
    Total: money('The price of the booking.'),
    Commission: moneyOrNull('What the partner keeps; 0 for a cancelled booking, null without terms.'),
    Owed: moneyOrNull('What the partner owes; 0 for a cancelled booking, null without terms.'),
  },
  { title: 'StatementBooking' },
)

export const statementSchema = Type.Object(
  {
    PartnerID: Type.Integer({ examples: [3] }),
    PartnerName: Type.String({ examples: ['Atlas Tours'] }),
    Month: monthSchema,
    Totals: Type.Array(
      Type.Object({
        Currency: Type.String({ examples: ['EUR'] }),
        Bookings: Type.Integer({ description: 'Number of valid bookings.', examples: [41] }),
        CancelledBookings: Type.Integer({ description: 'Number of cancelled bookings.', examples: [2] }),
        Guests: Type.Integer({ examples: [97] }),
        Total: money('The price of the valid bookings.'),
        Commission: money('What the partner keeps.'),
        Owed: money('What the partner owes.'),
        WithoutTerms: money(
          'The price of the bookings that were sold without terms. What the partner owes for them is unknown.',
        ),
      }),
      { description: 'Totals of all valid bookings of the month, by currency.' },
    ),
    Bookings: Type.Array(statementBookingSchema, {
      description: 'In the order of their timeslots, including cancelled ones.',
    }),
  },
  { title: 'PartnerStatement' },
)
export type StatementView = Static<typeof statementSchema>

export function statementView(month: string, { partner, sums, rows }: PartnerStatement): StatementView {
  return {
    PartnerID: partner.id,
    PartnerName: partner.name,
    Month: month,
    Totals: sums.map(sumsView),
    Bookings: rows.map(rowView),
  }
}

/** What the partner keeps of the price of the valid bookings that were sold under terms. */
function commissionOf({ total, owed, withoutTerms }: StatementSums): bigint {
  return BigInt(total) - BigInt(withoutTerms) - BigInt(owed)
}

/** The totals of a statement in one currency. */
export type StatementTotals = StatementView['Totals'][number]

export function sumsView(sums: StatementSums): StatementTotals {
  const { currency, bookings, cancelledBookings, guests, total, owed, withoutTerms } = sums
  return {
    Currency: currency,
    Bookings: bookings,
    CancelledBookings: cancelledBookings,
    Guests: guests,
    Total: toMoney(BigInt(total), currency),
    Commission: toMoney(commissionOf(sums), currency),
    Owed: toMoney(BigInt(owed), currency),
    WithoutTerms: toMoney(BigInt(withoutTerms), currency),
  }
}

/** As isOwedUnknown(), for totals of a statement. */
export function isTotalUnknown({ Owed, Commission, WithoutTerms }: StatementTotals): boolean {
  return isOwedUnknown({
    owed: Number(Owed.Amount),
    commission: Number(Commission.Amount),
    withoutTerms: Number(WithoutTerms.Amount),
  })
}

export function rowView(row: StatementRow): Static<typeof statementBookingSchema> {
  const { currency, owed, status } = row
  const total = BigInt(row.total)
  const isValid = status === 'confirmed'
  return {
    BookingReference: row.reference,
    PaymentReference: row.paymentReference,
    Status: status,
    ProductName: row.productName,
    Date: row.date,
    Time: row.time,
    ...openingView(row.openingHours),
    SoldAt: row.confirmedAt.toISOString(),
    Participants: row.participants,
    Total: toMoney(total, currency),
    Commission: owed === null ? null : toMoney(isValid ? total - BigInt(owed) : 0n, currency),
    Owed: owed === null ? null : toMoney(isValid ? BigInt(owed) : 0n, currency),
  }
}
