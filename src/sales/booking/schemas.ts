/** Wire shapes of the partners' booking request and its response, and fields that other routes share with them. */

import { testModeFields } from '../../accounts/test-mode-view.ts'
import { activityIdSchema, priceSchema } from '../../catalogue/schemas.ts'
import { type Static, type TSchema, Type } from '../../platform/schema/typebox.ts'
import { referencePattern } from './model.ts'

export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

export const instantSchema = Type.String({ format: 'date-time', examples: ['2027-05-30T08:15:30.123Z'] })
export const dateSchema = Type.String({
  format: 'date',
  description: 'Date in the product’s time zone.',
  examples: ['2027-06-12'],
})
export const timeSchema = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  errorMessage: 'must be a clock time, HH:MM',
  description: 'Start of the timeslot, HH:MM in the product’s time zone.',
  examples: ['10:00'],
})
export const participantsSchema = Type.Integer({ minimum: 1, maximum: 999, examples: [2] })

const unitIdSchema = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The ID of a unit of the product. 0 is the default unit, also for a product without units.',
  examples: [3],
})

/** The party: a number of people, units, or both. A request that requires it has `partyRequired` too. */
export const partyFields = {
  Participants: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 999, examples: [2] },
      description: 'How many people. Without `Units` they buy the default unit.',
    }),
  ),
  Units: Type.Optional(
    Type.Array(
      Type.Object(
        {
          UnitID: unitIdSchema,
          Quantity: Type.Integer({ minimum: 1, maximum: 999, examples: [2] }),
        },
        { title: 'UnitQuantity' },
      ),
      {
        minItems: 1,
        maxItems: 50,
        description:
          'The units and their quantities. If `Participants` is given too, it must be the number of people of these units.',
      },
    ),
  ),
}

/**
 * Requires `Participants`, `Units` or both. Ajv needs the properties to be listed where they are required.
 */
export const partyRequired = {
  namesFirst: true,
  anyOf: [
    { properties: { Participants: {} }, required: ['Participants'] },
    { properties: { Units: {} }, required: ['Units'] },
  ],
}

/** The total of many expensive places has more digits than a single price. */
export const totalSchema = Type.Object(
  {
    ...priceSchema.properties,
    Amount: Type.String({ ...priceSchema.properties.Amount, pattern: '^\\d{1,18}(\\.\\d{1,4})?$' }),
  },
  { title: 'Money' },
)

/** What was bought. Responses that earlier versions stored for idempotency keys have only `Participants`. */
export const boughtFields = {
  Participants: participantsSchema,
  Units: Type.Optional(
    Type.Array(
      Type.Object(
        {
          UnitID: unitIdSchema,
          Name: Type.String({ examples: ['Adult'] }),
          Type: Type.String({ examples: ['ADULT'] }),
          Quantity: Type.Integer({ minimum: 1, examples: [2] }),
          UnitPrice: Type.Optional(
            Type.Object(priceSchema.properties, {
              description: 'The price of one unit. Absent if the price is for the whole booking.',
            }),
          ),
        },
        { title: 'BookedUnit' },
      ),
      { description: 'The units as they were sold. A unit that was sold at two prices is listed twice.' },
    ),
  ),
  Discount: Type.Optional({ ...totalSchema, description: 'The reduction of the price; absent without one.' }),
  Total: Type.Optional({ ...totalSchema, description: 'The total price, after the reduction.' }),
}
export type BoughtView = {
  [Name in Exclude<keyof typeof boughtFields, 'Discount'>]-?: Static<(typeof boughtFields)[Name]>
} & { Discount?: Static<typeof totalSchema> }

export const paymentReferenceSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The partner’s own reference of the payment it collected.',
  examples: ['OTA-2027-000123'],
})

export const customerSchema = Type.Object({
  FirstName: Type.String({ minLength: 1, maxLength: 255, examples: ['Ada'] }),
  LastName: Type.String({ minLength: 1, maxLength: 255, examples: ['Lovelace'] }),
  Email: Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] }),
  Phone: Type.Optional(
    Type.String({
      pattern: '^[\\s().-]*\\+[\\s().-]*[1-9]([\\s().-]*\\d){1,14}[\\s().-]*$',
      errorMessage: 'must be a phone number in international format with a leading +',
      maxLength: 64,
      description:
        'International format with a leading +; spaces, hyphens, dots and parentheses are dropped.',
      examples: ['+351 912 345 678'],
    }),
  ),
})

export const answersSchema = Type.Array(
  Type.Object({
    QuestionID: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [31] }),
    Value: Type.Union(
      [Type.String({ maxLength: 10_000 }), Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 999 })],
      {
        examples: ['Yes'],
        description:
          'If the question is asked of each participant: a list with one text for each participant. Several choices of one participant are joined by “, ”.',
      },
    ),
  }),
  { maxItems: 1000, description: 'Answers to the product’s waiver questions.' },
)

export const bookingRequestSchema = Type.Object(
  {
    ActivityID: activityIdSchema,
    Date: dateSchema,
    Time: timeSchema,
    ...partyFields,
    Customer: customerSchema,
    PaymentReference: Type.Optional(paymentReferenceSchema),
    Answers: Type.Optional(answersSchema),
  },
  { title: 'BookingRequest', ...partyRequired },
)
export type BookingRequest = Static<typeof bookingRequestSchema>

export const referenceSchema = Type.String({
  pattern: referencePattern,
  description: 'Short, unique, and safe to read aloud.',
  examples: ['7KQ4MXW2PD'],
})
export const statusSchema = Type.Enum(['held', 'waitlisted', 'confirmed', 'cancelled', 'expired'], {
  examples: ['confirmed'],
})

export const bookingSchema = Type.Object(
  {
    BookingReference: referenceSchema,
    Status: statusSchema,
    ActivityID: activityIdSchema,
    Date: dateSchema,
    Time: timeSchema,
    ...boughtFields,
    PaymentReference: orNull(paymentReferenceSchema),
    CreatedAt: instantSchema,
    ...testModeFields,
  },
  { title: 'Booking' },
)
export type BookingView = Static<typeof bookingSchema>
