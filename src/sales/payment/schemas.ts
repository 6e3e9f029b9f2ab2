/** Wire shapes of a payment provider's events. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { basketSchema } from '../basket/schemas.ts'
import { totalSchema } from '../booking/schemas.ts'

export const paymentEventSchema = Type.Object(
  {
    ID: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'For `succeeded` and `failed` the provider’s ID of the event, for `refunded` its ID of the refund. All events about one refund must have the same `ID`; events with different `ID`s are different refunds, even if the amounts are equal.',
      examples: ['evt_0193'],
    }),
    Account: Type.String({
      maxLength: 68,
      description: 'Slug of the account that is paid. The slug of a test account ends with `.test`.',
      examples: ['harbour'],
    }),
    Type: Type.Enum(['succeeded', 'failed', 'refunded'], { examples: ['succeeded'] }),
    BasketID: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7001] }),
    Amount: Type.String({
      ...totalSchema.properties.Amount,
      description:
        'The amount that was paid: the basket’s `Total`, or the balance of the sale. For `refunded`, the amount that was paid back.',
    }),
    Currency: totalSchema.properties.Currency,
    Reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'The provider’s reference of the payment. Two events with the same reference are about the same payment.',
        examples: ['ch_5521'],
      }),
    ),
  },
  { title: 'PaymentEvent' },
)
export type PaymentEventRequest = Static<typeof paymentEventSchema>

export const paymentOutcomeSchema = Type.Object(
  {
    ID: paymentEventSchema.properties.ID,
    Outcome: Type.Enum(['completed', 'refund-due', 'released', 'refunded', 'ignored'], {
      description:
        '`completed`: every line is confirmed, or the payment is added to a completed sale. `refund-due`: the operator has to pay this payment back. `released`: the places are free. `refunded`: the event marked money as paid back. `ignored`: the event changed nothing. A `refunded` event that arrives before the operator’s decision is stored as `ignored`. When it later matches a decision, or a payment that bought nothing (one that could not be used for the sale), its outcome becomes `refunded`.',
      examples: ['completed'],
    }),
    BasketStatus: basketSchema.properties.Status,
  },
  { title: 'PaymentOutcome' },
)
export type PaymentOutcome = Static<typeof paymentOutcomeSchema>

export const signatureHeaders = Type.Object({
  'payment-signature': Type.Optional(
    Type.String({
      description: '`t=<Unix seconds>,v1=<hex>`; required, and checked before anything else.',
      examples: [`t=1812800400,v1=${'0'.repeat(64)}`],
    }),
  ),
})
