/**
 * The pages of metered usage: totals and charts, the list of entries with a form that voids each, and files.
 */

import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { sendSpooled } from '../../http/spooled-text.ts'
import { takeTurns } from '../../http/turns.ts'
import { browseEntries, checkFileRange, type Reading, voidUsage } from '../../metering/read/service.ts'
import { overviewUsage, writeDays } from '../../metering/read/summaries.ts'
import { entriesQuerySchema, entryPathSchema, voidRequestSchema } from '../../metering/schemas.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { asCsv, sendCsv } from '../frame/csv.ts'
import { doneAt, searchOf, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { dayRows, entryRows } from './files.ts'
import { chooseRange, lastDays, listDays, toQuery } from './range.ts'
import { charts, entriesTable, freshness, maxCharts, presetLinks, rangeForm, totals } from './views.ts'

// The parameters are those of the API, but all are optional: an address may leave out the days.
const querySchema = Type.Partial(entriesQuerySchema)
const entriesOptions = { schema: { hide: true, querystring: querySchema } }
const summaryOptions = { ...entriesOptions, config: { takesNoTurn: true } }
const maxDays = 400
const maxMeters = 200

export const usagePages: Routes<{ reading: Reading }> = (app, { reading }) => {
  app.get('/usage', summaryOptions, async (request, reply) => {
    const { session, query } = request
    const { timeZone } = session.user
    const range = chooseRange(query, timeZone)
    const days = listDays(range, maxDays)
    const readAt = new Date()
    const { summary, hasMore, pending } = await overviewUsage(
      reading,
      { of: session.user, range },
      { most: maxMeters, withDays: days ? maxCharts : 0 },
      takeTurns(reading.shares, session.user.accountId, reply),
    )
    const t = textsFor(request)
    const presets = presetLinks(
      [7, 30, 90, 365].map((count) => ({
        label: t.say('report.last-days', { count }),
        range: { ...range, ...lastDays(count, timeZone) },
      })),
    )
    return sendDashboard(reply, session, {
      title: t.say('usage.title'),
      assets: ['usage.css', 'charts.css', 'charts.js'],
      body: html`<p class="actions"><a class="button secondary" href="/dashboard/usage/thresholds">${t.say('usage.thresholds')}</a></p>
${rangeForm(t, '/dashboard/usage', range, presets)}
${freshness(session, pending, t.moment(readAt, timeZone), t)}
<p class="hint">${t.say('usage.days', { timeZone })}</p>
${totals({ summary, hasMore }, range, t)}
${charts(summary, days, t)}`,
    })
  })

  app.get('/usage/entries', entriesOptions, async (request, reply) => {
    const { session, query, url } = request
    const range = chooseRange(query, session.user.timeZone)
    const { entries, next } = await browseEntries(reading, session.user, { limit: 50, ...query, ...range })
    const t = textsFor(request)
    const view = { session, entries, next, url, t }
    return sendDashboard(reply, session, {
      title: t.say('usage.entries.title'),
      assets: ['usage.css'],
      body: html`<p><a href="/dashboard/usage?${toQuery(range)}">${t.say('usage.back')}</a></p>
${rangeForm(t, '/dashboard/usage/entries', range, html``)}
${entriesTable(view)}`,
    })
  })

  app.post(
    '/usage/entries/:ID/void',
    {
      schema: {
        hide: true,
        params: entryPathSchema,
        querystring: querySchema,
        body: voidRequestSchema,
      },
    },
    async ({ session, params, body, url }, reply) => {
      await voidUsage(reading, session.user, { id: Number(params.ID), reason: body.Reason })
      return reply.redirect(doneAt(`/dashboard/usage/entries${searchOf(url)}`, 'voided'), 303)
    },
  )

  app.get('/usage/days.csv', summaryOptions, async (request, reply) => {
    const { user } = request.session
    const range = chooseRange(request.query, user.timeZone)
    const takeTurn = takeTurns(reading.shares, user.accountId, reply)
    const { text, pending } = await writeDays(reading, { of: user, range }, dayRows, takeTurn)
    asCsv(reply, `usage-${range.from}-${range.to}.csv`).header('usage-pending', pending)
    return sendSpooled(reply, text)
  })

  app.get('/usage/entries.csv', entriesOptions, async (request, reply) => {
    const { user } = request.session
    const range = chooseRange(request.query, user.timeZone)
    checkFileRange(range)
    // The first page is read before the file begins, so that a refusal can still be sent as a page of the
    // dashboard.
    const first = await browseEntries(reading, user, { ...range, limit: 1000 })
    const more = (cursor: string) => browseEntries(reading, user, { ...range, limit: 1000, cursor })
    return sendCsv(reply, `usage-entries-${range.from}-${range.to}.csv`, entryRows(first, more))
  })
}
