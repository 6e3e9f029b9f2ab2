/**
 * Wire shapes of bookings in OCTO's responses. A field of a capability is present only if the request names the
 * capability.
 */
import { type Static, type TSchema, Type } from '../../platform/schema/typebox.ts'
import { octoAvailabilitySchema } from '../availability/schemas.ts'
import { pricingSchema } from '../pricing.ts'
import {
  octoOptionSchema,
  octoProductSchema,
  octoQuestionSchema,
  octoUnitSchema,
} from '../products/schemas.ts'

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const text = (description: string, example: string | null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })
const instantSchema = Type.String({ format: 'date-time', examples: ['2027-05-30T08:15:30Z'] })
const instant = (description: string) => orNull(instantSchema, description)

const statusSchema = Type.Enum(['ON_HOLD', 'CONFIRMED', 'REDEEMED', 'CANCELLED', 'EXPIRED'], {
  examples: ['CONFIRMED'],
})

const contactSchema = Type.Object(
  {
    fullName: text('First and last name.', 'Ada Lovelace'),
    firstName: text('As it was given.', 'Ada'),
    lastName: text('As it was given.', 'Lovelace'),
    emailAddress: text('As it was given.', 'ada@example.com'),
    phoneNumber: text('Without separators.', '+351912345678'),
    locales: Type.Array(Type.String(), { examples: [['en-GB', 'en']] }),
    postalCode: text('As it was given.', '1100-053'),
    country: text('As it was given.', 'PT'),
    notes: text('As they were given.', null),
  },
  { title: 'OctoContact', description: 'The customer, as far as known.' },
)

const ticketSchema = Type.Object(
  {
    redemptionMethod: Type.Enum(['DIGITAL']),
    utcRedeemedAt: instant('When it was redeemed.'),
    deliveryOptions: Type.Array(
      Type.Object({
        deliveryFormat: Type.Enum(['QRCODE']),
        deliveryValue: Type.String({
          description: 'The content of the QR code.',
          examples: ['3f2b8a64-0c1d-4e5f-8a9b-7c6d5e4f3a2b'],
        }),
      }),
      { description: 'Empty unless the booking is confirmed.' },
    ),
  },
  { title: 'OctoTicket' },
)

const answersSchema = Type.Optional(
  Type.Array(
    Type.Object(
      {
        questionId: Type.String({ examples: ['31'] }),
        question: octoQuestionSchema,
        value: text('The answer.', 'Yes'),
      },
      { title: 'OctoAnswer' },
    ),
    { description: 'The answers. Only with `octo/questions`.' },
  ),
)

const pricing = Type.Optional(pricingSchema)

const unitItemSchema = Type.Object(
  {
    uuid: Type.String({ description: 'Yours, or the one that was made for it.' }),
    resellerReference: text('Your reference of the item.', 'TICKET-1'),
    supplierReference: Type.String({
      description: 'The service’s reference of the item.',
      examples: ['7KQ4MXW2PD-1'],
    }),
    unitId: Type.String({ examples: ['72'] }),
    unit: Type.Optional(octoUnitSchema),
    status: statusSchema,
    utcRedeemedAt: instant('When its ticket was redeemed.'),
    contact: contactSchema,
    ticket: ticketSchema,
    pricing,
    questionAnswers: answersSchema,
  },
  { title: 'OctoUnitItem' },
)
export type OctoUnitItem = Static<typeof unitItemSchema>

const cancellationSchema = Type.Object(
  {
    refund: Type.Enum(['FULL', 'PARTIAL', 'NONE'], {
      description: 'How much of the price is paid back; FULL if the product has no refund terms.',
    }),
    reason: text('Your reason; null if somebody else cancelled.', null),
    utcCancelledAt: instantSchema,
  },
  { title: 'OctoCancelled' },
)

export const octoBookingSchema = Type.Object(
  {
    id: Type.String({ description: 'The same as `uuid`.' }),
    uuid: Type.String({ description: 'Yours, or the one that was made for it.' }),
    testMode: Type.Boolean({ description: 'Whether it was made with a test key.' }),
    resellerReference: text('Your reference.', 'OTA-2027-000123'),
    supplierReference: Type.String({
      description: 'The service’s reference of the booking.',
      examples: ['7KQ4MXW2PD'],
    }),
    status: statusSchema,
    utcCreatedAt: instantSchema,
    utcUpdatedAt: instantSchema,
    utcExpiresAt: instant(
      'When the hold expires or expired; null once the booking is confirmed or cancelled.',
    ),
    utcRedeemedAt: instant('When the first participant was checked in.'),
    utcConfirmedAt: instant('When it was confirmed.'),
    productId: Type.String(),
    product: octoProductSchema,
    optionId: Type.String({ examples: ['DEFAULT'] }),
    option: octoOptionSchema,
    cancellable: Type.Boolean({
      description: 'Whether it can be cancelled now. Only then can its timeslot and its items be changed.',
    }),
    cancellation: orNull(cancellationSchema, 'Null unless the booking is cancelled.'),
    freesale: Type.Boolean({ description: 'Always false.' }),
    availabilityId: Type.String({ examples: ['2027-06-12T10:00:00+01:00'] }),
    availability: octoAvailabilitySchema,
    contact: contactSchema,
    notes: text('As they were given.', null),
    deliveryMethods: Type.Array(Type.Enum(['TICKET', 'VOUCHER'])),
    voucher: ticketSchema,
    unitItems: Type.Array(unitItemSchema),
    pricing,
    questionAnswers: answersSchema,
  },
  { title: 'OctoBooking' },
)
export type OctoBooking = Static<typeof octoBookingSchema>
