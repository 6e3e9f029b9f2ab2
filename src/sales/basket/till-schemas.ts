/** Wire shapes of the till: payments and reductions. */

import { type Static, Type } from '../../platform/schema/typebox.ts'
import { partyRequired, totalSchema } from '../booking/schemas.ts'
import { paidReferenceSchema } from '../ledger/schemas.ts'
import { percentSchema } from '../promotion/schemas.ts'
import { customerRequestSchema, lineRequestSchema, tillMethods } from './schemas.ts'

export const tillPaymentSchema = Type.Object(
  {
    Method: Type.Enum(tillMethods, { examples: ['card'] }),
    Reference: Type.Optional(paidReferenceSchema),
    Amount: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description:
          'The amount that is paid now, in the currency of the sale: at most the total, which is the default. The rest can be paid later. With `0.00`, nothing is paid now.',
        examples: ['20.00'],
      }),
    ),
  },
  { title: 'TillPayment' },
)
export type TillPayment = Static<typeof tillPaymentSchema>

export const tillReductionSchema = Type.Object(
  {
    Amount: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description: 'The amount that is taken off, in the currency of the sale.',
        examples: ['5.00'],
      }),
    ),
    Percent: Type.Optional(percentSchema),
    Reason: Type.String({
      trimmedLength: 255,
      description: 'The reason, in your own words, for the history.',
      examples: ['Late start'],
    }),
  },
  {
    title: 'TillReduction',
    description: 'Either `Amount` or `Percent` of the total after a promotion. It may reduce the total to 0.',
  },
)
export type TillReduction = Static<typeof tillReductionSchema>

export const basketPaymentSchema = Type.Object(
  { ...tillPaymentSchema.properties, Reduction: Type.Optional(tillReductionSchema) },
  { title: 'BasketTillPayment' },
)

export const saleRequestSchema = Type.Object(
  {
    ...lineRequestSchema.properties,
    Customer: Type.Optional(customerRequestSchema),
    Payment: tillPaymentSchema,
    Reduction: Type.Optional(tillReductionSchema),
  },
  { title: 'SaleRequest', ...partyRequired },
)
export type SaleRequest = Static<typeof saleRequestSchema>
