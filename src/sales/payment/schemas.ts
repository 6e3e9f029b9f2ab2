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
        'The provider’s own ID of what happened: of `succeeded` and `failed` the event’s, of `refunded` the refund’s own. Each refund has one `ID`, and every message about it carries the same; two of different `ID`s are two refunds, also of equal amounts.',
      examples: ['evt_0193'],
    }),
    Account: Type.String({
      maxLength: 68,
      description: 'Slug of the account that is paid; of a test account with `.test` behind it.',
      examples: ['harbour'],
    }),
    Type: Type.Enum(['succeeded', 'failed', 'refunded'], { examples: ['succeeded'] }),
    BasketID: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7001] }),
    Amount: Type.String({
      ...totalSchema.properties.Amount,
      description:
        'What was paid: the basket’s `Total`, or what the sale still owes. Of `refunded` what was paid back.',
    }),
    Currency: totalSchema.properties.Currency,
    Reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'What the provider knows the payment by; two events with the same one tell of one payment.',
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
        '`completed`: every line is confirmed. `refund-due`: the operator has to pay this payment back. `released`: the places are free. `refunded`: it reported a refund. `ignored`: it changed nothing. A `refunded` event that came before the operator decided is `ignored` and kept; once a decision, or a payment that bought nothing, has found it, it is `refunded`.',
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
