/** Signing in to the dashboard. */

import { maxPasswordLength } from '../accounts/users/model.ts'
import { html, type Markup } from '../http/pages.ts'
import { Problem, problems } from '../http/problems.ts'
import type { Routes } from '../http/routes.ts'
import type { Texts } from '../languages/texts.ts'
import { Type } from '../platform/schema/typebox.ts'
import { readBrowser, setBrowser } from './frame/known-browser.ts'
import { sendDashboard } from './frame/layout.ts'
import { type DashboardOptions, isSameOrigin, readSession, setSession } from './frame/session.ts'
import { textsFor } from './frame/texts.ts'

const formSchema = Type.Object({
  Account: Type.String({ maxLength: 63 }),
  Email: Type.String({ maxLength: 254 }),
  Password: Type.String({ maxLength: maxPasswordLength }),
  Next: Type.Optional(Type.String({ maxLength: 2000 })),
})
const querySchema = Type.Object({
  next: Type.Optional(Type.String({ maxLength: 2000 })),
  account: Type.Optional(Type.String({ maxLength: 63 })),
})

export const signInPages: Routes<DashboardOptions> = (app, { signIns, publicUrl }) => {
  app.get('/sign-in', { schema: { hide: true, querystring: querySchema } }, async (request, reply) => {
    const { next, account = '' } = request.query
    const t = textsFor(request)
    if (await readSession(request, signIns)) return reply.redirect(ownPath(next), 303)
    return sendDashboard(reply, null, {
      title: t.say('sign-in.title'),
      body: form(t, { account, email: '', next: ownPath(next) }),
    })
  })

  // Takes no turn of shareConnections(), because the slow check of the password would occupy the turn. The
  // sign-in service limits its own connections.
  const config = { takesNoTurn: true }
  app.post('/sign-in', { schema: { hide: true, body: formSchema }, config }, async (request, reply) => {
    if (isSameOrigin(request, publicUrl) === false) throw problems.foreignForm()
    const { Account: given, Email: email, Password: password, Next } = request.body
    const user = { slug: given.trim().toLowerCase(), email }
    const attempt = { ...user, password, from: request.ip, browser: readBrowser(request, user) }
    const opened = await signIns.signIn(attempt).catch(tooManyOnly)
    if (opened && !(opened instanceof Problem)) {
      setSession(reply, publicUrl, opened.token)
      setBrowser(reply, publicUrl, { ...user, browser: opened.browser })
      return reply.redirect(ownPath(Next), 303)
    }
    const t = textsFor(request)
    const fault = opened?.message ?? t.say('sign-in.wrong')
    if (opened) reply.headers(opened.headers)
    return sendDashboard(reply, null, {
      title: t.say('sign-in.title'),
      body: form(t, { account: given, email, next: ownPath(Next), fault }),
      status: opened ? 429 : 403,
    })
  })
}

/** Returns the problem `rate-limited`, which the form shows. @throws every other error. */
function tooManyOnly(error: unknown): Problem {
  if (error instanceof Problem && error.slug === 'rate-limited') return error
  throw error
}

/**
 * The page to show after signing in: `next`, or the first page of the dashboard if `next` is not an address
 * of it.
 */
function ownPath(next: string | undefined): string {
  return next && /^\/dashboard(\/[\w.?=&%:+-]+)*$/.test(next) ? next : '/dashboard'
}

function form(t: Texts, given: { account: string; email: string; next: string; fault?: string }): Markup {
  return html`<form method="post" action="/dashboard/sign-in" class="stacked sign-in">
${given.fault ? html`<p role="alert" class="fault">${given.fault}</p>` : ''}
<input type="hidden" name="Next" value="${given.next}">
<label>${t.say('sign-in.account')} <input name="Account" value="${given.account}" required autofocus autocomplete="organization" aria-describedby="account-about"></label>
<p id="account-about" class="hint">${t.say('sign-in.account.hint')}</p>
<label>${t.say('word.email')} <input name="Email" type="email" value="${given.email}" required autocomplete="username"></label>
<label>${t.say('sign-in.password')} <input name="Password" type="password" required autocomplete="current-password"></label>
<label class="choice" data-shows="Password" hidden><input type="checkbox"> ${t.say('sign-in.show-password')}</label>
<button>${t.say('sign-in.title')}</button>
</form>`
}
