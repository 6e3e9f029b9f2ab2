/**
 * The page of the service's health, for owners: queue, backlog, audits, rejected usage entries and failed
 * e-mails. A button retries the rejected entries.
 */
import { listAudits } from '../../accounts/audits/service.ts'
import { findBacklog } from '../../events/queries.ts'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { browseEmails, findOverdue } from '../../messaging/emails/service.ts'
import { listRejects, retryRejects } from '../../metering/audit/service.ts'
import type { JobQueue } from '../../queue/producer.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { type BoardRule, boardRefusal } from './board.ts'
import { auditSection, emailSection, queueSection, rejectSection, waitingSection } from './views.ts'

// One request retries at most `maxRetried` entries, the oldest first. If all of them are stored and there are
// more, the notice says so, and the user sends the form again.
const [maxShown, maxRetried] = [50, 500]

export const healthPages: Routes<BoardRule & { queue: JobQueue }> = (app, { queue, ...rule }) => {
  const { sql } = rule

  app.get('/health', { schema: { hide: true } }, async (request, reply) => {
    const { session } = request
    const { accountId } = session.user
    await queue.looked
    const [refusal, audits, [backlog], rejects, overdue, { emails }] = await Promise.all([
      boardRefusal(rule, session.user),
      listAudits(sql, accountId),
      findBacklog(sql, accountId),
      listRejects(sql, maxShown + 1, accountId),
      findOverdue(sql, accountId),
      browseEmails(sql, accountId, { Status: 'failed', Limit: 10 }),
    ])
    const t = textsFor(request)
    const view = { session, t, now: new Date() }
    return sendDashboard(reply, session, {
      title: t.say('health.title'),
      assets: ['upkeep.css'],
      body: html`${queueSection(view, queue.store, queue.state(), refusal === null)}
${waitingSection(view, backlog!, overdue)}
${auditSection(view, audits)}
${rejectSection(view, rejects, maxShown)}
${emailSection(view, emails)}`,
    })
  })

  app.post('/health/rejects/retry', { schema: { hide: true } }, async ({ session }, reply) => {
    const { accountId } = session.user
    const { refused } = await retryRejects(sql, { accountId, most: maxRetried })
    const others = await listRejects(sql, 1, accountId)
    const stored = others.length > 0 ? 'rejects-more' : 'rejects-stored'
    return reply.redirect(doneAt('/dashboard/health', refused > 0 ? 'rejects-refused' : stored), 303)
  })
}
