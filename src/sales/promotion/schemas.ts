/** Wire shapes of promotions, and of the code of a basket. */

import { idInPathSchema, priceSchema } from '../../catalogue/schemas.ts'
import { pageFields } from '../../http/wire.ts'
import { type Static, type TSchema, Type } from '../../platform/schema/typebox.ts'

export const codeSchema = Type.String({
  pattern: '^[A-Za-z0-9-]{3,40}$',
  errorMessage: 'must be 3 to 40 letters A to Z, digits and hyphens',
  description: 'In upper or lower case.',
  examples: ['SUMMER-10'],
})

export const percentSchema = Type.String({
  pattern: '^\\d{1,3}(\\.\\d{1,2})?$',
  errorMessage: 'must be a percentage with at most two decimals, such as "12.5"',
  description: 'Above 0 and up to 100, with at most two decimals.',
  examples: ['10'],
})

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const daySchema = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] })
export const maxUses = 1_000_000_000
export const maxProducts = 500

const limitSchema = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: maxUses, description, examples: [example] })

const limitFields = {
  ProductIDs: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    minItems: 1,
    maxItems: maxProducts,
    uniqueItems: true,
    description: 'The products that the promotion is for.',
    examples: [[12]],
  }),
  SaleFrom: daySchema(
    'First day on which the promotion can be applied, in the account’s time zone.',
    '2027-05-01',
  ),
  SaleTo: daySchema('Last day on which the promotion can be applied, included.', '2027-05-31'),
  TravelFrom: daySchema(
    'First day of the timeslots that the promotion is for, local to the product.',
    '2027-06-01',
  ),
  TravelTo: daySchema('Last day of the timeslots that the promotion is for, included.', '2027-09-30'),
  MaxUses: limitSchema('The maximum number of baskets that use the promotion.', 100),
  MaxUsesPerCustomer: limitSchema(
    'The maximum number of baskets of one customer, by e-mail address, that use the promotion.',
    1,
  ),
}

const activeSchema = Type.Boolean({
  description:
    'Whether the promotion can be applied. When it ends, baskets keep a promotion that was applied before.',
  examples: [true],
})

const termsFields = {
  Percent: percentSchema,
  Amount: Type.String({
    ...priceSchema.properties.Amount,
    description:
      'The total amount off the lines for which the promotion is valid; at most the price of these lines.',
    examples: ['15.00'],
  }),
  Currency: priceSchema.properties.Currency,
}

const requestFields = {
  Percent: Type.Optional(termsFields.Percent),
  Amount: Type.Optional(termsFields.Amount),
  Currency: Type.Optional(termsFields.Currency),
  ...Type.Partial(Type.Object({ ...limitFields, Active: activeSchema })).properties,
}

export const newPromotionSchema = Type.Object(
  { Code: codeSchema, ...requestFields },
  { title: 'NewPromotion', description: 'Either `Percent`, or `Amount` with `Currency`.' },
)
export type NewPromotionRequest = Static<typeof newPromotionSchema>

const limitNames = Object.keys(limitFields) as (keyof typeof limitFields)[]

export const promotionChangeSchema = Type.Object(
  {
    ...requestFields,
    Unset: Type.Optional(
      Type.Array(Type.Enum(limitNames), {
        maxItems: limitNames.length,
        uniqueItems: true,
        description: 'Limits to remove.',
        examples: [['MaxUses']],
      }),
    ),
  },
  {
    title: 'PromotionChange',
    description: 'A field that is not given does not change. The code cannot change.',
  },
)
export type PromotionChange = Static<typeof promotionChangeSchema>
export type PromotionLimitName = (typeof limitNames)[number]

const instantSchema = Type.String({ format: 'date-time', examples: ['2027-05-04T09:30:00.000Z'] })

export const promotionSchema = Type.Object(
  {
    PromotionID: Type.Integer({ minimum: 1, examples: [5] }),
    Code: Type.String({ description: 'In capitals.', examples: ['SUMMER-10'] }),
    Percent: orNull(termsFields.Percent),
    Amount: orNull(termsFields.Amount),
    Currency: orNull(termsFields.Currency),
    ProductIDs: orNull(limitFields.ProductIDs),
    SaleFrom: orNull(limitFields.SaleFrom),
    SaleTo: orNull(limitFields.SaleTo),
    TravelFrom: orNull(limitFields.TravelFrom),
    TravelTo: orNull(limitFields.TravelTo),
    MaxUses: orNull(limitFields.MaxUses),
    MaxUsesPerCustomer: orNull(limitFields.MaxUsesPerCustomer),
    Active: activeSchema,
    Uses: Type.Integer({
      minimum: 0,
      description: 'The number of open and completed baskets that use the promotion.',
      examples: [17],
    }),
    CreatedAt: instantSchema,
    UpdatedAt: instantSchema,
  },
  { title: 'Promotion', description: 'A limit that is null does not apply.' },
)
export type PromotionView = Static<typeof promotionSchema>

export const promotionPathSchema = Type.Object({ PromotionID: idInPathSchema })

export const promotionsQuerySchema = Type.Object({
  Code: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Part of the code, in upper or lower case.',
      examples: ['summer'],
    }),
  ),
  Active: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: '`true`: only active promotions. `false`: only ended promotions.',
      examples: ['true'],
    }),
  ),
  ...pageFields,
})
export type PromotionsQuery = Static<typeof promotionsQuerySchema>

export const promotionCodeSchema = Type.Object({ Code: codeSchema }, { title: 'BasketPromotionRequest' })
