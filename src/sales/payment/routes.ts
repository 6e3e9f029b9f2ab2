/** The route to which a payment provider sends its events. */
import { problemResponses } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { paymentEventSchema, paymentOutcomeSchema, signatureHeaders } from './schemas.ts'
import { takeEvent } from './service.ts'

export const paymentRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post(
    '/events',
    {
      // The limit is low, because the whole body is read before its signature is checked.
      bodyLimit: 64 * 1024,
      schema: {
        operationId: 'takePaymentEvent',
        tags: ['Payments'],
        summary: 'Report a payment event',
        description:
          'Each `ID` takes effect once; a repeated event gets the result of the first one. `succeeded` confirms every line of the basket, even after `ExpiresAt` if the places are still free. If the basket cannot be completed, for example because the places are gone or the amount is not the total, the money is `refund-due`. After the basket is completed, a further payment of at most the balance of the sale is added to it; a larger one is `refund-due`. `failed` frees the places of an unpaid basket; an offer of the waitlist stays held until it expires. `refunded` marks money of the basket as paid back: the payment with that reference that bought nothing, a due refund of that amount, all due refunds if that amount is their sum, or parts of these. What exceeds these amounts and the total of the valid bookings is taken from the money that the operator keeps. A refund that arrives before the operator’s decision is stored, and is applied when the operator decides.',
        headers: signatureHeaders,
        body: paymentEventSchema,
        response: {
          200: envelope(paymentOutcomeSchema),
          ...problemResponses(
            'invalid-signature',
            'not-found',
            'payload-too-large',
            'unsupported-media-type',
            'validation',
            'payment-event-reused',
            'rate-limited',
            'unavailable',
          ),
        },
      },
    },
    async (request) => {
      return { data: await takeEvent(sql, request.signerId, request.body) }
    },
  )
}
