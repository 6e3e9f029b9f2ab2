/** Wire shapes of bookings for the operator. */

import { testModeFields } from '../../../accounts/test-mode-view.ts'
import { activityIdSchema, priceSchema } from '../../../catalogue/schemas.ts'
import { openingFields } from '../../../catalogue/timeslots/schemas.ts'
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

export const idSchema = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })
const textSchema = (example: string) => orNull(Type.String({ examples: [example] }))
export const channelSchema = Type.Enum(['partner', 'online', 'pos'], {
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
  PaymentReference: orNull({
    ...paymentReferenceSchema,
    description: 'The reference of the payment: the partner’s own, or that of the operator’s sale.',
  }),
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
      'The price of one unit of the first entry of `Units`, or of the whole booking if it was sold at one price for all.',
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

export const referencePathSchema = Type.Object({
  BookingReference: Type.String({
    maxLength: 100,
    description: 'The `BookingReference` in the response to the booking request.',
    examples: ['7KQ4MXW2PD'],
  }),
})
