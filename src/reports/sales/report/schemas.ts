/** Schemas of the sales report. */
import { idInPathSchema } from '../../../catalogue/schemas.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { maxReportDays, reportBases, reportGroups, reportSteps } from './model.ts'
import type { ReportRequest } from './service.ts'

const day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const money = (description: string) =>
  Type.Object(
    { Amount: Type.String({ examples: ['1250.00'] }), Currency: Type.String({ examples: ['EUR'] }) },
    { description },
  )

export const channelFilter = Type.Enum(['partner', 'online', 'pos'], {
  description: 'Sales by partners, online, or at a point of sale.',
  examples: ['online'],
})

const basisField = Type.Enum([...reportBases], {
  description:
    'The day on which a booking counts: when it was confirmed, in the account’s time zone (`sold`, the default), or the day of its timeslot (`travel`). A cancelled booking stays on that day.',
  examples: ['sold'],
})

export const reportQuerySchema = Type.Object({
  From: day('First day.', '2027-06-01'),
  To: day(`Last day, included: less than ${maxReportDays} days after the first.`, '2027-06-30'),
  By: Type.Optional(
    Type.Enum([...reportSteps], {
      description:
        'Periods of the range: `day` (the default); `week`, from Monday; `month`; `season` of three months, from the first of March, June, September and December. At most 400.',
      examples: ['month'],
    }),
  ),
  Basis: Type.Optional(basisField),
  Group: Type.Optional(
    Type.Enum([...reportGroups], {
      description:
        'Adds `Groups`: the sums by product, channel, partner, unit or payment method. Payments count on the day on which they were made, and no filter applies to them.',
      examples: ['product'],
    }),
  ),
  ProductID: Type.Optional(idInPathSchema),
  Channel: Type.Optional(channelFilter),
  PartnerID: Type.Optional(idInPathSchema),
})
export type ReportQuery = Static<typeof reportQuerySchema>

export function toReportRequest(query: ReportQuery): ReportRequest {
  const {
    From: from,
    To: to,
    By = 'day',
    Basis = 'sold',
    Group = null,
    ProductID,
    Channel,
    PartnerID,
  } = query
  return {
    range: { from, to },
    step: By,
    basis: Basis,
    group: Group,
    filter: {
      productId: ProductID === undefined ? undefined : Number(ProductID),
      channel: Channel,
      partnerId: PartnerID === undefined ? undefined : Number(PartnerID),
    },
  }
}

export const figuresSchema = Type.Object(
  {
    Bookings: count(
      'How many were sold, including cancelled ones; by unit, the number of units; by payment method, the number of payments.',
      120,
    ),
    Guests: count('People of these bookings.', 310),
    Sold: money(
      'The price of these bookings after reductions; by unit, before reductions; by payment method, the payments.',
    ),
    CancelledBookings: count(
      'How many of these bookings were cancelled; by payment method, the number of refunds.',
      6,
    ),
    CancelledGuests: count('People of the cancelled bookings.', 14),
    Cancelled: money('The price of the cancelled bookings; by payment method, the refunds.'),
    Revenue: money('The price of the valid bookings: sold less cancelled.'),
    Kept: money(
      'The kept part of overpaid money, and of the money of bookings that were cancelled or became cheaper; 0 by unit and by payment method.',
    ),
    Income: money('Revenue plus the kept part.'),
    RefundsDecided: money(
      'The amount to pay back for these bookings, on any day it was decided; by payment method, the amount that was paid back; 0 by unit.',
    ),
    PaidBack: money('How much of `RefundsDecided` was paid back; by payment method, in the range.'),
    RefundsDue: money('How much of `RefundsDecided` is still to be paid back.'),
    NoShowGuests: count(
      'People who did not come: all people of a no-show, and the people recorded as absent of a party of which some came.',
      3,
    ),
    CheckedInGuests: count('People who were checked in.', 281),
    Owed: money('What partners owe for valid bookings that were sold under terms.'),
    Commission: money('What partners keep of the price of valid bookings that were sold under terms.'),
    WithoutTerms: money(
      'The price of valid partner bookings that were sold without terms: what partners owe for them is unknown.',
    ),
  },
  { title: 'SalesFigures' },
)

const placesSchema = Type.Union(
  [
    Type.Object({
      Capacity: count('Places of the timeslots; of a closed one, only the booked places.', 800),
      Booked: count('Places booked.', 512),
    }),
    Type.Null(),
  ],
  {
    description:
      'Occupancy by day of the timeslot; null by day of sale, for one channel or partner, and for groups other than products.',
  },
)

const compared = {
  Currency: Type.String({ examples: ['EUR'] }),
  Figures: figuresSchema,
  Before: figuresSchema,
}

export const reportSchema = Type.Object(
  {
    From: day('As requested.', '2027-06-01'),
    To: day('As requested.', '2027-06-30'),
    By: Type.Enum([...reportSteps]),
    Basis: basisField,
    BeforeFrom: day('First day of the range before, which has as many days.', '2027-05-02'),
    BeforeTo: day('Last day of the range before.', '2027-05-31'),
    CompleteFrom: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description:
        'Days before this one are still being counted for the first time; null when every day has been counted.',
      examples: [null],
    }),
    StaleDays: count(
      'How many changed days wait to be counted again. A day may count several times: for sales, for payments, and for each product.',
      0,
    ),
    WaitingEvents: count(
      'How many events have not been read yet. They may mark more days to count again.',
      0,
    ),
    Totals: Type.Array(Type.Object(compared), {
      description: 'By currency: currencies are never added together.',
    }),
    Places: placesSchema,
    BeforePlaces: placesSchema,
    Periods: Type.Array(
      Type.Object({
        From: day('First day.', '2027-06-01'),
        To: day('Last day.', '2027-06-01'),
        Sums: Type.Array(Type.Object({ Currency: compared.Currency, Figures: figuresSchema })),
        Places: placesSchema,
      }),
    ),
    Groups: Type.Array(
      Type.Object({
        ID: Type.Union([Type.Integer(), Type.Null()], {
          description: 'ID of the product, partner or unit; null for none, and for channels and methods.',
          examples: [12],
        }),
        Name: Type.String({
          description:
            'Name of the product, partner, unit, channel or method; `reductions` beside units for reductions; empty for no partner or unit.',
          examples: ['Sunset kayak tour'],
        }),
        ...compared,
        Places: placesSchema,
      }),
      { description: 'By currency, then the highest revenue first; empty unless `Group` is given.' },
    ),
  },
  { title: 'SalesReport' },
)
