/** Who the operator is in business, for the operator to read and to set. */
import { byKey } from '../../events/actor.ts'
import { problemResponses, reading, writing } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { businessDetailsRequestSchema, businessDetailsSchema } from './schemas.ts'
import { readBusinessDetails, replaceBusinessDetails } from './service.ts'

export const businessDetailsRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/business-details',
    {
      schema: {
        operationId: 'readBusinessDetails',
        tags: ['Payments'],
        summary: 'Read the business details on receipts',
        description: 'Of the account of the key; a test account has its own.',
        response: { 200: envelope(businessDetailsSchema), ...problemResponses(...reading) },
      },
    },
    async (request) => ({ data: await readBusinessDetails(sql, request.caller.accountId) }),
  )

  app.put(
    '/business-details',
    {
      schema: {
        operationId: 'replaceBusinessDetails',
        tags: ['Payments'],
        summary: 'Replace the business details on receipts',
        description:
          'All fields; one that is left out is set no more. Receipts, their e-mails and the pages of customers show them from then on, also those of earlier sales.',
        body: businessDetailsRequestSchema,
        response: { 200: envelope(businessDetailsSchema), ...problemResponses(...writing) },
      },
    },
    async (request) => {
      const replace = () =>
        runAgain(sql, (tx) => replaceBusinessDetails(tx, byKey(request.caller), request.body))
      return { data: await replace() }
    },
  )
}
