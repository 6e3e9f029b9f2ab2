/** Wire shape of the request that marks payments as paid back. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { totalSchema } from '../booking/schemas.ts'
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
          'What was paid back of them together, where it is known: if another amount is due by now, as after a provider has paid back a part, nothing is marked.',
        examples: ['90.00'],
      }),
    ),
  },
  { title: 'BasketRefund' },
)
export type BasketRefundRequest = Static<typeof refundRequestSchema>
