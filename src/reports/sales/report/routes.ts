/** The operator's route for the sales report. */
import { problemResponses, reading } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope } from '../../../http/wire.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { reportQuerySchema, reportSchema, toReportRequest } from './schemas.ts'
import { reportSales } from './service.ts'
import { reportView } from './views.ts'

export const reportRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/reports/sales',
    {
      schema: {
        operationId: 'reportSales',
        tags: ['Reports'],
        summary: 'Report what was sold',
        description:
          'Revenue, guests, cancellations, no-shows, occupancy and what partners owe, in a range and its periods, beside the same number of days before. Figures follow bookings within seconds.',
        querystring: reportQuerySchema,
        response: { 200: envelope(reportSchema), ...problemResponses(...reading) },
      },
    },
    async ({ caller, query }) => {
      const request = toReportRequest(query)
      return { data: reportView(request, await reportSales(sql, caller.accountId, request)) }
    },
  )
}
