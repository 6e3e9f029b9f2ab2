/** Wire shapes of the booking operation (interface section 2 and endpoint 7). */

import { activityIdSchema } from '../../catalogue/schemas.ts'
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
      [Type.String({ maxLength: 10_000 }), Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 100 })],
      { examples: ['Yes'] },
    ),
  }),
  { maxItems: 1000, description: 'Answers to the product’s waiver questions.' },
)

export const bookingRequestSchema = Type.Object(
  {
    ActivityID: activityIdSchema,
    Date: dateSchema,
    Time: timeSchema,
    Participants: participantsSchema,
    Customer: customerSchema,
    PaymentReference: Type.Optional(paymentReferenceSchema),
    Answers: Type.Optional(answersSchema),
  },
  { title: 'BookingRequest' },
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
    Participants: participantsSchema,
    PaymentReference: orNull(paymentReferenceSchema),
    CreatedAt: instantSchema,
  },
  { title: 'Booking' },
)
export type BookingView = Static<typeof bookingSchema>
