/**
 * The page of the signed-in user: language, password and signing out everywhere. Owners also see the country of
 * the account and a link to the business details. This file also has the route that signs the user out.
 */

import { maxPasswordLength, minPasswordLength } from '../accounts/users/model.ts'
import { deleteSessionsOf } from '../accounts/users/service.ts'
import { html, type Markup } from '../http/pages.ts'
import { problems } from '../http/problems.ts'
import type { Routes } from '../http/routes.ts'
import { markupOf } from '../http/text-markup.ts'
import type { Texts } from '../languages/texts.ts'
import { Type } from '../platform/schema/typebox.ts'
import { countryForm } from './account-country.ts'
import { languageForm } from './account-language.ts'
import { postForm } from './frame/forms.ts'
import { setBrowser } from './frame/known-browser.ts'
import { doneAt, sendDashboard } from './frame/layout.ts'
import { clearSession, type DashboardOptions, type Session, setSession } from './frame/session.ts'
import { textsFor } from './frame/texts.ts'

const passwordSchema = Type.Object({
  Current: Type.String({ maxLength: maxPasswordLength }),
  New: Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength }),
})

export const accountPages: Routes<DashboardOptions> = (app, options) => {
  const { sql, signIns, publicUrl } = options

  app.get('/account', { schema: { hide: true } }, async (request, reply) => {
    const { session } = request
    const t = textsFor(request)
    return sendDashboard(reply, session, { title: t.say('account.title'), body: content(session, t) })
  })

  app.post('/account/password', { schema: { hide: true, body: passwordSchema } }, async (request, reply) => {
    const { session, body, ip } = request
    const change = { current: body.Current, next: body.New, from: ip }
    const opened = await signIns.changeOwnPassword(session, change)
    if (opened === null) throw problems.validation([{ field: 'Current', message: 'is not your password' }])
    // All sessions of the user have ended. This browser continues with a new session.
    setSession(reply, publicUrl, opened.token)
    setBrowser(reply, publicUrl, { ...session.user, browser: opened.browser })
    return reply.redirect(doneAt('/dashboard/account', 'password'), 303)
  })

  app.post('/sign-out', { schema: { hide: true } }, async ({ session }, reply) => {
    await signIns.signOut(session.token)
    clearSession(reply, publicUrl)
    return reply.redirect('/dashboard/sign-in', 303)
  })

  app.post('/sign-out-everywhere', { schema: { hide: true } }, async ({ session: { user } }, reply) => {
    await deleteSessionsOf(sql, user.accountId, user.userId)
    clearSession(reply, publicUrl)
    return reply.redirect('/dashboard/sign-in', 303)
  })
}

function content(session: Session, t: Texts): Markup {
  const { email, role, accountName } = session.user
  return html`<p>${markupOf(t, 'account.signed-in', { email, role: t.say(`users.role.${role}`), account: accountName })}</p>
${languageForm(session, t)}
<h2>${t.say('account.another-password')}</h2>
${postForm(
  session,
  '/dashboard/account/password',
  html`<label>${t.say('account.current')} <input name="Current" type="password" required autocomplete="current-password"></label>
<label>${t.say('account.new', { count: minPasswordLength })}
<input name="New" type="password" required minlength="${minPasswordLength}" autocomplete="new-password"></label>
<button>${t.say('account.change')}</button>`,
)}
${
  role === 'owner'
    ? html`${countryForm(session, t)}
<h2>${t.say('account.business', { account: accountName })}</h2>
<p>${t.say('account.business.about')}</p>
<p><a class="button secondary" href="/dashboard/business-details">${t.say('account.business.link')}</a></p>`
    : ''
}
<h2>${t.say('account.sign-out-everywhere')}</h2>
<p class="hint">${t.say('account.sign-out-everywhere.about')}</p>
${postForm(session, '/dashboard/sign-out-everywhere', html`<button class="secondary">${t.say('account.sign-out-everywhere')}</button>`)}`
}
