/** Where a payment provider tells what became of a payment. */
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
      // All of it is read before it is known who sent it.
      bodyLimit: 64 * 1024,
      schema: {
        operationId: 'takePaymentEvent',
        tags: ['Payments'],
        summary: 'Tell what became of a payment',
        description:
          'Each `ID` acts once; the same event again is counted once, and answered with what it came to. `succeeded` confirms every line of the basket, also after `ExpiresAt` while the places can still be had; otherwise, or when the amount is not the total, or the basket was paid before, the money is `refund-due`. `failed` frees the places of a basket that is not paid. `refunded` marks what was due to be paid back of the basket: the payment of that reference that bought nothing, or a refund of that amount, or all that is due together, or parts of these; what is more than that and was to be kept is paid back too. One that comes before the operator decides is kept, and the decision finds it.',
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
