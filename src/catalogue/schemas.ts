/**
 * Schemas of products and waiver questions for partners and operators. The catalogue file uses the same
 * fields.
 */

import { pageFields } from '../http/wire.ts'
import { type Static, Type } from '../platform/schema/typebox.ts'
import { activityIdPattern } from './model.ts'
import { refundTermsSchema } from './refund-steps.ts'
import { optionalRules, priceSchema, ruleFields, ruleViewFields, unitSchema } from './sale-schemas.ts'

export { priceSchema } from './sale-schemas.ts'

export const activityIdSchema = Type.String({
  pattern: activityIdPattern,
  errorMessage: 'must be s_ and a lower-case UUID',
  description: 'Identifier of an activity: `s_` and a lower-case UUID.',
  examples: ['s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10'],
})

/** The path parameter of every route about one activity. */
export const activityPathSchema = Type.Object({ ActivityID: activityIdSchema })

/** An ID in a path. If the ID is well-formed but unknown, the response is 404. */
export const idInPathSchema = Type.String({
  pattern: '^[1-9]\\d{0,15}$',
  errorMessage: 'must be a positive integer',
  examples: ['12'],
})

/** The fields of a product, in all schemas. */
export const productFields = {
  Name: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Unique within the account, without regard to case.',
    examples: ['Sunset kayak tour'],
  }),
  Description: Type.String({
    maxLength: 10_000,
    description: 'Description for customers, as plain text.',
    examples: ['Two hours along the cliffs, wetsuit included.'],
  }),
  DurationMinutes: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description:
      'Minutes from the start of a timeslot to its end. An all-day timeslot ends at its last closing instead.',
    examples: [120],
  }),
  Price: priceSchema,
  TimeZone: Type.String({
    maxLength: 64,
    description: 'IANA time zone of the product’s dates and times.',
    examples: ['Europe/Lisbon'],
  }),
}

const inShopfrontDescription = 'Whether partners see and sell the product.'
export const inShopfrontSchema = Type.Boolean({ description: inShopfrontDescription })

const cutoff = { minimum: 0, maximum: 525_600, examples: [1440] }
const cutoffsDescribed = {
  BookingCutoffMinutes:
    'Places are sold until this many minutes before the start, or before the last closing of an all-day timeslot.',
  CancelCutoffMinutes: 'Partners and customers can cancel until this many minutes before the start.',
}
const bookingCutoffSchema = Type.Integer({ ...cutoff, description: cutoffsDescribed.BookingCutoffMinutes })
const cancelCutoffSchema = Type.Integer({ ...cutoff, description: cutoffsDescribed.CancelCutoffMinutes })

/** @param otherwise the value when a field is left out. */
export function optionalCutoffs(otherwise: string) {
  const said = (field: keyof typeof cutoffsDescribed) =>
    Type.Optional(
      Type.Integer({ ...cutoff, description: `${cutoffsDescribed[field]} Default: ${otherwise}.` }),
    )
  return {
    BookingCutoffMinutes: said('BookingCutoffMinutes'),
    CancelCutoffMinutes: said('CancelCutoffMinutes'),
  }
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

/** The fields of a waiver question, in all schemas. */
export const questionFields = {
  Label: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'The question as the customer reads it.',
    examples: ['Can every participant swim?'],
  }),
  Type: Type.Enum(questionTypes, { description: 'The kind of answer.', examples: ['select'] }),
  Required: Type.Boolean({
    description: 'Whether the customer must answer the question before the booking.',
  }),
  Options: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 100,
    description: 'The choices, for `select` and `checkbox`.',
    examples: [['Yes', 'No']],
  }),
  AppliesTo: Type.Enum(['booking', 'participant'], {
    description: 'Whether the question is for the booking as a whole, or for every participant.',
    examples: ['booking'],
  }),
}

/** A product as partners see it. */
export const productSchema = Type.Object(
  {
    ID: Type.Integer({ minimum: 1, examples: [12] }),
    ActivityID: activityIdSchema,
    ...productFields,
    Units: Type.Optional(
      Type.Array(unitSchema, {
        description:
          'The units that the product sells, in the operator’s order. Missing for a product without units, which sells places.',
      }),
    ),
    ...ruleViewFields,
    BookingCutoffMinutes: Type.Optional(bookingCutoffSchema),
    RefundTerms: Type.Optional(refundTermsSchema),
    UpdatedAt: Type.String({ format: 'date-time', examples: ['2026-05-04T09:30:00.000Z'] }),
  },
  { title: 'Product' },
)

export const questionSchema = Type.Object(
  {
    ID: Type.Integer({ minimum: 1, examples: [31] }),
    ...questionFields,
    OptionLabels: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The translations of `Options`, in the same order; missing if the question is not translated. Send texts of `Options` in answers.',
        examples: [['Sim', 'Não']],
      }),
    ),
  },
  { title: 'Question' },
)

/** The path parameter of the operator's routes about one product. */
export const productPathSchema = Type.Object({ ProductID: idInPathSchema })

/** A product as its operator sees it. */
export const ownProductSchema = Type.Object(
  {
    ID: productSchema.properties.ID,
    ActivityID: activityIdSchema,
    ...productFields,
    InShopfront: inShopfrontSchema,
    // Optional, because a response stored for an Idempotency-Key may be from the previous version of the
    // service, which did not have this field.
    BookingCutoffMinutes: Type.Optional(bookingCutoffSchema),
    CancelCutoffMinutes: cancelCutoffSchema,
    ...ruleViewFields,
    UpdatedAt: productSchema.properties.UpdatedAt,
  },
  { title: 'OperatorProduct' },
)

export const ownProductsQuerySchema = Type.Object({
  Name: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Part of the name, without regard to case.',
      examples: ['kayak'],
    }),
  ),
  InShopfront: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Only products in the shopfront (`true`), or only others (`false`).',
      examples: ['true'],
    }),
  ),
  ...pageFields,
})

export const newProductSchema = Type.Object(
  {
    ...productFields,
    InShopfront: Type.Optional(Type.Boolean({ description: `${inShopfrontDescription} Default: false.` })),
    ...optionalCutoffs('0'),
    ...optionalRules({ MinPlaces: '1', MaxPlaces: '999', PricedPer: '`person`', TakesTimeslot: 'false' }),
  },
  { title: 'NewProduct' },
)
export type NewProductRequest = Static<typeof newProductSchema>

export const productChangeSchema = Type.Partial(
  Type.Object({
    ...productFields,
    InShopfront: inShopfrontSchema,
    BookingCutoffMinutes: bookingCutoffSchema,
    CancelCutoffMinutes: cancelCutoffSchema,
    ...ruleFields,
  }),
  {
    title: 'ProductChange',
    description: 'Fields that are left out stay as they are.',
  },
)
export type ProductChange = Static<typeof productChangeSchema>

const statedQuestionSchema = Type.Object(
  {
    ID: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'ID of an existing question. A question without `ID` is new.',
        examples: [31],
      }),
    ),
    ...questionFields,
    Options: Type.Optional(questionFields.Options),
  },
  { title: 'StatedQuestion' },
)

export const questionListSchema = Type.Object(
  {
    Questions: Type.Array(statedQuestionSchema, {
      maxItems: 500,
      description: 'All questions of the product, in their order. A question that is left out is deleted.',
    }),
  },
  { title: 'QuestionList' },
)
export type StatedQuestion = Static<typeof statedQuestionSchema>
