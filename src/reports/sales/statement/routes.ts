/** The operator's route for partner statements. */
import { problemResponses, reading } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, linkNext } from '../../../http/wire.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { statementPathSchema, statementQuerySchema, statementSchema, statementView } from './schemas.ts'
import { readStatement } from './service.ts'

export const statementRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.get(
    '/reports/partners/:PartnerID/statement',
    {
      schema: {
        operationId: 'readPartnerStatement',
        tags: ['Reports'],
        summary: 'Read the statement of a partner',
        description:
          'The partner’s bookings of the timeslots of a month, each with its price, the commission and what the partner owes, and the totals of all of them. `Link: rel="next"` leads to the rest.',
        params: statementPathSchema,
        querystring: statementQuerySchema,
        response: { 200: envelope(statementSchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request
      const found = await readStatement(sql, caller.accountId, {
        partnerId: Number(params.PartnerID),
        month: query.Month,
        limit: query.Limit,
        cursor: query.Cursor,
      })
      if (found.next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: found.next }))
      return { data: statementView(query.Month, found) }
    },
  )
}
