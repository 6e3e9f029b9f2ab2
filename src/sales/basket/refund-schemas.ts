/** Wire shape of the request that marks payments as paid back. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { totalSchema } from '../booking/schemas.ts'
import { paidReferenceSchema } from '../ledger/schemas.ts'
import { paymentIdSchema } from './schemas.ts'

export const refundRequestSchema = Type.Object(
  {
    Payments: Type.Array(paymentIdSchema, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'The `ID`s of the payments that were paid back.',
      examples: [['evt_0193']],
    }),
    Amount: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description:
          'The total that was paid back for them, if known. If this is not the amount that is due now, for example because a provider has paid back a part, nothing is marked.',
        examples: ['90.00'],
      }),
    ),
    Method: Type.Optional(
      Type.Enum(['online', 'card', 'transfer'], {
        description:
          'How they were paid back. `online`, the default: by the payment provider. Cash is not possible, because this money was never in a till.',
        examples: ['online'],
      }),
    ),
    Reference: Type.Optional(paidReferenceSchema),
  },
  { title: 'BasketRefund' },
)
export type BasketRefundRequest = Static<typeof refundRequestSchema>
