/** The page that explains test mode. Owners start test mode there. */
import { testBookingDays } from '../accounts/model.ts'
import { html, type Markup } from '../http/pages.ts'
import { problems } from '../http/problems.ts'
import type { Routes } from '../http/routes.ts'
import type { Texts } from '../languages/texts.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { openTestMode } from '../test-mode/service.ts'
import { postForm } from './frame/forms.ts'
import { sendDashboard } from './frame/layout.ts'
import { inMode, testModePath } from './frame/mode.ts'
import type { Session } from './frame/session.ts'
import { textsFor } from './frame/texts.ts'

const firstPage = inMode('test', '/dashboard/today')

export const testModePages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get('/test-mode', { schema: { hide: true } }, async (request, reply) => {
    const { session } = request
    const t = textsFor(request)
    return sendDashboard(reply, session, { title: t.say('test-mode.title'), body: content(session, t) })
  })

  app.post('/test-mode', { schema: { hide: true } }, async ({ session: { user } }, reply) => {
    if (user.role !== 'owner') throw problems.ownersOnly(user.role)
    await openTestMode(sql, user.accountId)
    return reply.redirect(firstPage, 303)
  })
}

function content(session: Session, t: Texts): Markup {
  const { hasTestAccount, role } = session.user
  return html`<p>${t.say('test-mode.about')}</p>
<ul>
<li>${t.say('test-mode.apart')}</li>
<li>${t.say('test-mode.emails')}</li>
<li>${t.say('test-mode.deleted', { count: testBookingDays })}</li>
<li>${t.say('test-mode.key')}</li>
</ul>
${hasTestAccount ? html`<p><a class="button" href="${firstPage}">${t.say('test-mode.go')}</a></p>` : opening(session, t, role === 'owner')}`
}

function opening(session: Session, t: Texts, isOwner: boolean): Markup {
  if (!isOwner) return html`<p>${t.say('test-mode.not-open')}</p>`
  return postForm(session, testModePath, html`<button>${t.say('test-mode.open')}</button>`, {
    class: 'actions',
  })
}
