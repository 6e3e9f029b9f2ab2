/** Wire shapes of bookings for the operator, and the filters of the list. */

import { testModeFields } from '../../../accounts/test-mode-view.ts'
import { activityIdSchema, priceSchema } from '../../../catalogue/schemas.ts'
import { openingFields } from '../../../catalogue/timeslots/schemas.ts'
import { pageFields } from '../../../http/wire.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { ledgerSchema } from '../../ledger/schemas.ts'
import { owedSchema, refundSchema, soldTermsOrNull } from '../money-schemas.ts'
import {
  answersSchema,
  boughtFields,
  dateSchema,
  instantSchema,
  orNull,
  paymentReferenceSchema,
  referenceSchema,
  statusSchema,
  timeSchema,
  totalSchema,
} from '../schemas.ts'

const idSchema = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })
const textSchema = (example: string) => orNull(Type.String({ examples: [example] }))
const channelSchema = Type.Enum(['partner', 'online', 'pos'], {
  description: 'Sold by a partner, online, or at a point of sale.',
  examples: ['partner'],
})

export const attendanceSchema = Type.Union([Type.Enum(['checked-in', 'no-show']), Type.Null()], {
  description:
    'Whether the party came: `checked-in` if at least one person is here; null if the attendance is not recorded.',
  examples: ['checked-in'],
})

export const cancelReasonSchema = Type.Union(
  [Type.Enum(['operator', 'partner', 'customer', 'closure']), Type.Null()],
  { description: 'Who cancelled the booking; `closure` if its timeslot was closed.', examples: [null] },
)

export const reductionSchema = Type.Object(
  {
    ...totalSchema.properties,
    Reason: Type.Union([Type.String(), Type.Null()], {
      description: 'In the operator’s words; null once the customer is erased.',
      examples: ['Late start'],
    }),
  },
  { title: 'Reduction', description: 'The amount by which the till reduced the sale, and the reason.' },
)

const recordFields = {
  BookingReference: referenceSchema,
  Status: statusSchema,
  Channel: channelSchema,
  ProductID: idSchema('The product booked.', 12),
  ActivityID: activityIdSchema,
  ProductName: Type.String({ examples: ['Sunset kayak tour'] }),
  TimeslotID: idSchema('The timeslot booked.', 4711),
  Date: dateSchema,
  Time: timeSchema,
  StartsAt: Type.String({ format: 'date-time', examples: ['2027-06-12T10:00:00+01:00'] }),
  ...openingFields,
  ...boughtFields,
  Customer: Type.Object(
    {
      FirstName: textSchema('Ada'),
      LastName: textSchema('Lovelace'),
      Email: textSchema('ada@example.com'),
      Phone: textSchema('+351912345678'),
    },
    {
      description:
        'A field is null if it is not known. The e-mail address and the phone number of an erased customer are null.',
    },
  ),
  Answers: answersSchema,
  Partner: orNull(
    Type.Object({
      ID: idSchema('The partner that sold it.', 3),
      Name: Type.String({ examples: ['Tours Online'] }),
    }),
  ),
  PaymentReference: orNull(paymentReferenceSchema),
  BasketID: idSchema('The basket it was bought in.', 9001),
  HeldUntil: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the hold of its places expires; null if they are not held.',
    examples: [null],
  }),
  Notes: Type.Union([Type.String(), Type.Null()], {
    description: 'The notes that the reseller sent through OCTO.',
    examples: ['A wheelchair comes along.'],
  }),
  InternalNotes: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'Notes of the operator’s users for each other. Partners, customers and webhooks never receive them.',
      examples: ['Comes back each summer.'],
    }),
  ),
  UnitPrice: {
    ...priceSchema,
    description:
      'The price of one unit of the first entry of `Units`, or of the whole booking if it has one price.',
  },
  Reduction: Type.Optional(reductionSchema),
  Attendance: attendanceSchema,
  PeopleHere: Type.Integer({
    minimum: 0,
    description: 'How many of its `Participants` are here: 0 unless it is checked in.',
    examples: [2],
  }),
  // A response stored for an Idempotency-Key may be from the previous version, which did not have this field.
  PeopleAbsent: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'How many of the booking’s `Participants` did not come: all for a no-show; the people who were marked as absent for a party that is checked in; 0 if the attendance is not recorded. The attendance of people who are neither here nor absent is not recorded.',
      examples: [0],
    }),
  ),
  CreatedAt: instantSchema,
  ConfirmedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it was confirmed; null if it was never confirmed.',
    examples: ['2027-05-30T08:15:30.123Z'],
  }),
  UpdatedAt: instantSchema,
  CancelledAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { examples: [null] }),
  CancelReason: cancelReasonSchema,
  Refund: refundSchema,
  Owed: owedSchema,
  PartnerTerms: soldTermsOrNull,
  ...testModeFields,
}

export const recordSchema = Type.Object(recordFields, { title: 'OperatorBooking' })
export type BookingRecord = Static<typeof recordSchema>

