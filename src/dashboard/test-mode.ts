/** The page that explains test mode, on which owners open it. */
import { testBookingDays } from '../accounts/model.ts'
import { html, type Markup } from '../http/pages.ts'
import { problems } from '../http/problems.ts'
import type { Routes } from '../http/routes.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { openTestMode } from '../test-mode/service.ts'
import { postForm } from './frame/forms.ts'
import { sendDashboard } from './frame/layout.ts'
import { inMode, testModePath } from './frame/mode.ts'
import type { Session } from './frame/session.ts'

const firstPage = inMode('test', '/dashboard/today')

export const testModePages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get('/test-mode', { schema: { hide: true } }, async ({ session }, reply) => {
    return sendDashboard(reply, session, { title: 'Test mode', body: content(session) })
  })

  app.post('/test-mode', { schema: { hide: true } }, async ({ session: { user } }, reply) => {
    if (user.role !== 'owner') throw problems.ownersOnly(user.role)
    await openTestMode(sql, user.accountId)
    return reply.redirect(firstPage, 303)
  })
}

function content(session: Session): Markup {
  const { hasTestAccount, role } = session.user
  return html`<p>In test mode you and your partners try everything out, and nothing is sold. It has your catalogue, with places of its own.</p>
<ul>
<li>Bookings, e-mails and usage of test mode are listed apart, and no report of live mode counts them.</li>
<li>E-mails are sent to nobody. What they say can be read here.</li>
<li>Test bookings are deleted after ${testBookingDays} days.</li>
<li>A partner uses test mode with a test key.</li>
</ul>
${hasTestAccount ? html`<p><a class="button" href="${firstPage}">Go to test mode</a></p>` : opening(session, role === 'owner')}`
}

function opening(session: Session, isOwner: boolean): Markup {
  if (!isOwner) return html`<p>It is not open yet. An owner of the account can open it.</p>`
  return postForm(session, testModePath, html`<button>Open test mode</button>`, { class: 'actions' })
}
