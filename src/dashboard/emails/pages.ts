/** Pages of e-mails: the outbox, one e-mail, and retrying a failed e-mail. Also registers the pages of workflows. */

import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import { emailPathSchema, emailsQuerySchema } from '../../messaging/emails/schemas.ts'
import { browseEmails, findEmail, findTestMessage, retryEmail } from '../../messaging/emails/service.ts'
import { emailView } from '../../messaging/emails/view.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { emailPage, outboxPage } from './views.ts'
import { workflowPages } from './workflow-pages.ts'

export const emailPages: Routes<{ sql: Sql; renders: RenderBudget }> = (app, { sql, renders }) => {
  app.get('/emails', { schema: { hide: true, querystring: emailsQuerySchema } }, async (request, reply) => {
    const { session, query, url } = request
    const { emails, next } = await browseEmails(sql, session.user.accountId, query)
    const shown = { emails: emails.map(emailView), query, url, next }
    const t = textsFor(request)
    const body = outboxPage(session, t, shown)
    return sendDashboard(reply, session, { title: t.say('emails.title'), body })
  })

  app.get('/emails/:EmailID', { schema: { hide: true, params: emailPathSchema } }, async (request, reply) => {
    const { session, params } = request
    const [{ accountId }, id] = [session.user, Number(params.EmailID)]
    const [email, message] = await Promise.all([
      findEmail(sql, accountId, id),
      findTestMessage(sql, accountId, id),
    ])
    if (!email) throw problems.emailNotFound()
    const t = textsFor(request)
    const body = emailPage(session, t, emailView(email), message)
    return sendDashboard(reply, session, {
      title: t.say('emails.one', { id: String(id) }),
      body,
      assets: ['emails.css'],
    })
  })

  app.post(
    '/emails/:EmailID/retry',
    { schema: { hide: true, params: emailPathSchema, querystring: emailsQuerySchema } },
    async (request, reply) => {
      const { session, params, query } = request
      await runOnce(sql, onceOf(request, 'email.retry'), async (tx) =>
        emailView(await retryEmail(tx, session.user.accountId, Number(params.EmailID))),
      )
      const list = new URLSearchParams(query as Record<string, string>)
      return reply.redirect(doneAt(`/dashboard/emails${list.size > 0 ? `?${list}` : ''}`, 'retried'), 303)
    },
  )

  workflowPages(app, { sql, renders })
}
