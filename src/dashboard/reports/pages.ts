/**
 * The report of sales, as a page and as files. Its address has the same parameters as the request of the API.
 */
import type { FastifyRequest } from 'fastify'
import { listPartners } from '../../accounts/service.ts'
import { listProducts } from '../../catalogue/products/service.ts'
import { html } from '../../http/pages.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { InvalidFields } from '../../platform/schema/validation.ts'
import { addDays, dateIn, isCalendarDate } from '../../platform/text/calendar.ts'
import { lastDayOf, type ReportRange } from '../../reports/sales/report/model.ts'
import { type ReportQuery, reportQuerySchema, toReportRequest } from '../../reports/sales/report/schemas.ts'
import { reportSales } from '../../reports/sales/report/service.ts'
import { sendCsv } from '../frame/csv.ts'
import { faultsOf } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { groupRows, periodRows } from './files.ts'
import { statementPages } from './statement-pages.ts'
import { reportBody, reportForm } from './views.ts'

// The parameters of the API. The address of the page may leave out any of them.
const querySchema = Type.Partial(reportQuerySchema)
type AboutReport = FastifyRequest<{ Querystring: Partial<ReportQuery> }>

export const reportPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  statementPages(app, { sql })

  app.get(
    '/reports',
    { schema: { hide: true, querystring: querySchema }, attachValidation: true },
    async (request, reply) => {
      const { session } = request
      const { accountId, timeZone } = session.user
      const today = dateIn(timeZone, new Date())
      const query = withDefaults(request.query, today)
      const [products, partners, found] = await Promise.all([
        listProducts(sql, accountId, {}),
        listPartners(sql, accountId),
        read(sql, request, query),
      ])
      const t = textsFor(request)
      const presets = presetsOf(t, today)
      const form = reportForm(t, { query, products, partners, presets, faults: found.faults })
      const range = { from: query.From, to: query.To }
      const group = query.Group ?? 'product'
      const body = found.report ? reportBody({ report: found.report, query, group, range, t }) : html``
      return sendDashboard(reply, session, {
        title: t.say('report.title'),
        status: found.status,
        assets: ['usage.css', 'reports.css', 'charts.css', 'charts.js'],
        body: html`${form}
<p class="hint">${query.Basis === 'travel' ? '' : `${t.say('report.sale-days', { timeZone })} `}${t.say('report.cancelled-about')}</p>
${body}`,
      })
    },
  )

  const fileSchema = { schema: { hide: true, querystring: querySchema } }
  app.get('/reports/periods.csv', fileSchema, async (request, reply) => {
    const { query, report } = await readFile(sql, request)
    return sendCsv(reply, `sales-${query.From}-${query.To}.csv`, periodRows(report))
  })

  app.get('/reports/groups.csv', fileSchema, async (request, reply) => {
    const { query, report } = await readFile(sql, request)
    return sendCsv(
      reply,
      `sales-by-${query.Group}-${query.From}-${query.To}.csv`,
      groupRows(report, query.Group ?? 'product'),
    )
  })
}

/**
 * Adds defaults to the query of an address: the last thirty days, day by day, by product and by the day of the sale.
 */
function withDefaults(query: Partial<ReportQuery>, today: string): ReportQuery {
  const To = query.To ?? (query.From && query.From > today ? query.From : today)
  // An invalid day stays as it was typed, and validation reports it.
  const {
    From = isCalendarDate(To) ? addDays(To, -29) : To,
    Group = 'product',
    By = 'day',
    Basis = 'sold',
  } = query
  return { ...query, From, To, Group, By, Basis }
}

async function read(sql: Sql, request: AboutReport, query: ReportQuery) {
  try {
    const { validationError, session } = request
    if (validationError instanceof InvalidFields) throw problems.validation(validationError.fields)
    const report = await reportSales(sql, session.user.accountId, toReportRequest(query))
    return { report, faults: null, status: 200 }
  } catch (error) {
    return { report: null, ...faultsOf(error) }
  }
}

async function readFile(sql: Sql, { session, query: given }: AboutReport) {
  const { accountId, timeZone } = session.user
  const query = withDefaults(given, dateIn(timeZone, new Date()))
  return { query, report: await reportSales(sql, accountId, toReportRequest(query)) }
}

function presetsOf(t: Texts, today: string): { label: string; range: ReportRange }[] {
  const month = { from: `${today.slice(0, 7)}-01`, to: lastDayOf(today, 'month') }
  const lastDay = addDays(month.from, -1)
  const year = today.slice(0, 4)
  return [
    { label: t.say('report.last-days', { count: 7 }), range: { from: addDays(today, -6), to: today } },
    { label: t.say('report.last-days', { count: 30 }), range: { from: addDays(today, -29), to: today } },
    { label: t.say('report.this-month'), range: month },
    { label: t.say('report.last-month'), range: { from: `${lastDay.slice(0, 7)}-01`, to: lastDay } },
    { label: t.say('report.this-year'), range: { from: `${year}-01-01`, to: `${year}-12-31` } },
  ]
}
