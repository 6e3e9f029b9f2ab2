/**
 * The list of refunds: the due ones, or with `Status=done` the done ones. mark-pages.ts has the pages of one
 * refund, several-pages.ts the page for several refunds.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../http/routes.ts'
import { browseRefunds } from '../../sales/ledger/paying-back.ts'
import { countDue } from '../../sales/ledger/refund-list-queries.ts'
import { type RefundsQuery, refundsQuerySchema } from '../../sales/ledger/refund-schemas.ts'
import { readMarks } from '../../sales/ledger/undoing.ts'
import { listOwnOpen } from '../../sales/till/service.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { onlyOf, refundMarkPages } from './mark-pages.ts'
import { severalRefundPages } from './several-pages.ts'
import { maxCounted, refundsView } from './views.ts'

export const refundPages: Routes<DashboardOptions> = (app, options) => {
  const { sql } = options
  refundMarkPages(app, options)
  severalRefundPages(app, options)

  app.get('/refunds', { schema: { hide: true, querystring: refundsQuerySchema } }, (request, reply) =>
    sendRefunds(request, reply, request.query),
  )

  async function sendRefunds(request: FastifyRequest, reply: FastifyReply, query: RefundsQuery) {
    const { session } = request
    const { accountId } = session.user
    const [{ refunds, next }, due, tills] = await Promise.all([
      browseRefunds(sql, accountId, query),
      countDue(sql, accountId, maxCounted),
      listOwnOpen(sql, session.user),
    ])
    const marks = await readMarks(sql, accountId, refunds, onlyOf(session))
    const shown = { refunds, marks, due, tills, query, url: request.url, next }
    return sendDashboard(reply, session, {
      title: textsFor(request).say('refunds.title'),
      body: refundsView(session, textsFor(request), shown),
      assets: ['bookings.css', 'upkeep.css', 'live.js'],
    })
  }
}
