/** The statement of a partner for a month, as a page and as a file, and a file of what all partners owe. */
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { reportQuerySchema } from '../../reports/sales/report/schemas.ts'
import {
  statementPathSchema,
  statementQuerySchema,
  statementView,
} from '../../reports/sales/statement/schemas.ts'
import { listOwedByMonth, readStatement } from '../../reports/sales/statement/service.ts'
import { sendCsv } from '../frame/csv.ts'
import { sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import type { StatementPage } from './files.ts'
import { owedRows, statementFileName, statementRows } from './files.ts'
import { statementBody } from './statement-views.ts'

const schema = { hide: true, params: statementPathSchema, querystring: Type.Partial(statementQuerySchema) }
// Large, so that nearly every month is one page that can be printed.
const pageSize = 500

export const statementPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  const read = async (
    accountId: number,
    request: { partnerId: number; month: string; cursor?: string | undefined },
  ): Promise<StatementPage> => {
    const found = await readStatement(sql, accountId, { ...request, limit: pageSize })
    return { view: statementView(request.month, found), next: found.next }
  }
  const monthOf = (timeZone: string, month: string | undefined) =>
    month ?? dateIn(timeZone, new Date()).slice(0, 7)

  const rangeSchema = { hide: true, querystring: Type.Pick(reportQuerySchema, ['From', 'To']) }
  app.get('/reports/partners.csv', { schema: rangeSchema }, async ({ session, query }, reply) => {
    const { From: from, To: to } = query
    const months = await listOwedByMonth(sql, session.user.accountId, { from, to })
    return sendCsv(reply, `partners-${from.slice(0, 7)}-${to.slice(0, 7)}.csv`, owedRows(months))
  })

  app.get('/reports/partners/:PartnerID', { schema }, async (request, reply) => {
    const { session, params, query, url } = request
    const { accountId, timeZone } = session.user
    const month = monthOf(timeZone, query.Month)
    const page = await read(accountId, { partnerId: Number(params.PartnerID), month, cursor: query.Cursor })
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('statement.title', { partner: page.view.PartnerName }),
      assets: ['usage.css', 'reports.css'],
      body: statementBody(t, { ...page, url }),
    })
  })

  app.get(
    '/reports/partners/:PartnerID/statement.csv',
    { schema },
    async ({ session, params, query }, reply) => {
      const { accountId, timeZone } = session.user
      const key = { partnerId: Number(params.PartnerID), month: monthOf(timeZone, query.Month) }
      // The first page is read before the file begins, so that an invalid request gets an error.
      const first = await read(accountId, key)
      const rows = statementRows(first, (cursor) => read(accountId, { ...key, cursor }))
      return sendCsv(reply, statementFileName(first.view, key.month), rows)
    },
  )
}