export const detailSchema = Type.Object(
  {
    ...recordFields,
    History: Type.Array(
      Type.Object({
        Action: Type.String({
          description:
            'What happened to the booking: `confirmed`, `moved`, `amended`, `cancelled`, …; or to the money of its sale: `payment-declined`, `payment-unused` (a provider’s payment that bought nothing), `payment-refunded` (such a payment was paid back) and `refund-undone` (the mark that a refund was paid back was undone).',
          examples: ['moved'],
        }),
        At: instantSchema,
        Actor: Type.Object({
          Kind: Type.Enum(['partner', 'key', 'user', 'customer', 'payment', 'service'], {
            description:
              '`payment` is the payment provider. `service` is this service itself, for example when a hold expires.',
            examples: ['key'],
          }),
          ID: orNull(Type.Integer({ examples: [7] })),
          Name: textSchema('Tours Online'),
        }),
        Details: Type.Object({}, { additionalProperties: true, examples: [{ From: 2, To: 3 }] }),
      }),
      { description: 'All changes of the booking and events of its money, oldest first.' },
    ),
    Emails: Type.Array(
      Type.Object({
        Kind: Type.String({ examples: ['workflow'] }),
        Workflow: Type.Optional(
          Type.Union([Type.String(), Type.Null()], {
            description:
              'The name of the workflow that sends it; null for other e-mails, and once the workflow is deleted.',
            examples: ['Reminder'],
          }),
        ),
        Status: Type.Enum(['queued', 'sent', 'failed', 'dropped'], { examples: ['sent'] }),
        CreatedAt: instantSchema,
        SentAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      }),
      { description: 'E-mails about it, oldest first.' },
    ),
    Ledger: ledgerSchema,
  },
  { title: 'OperatorBookingDetail' },
)
export type BookingDetail = Static<typeof detailSchema>

const daySchema = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: [example] }))

export const listQuerySchema = Type.Object({
  From: daySchema('First day on which they take place, local to the product.', '2027-06-01'),
  To: daySchema('Last day on which they take place, included.', '2027-06-30'),
  MadeFrom: daySchema('First day on which they were made, in the account’s time zone.', '2027-05-01'),
  MadeTo: daySchema('Last day on which they were made, included.', '2027-05-31'),
  Channel: Type.Optional(channelSchema),
  Status: Type.Optional(
    Type.Array(statusSchema, {
      maxItems: 5,
      description: 'Only these; can be given several times.',
      examples: [['confirmed']],
    }),
  ),
  ToPay: Type.Optional(
    Type.Enum(['true'], {
      description:
        '`true`: only confirmed bookings whose sale still owes something. A request checks about 5,000 bookings at most, so a page may have fewer than `Limit`, or none, although `Link: rel="next"` leads to more.',
      examples: ['true'],
    }),
  ),
  TimeslotID: Type.Optional(idSchema('Only this timeslot.', 4711)),
  ProductID: Type.Optional(idSchema('Only this product.', 12)),
  PartnerID: Type.Optional(idSchema('Only this partner.', 3)),
  Search: Type.Optional(
    Type.String({
      trimmedLength: 255,
      description:
        'Words in any order. The first eight must all match; further words are ignored. A word of three letters or more may be the beginning of a word in the name, the e-mail address or a reference of a booking, or in the name of its product or partner. Four digits or more may be the end of a phone number, in any notation. The reference of a payment or refund of its sale and the BasketID also find it. A day (`2030-06-15`, `15 June`, `15.6.`, `today`, `tomorrow`) and a time (`9:30`, `9 pm`) are those of its timeslot. The TicketID of one of its tickets finds only that booking. New bookings are found within seconds. If more than 10,000 bookings have such words, a request searches only the next 10,000 bookings, so a page may have fewer than `Limit`, or none, although `Link: rel="next"` leads to more.',
      examples: ['lovelace ada 15 june'],
    }),
  ),
  Text: Type.Optional(
    Type.String({
      trimmedLength: 255,
      deprecated: true,
      description:
        'Use `Search`, which is faster and finds more. Part of the reference, of a partner’s payment reference, of the name (first name first) or of the e-mail address, in any case; or the whole payment reference of a basket.',
      examples: ['lovelace'],
    }),
  ),
  ...pageFields,
})

/**
 * The filters of the list in the dashboard: those of the API, and filters for the bookings that reports
 * count.
 */
export const soldListQuerySchema = Type.Object({
  ...listQuerySchema.properties,
  SoldFrom: daySchema('First day on which they were confirmed, in the account’s time zone.', '2027-05-01'),
  SoldTo: daySchema('Last day on which they were confirmed, included.', '2027-05-31'),
  Sold: Type.Optional(
    Type.Enum(['true'], {
      description: 'Only bookings that were confirmed, even if they are cancelled now.',
    }),
  ),
  NoShow: Type.Optional(
    Type.Enum(['true'], { description: 'Only confirmed bookings with people who did not come.' }),
  ),
})
export type SoldListQuery = Static<typeof soldListQuerySchema>

export const referencePathSchema = Type.Object({
  BookingReference: Type.String({
    maxLength: 100,
    description: 'The `BookingReference` in the response to the booking request.',
    examples: ['7KQ4MXW2PD'],
  }),
})
