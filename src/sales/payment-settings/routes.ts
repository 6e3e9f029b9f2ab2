/** The operator's routes that read and replace the payment settings. */
import { byKey } from '../../events/actor.ts'
import { problemResponses, reading, writing } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { paymentSettingsRequestSchema, paymentSettingsSchema } from './schemas.ts'
import { findSettings, replacePaymentSettings } from './service.ts'

export const paymentSettingsRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/payment-settings',
    {
      schema: {
        operationId: 'readPaymentSettings',
        tags: ['Payments'],
        summary: 'Read how customers pay',
        description: 'The settings of the key’s account. A test account has its own settings.',
        response: { 200: envelope(paymentSettingsSchema), ...problemResponses(...reading) },
      },
    },
    async (request) => {
      const { paymentPage, contact } = await findSettings(sql, request.caller.accountId)
      return { data: { PaymentPage: paymentPage, Contact: contact } }
    },
  )

  app.put(
    '/payment-settings',
    {
      schema: {
        operationId: 'replacePaymentSettings',
        tags: ['Payments'],
        summary: 'Replace how customers pay',
        description:
          'Replaces both fields; a field that is left out is removed. `PaymentPage` is linked for customers who take an offer of the waitlist, and on receipts with a balance. The provider reports the payment with an event.',
        body: paymentSettingsRequestSchema,
        response: { 200: envelope(paymentSettingsSchema), ...problemResponses(...writing) },
      },
    },
    async (request) => {
      const replace = () =>
        runAgain(sql, (tx) => replacePaymentSettings(tx, byKey(request.caller), request.body))
      return { data: await replace() }
    },
  )
}
