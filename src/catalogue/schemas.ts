/** Wire shapes of products and waiver questions, the same in the catalogue file and on every interface. */
import { Type } from 'typebox'
import { activityIdPattern } from './model.ts'

export const activityIdSchema = Type.String({
  pattern: activityIdPattern,
  errorMessage: 'must be s_ and a lower-case UUID',
  description: 'Identifier of an activity: `s_` and a lower-case UUID.',
  examples: ['s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10'],
})

/** The path parameter of every route about one activity. */
export const activityPathSchema = Type.Object({ ActivityID: activityIdSchema })

export const priceSchema = Type.Object(
  {
    Amount: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
      errorMessage: 'must be a decimal amount, such as "45.00"',
      description: 'Decimal amount for one participant.',
      examples: ['45.00'],
    }),
    Currency: Type.String({
      pattern: '^[A-Z]{3}$',
      errorMessage: 'must be an ISO 4217 code, such as EUR',
      description: 'ISO 4217 code.',
      examples: ['EUR'],
    }),
  },
  { description: 'Price of one place.' },
)

/** What describes a product, wherever it is written or read. */
export const productFields = {
  Name: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Unique within the account, in any case.',
    examples: ['Sunset kayak tour'],
  }),
  Description: Type.String({
    maxLength: 10_000,
    description: 'What customers are told, as plain text.',
    examples: ['Two hours along the cliffs, wetsuit included.'],
  }),
  DurationMinutes: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'From the start of a timeslot to its end.',
    examples: [120],
  }),
  Price: priceSchema,
  TimeZone: Type.String({
    maxLength: 64,
    description: 'IANA time zone in which the product’s dates and times are meant.',
    examples: ['Europe/Lisbon'],
  }),
}

export const questionTypes = [
  'text',
  'textarea',
  'select',
  'checkbox',
  'date',
  'email',
  'phone',
  'signature',
  'file',
] as const

/** What describes a waiver question, wherever it is written or read. */
export const questionFields = {
  Label: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'The question as the customer reads it.',
    examples: ['Can every participant swim?'],
  }),
  Type: Type.Enum(questionTypes, { description: 'How it is answered.', examples: ['select'] }),
  Required: Type.Boolean({ description: 'Whether the partner must have it answered before booking.' }),
  Options: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 100,
    description: 'What can be chosen, for `select` and `checkbox`.',
    examples: [['Yes', 'No']],
  }),
  AppliesTo: Type.Enum(['booking', 'participant'], {
    description: 'Whether it is asked once or for every participant.',
    examples: ['booking'],
  }),
}

export const productSchema = Type.Object(
  {
    ID: Type.Integer({ minimum: 1, examples: [12] }),
    ActivityID: activityIdSchema,
    ...productFields,
    UpdatedAt: Type.String({ format: 'date-time', examples: ['2026-05-04T09:30:00.000Z'] }),
  },
  { title: 'Product' },
)

export const questionSchema = Type.Object(
  { ID: Type.Integer({ minimum: 1, examples: [31] }), ...questionFields },
  { title: 'Question' },
)
