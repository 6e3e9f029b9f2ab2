/** How customers pay, for the operator to read and to set. */
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
        description: 'Of the account of the key; a test account has its own.',
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
          'Both fields; one that is left out is set no more. A customer who takes an offer of the waitlist is led to `PaymentPage`. The provider tells of the payment by its event.',
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
