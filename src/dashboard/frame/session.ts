/**
 * The session of the dashboard. The session is read from the cookie before the body is read. A change must
 * come from one of our pages. Without a session, pages redirect to the sign-in page. Only the sign-in page and
 * static files need no session.
 */
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { testAccountOf, testSlugEnding } from '../../accounts/model.ts'
import { isCsrfToken, type Mode } from '../../accounts/users/model.ts'
import type { SignedIn } from '../../accounts/users/service.ts'
import { type SignInService, sessionHours } from '../../accounts/users/sign-in.ts'
import { problems } from '../../http/problems.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { countDue } from '../../sales/ledger/refund-list-queries.ts'
import { inMode, kindOf, modeOf, testModePath } from './mode.ts'

/** The options of all pages of the dashboard. */
export type DashboardOptions = { sql: Sql; signIns: SignInService; publicUrl: string }

export type Session = {
  token: string
  mode: Mode
  /** The signed-in user, with the account of the mode: in test mode, the test account. */
  user: SignedIn
  /** The number of due refunds for the menu, up to `maxRefundsCounted`. Undefined on the board of the queues. */
  refundsDue?: number
}

export const maxRefundsCounted = 100

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Set for every route behind `requireSession`, and for the board of the queues. For an unknown address it
     * is set only if the user is signed in; elsewhere it is undefined.
     */
    session: Session
    /**
     * The idempotency key of the sent form, the same if the form is sent again; undefined if missing or
     * invalid.
     */
    formKey: string | undefined
  }
}

const cookieName = 'abs_session'

/** The common options of the dashboard's cookies. */
export function cookieOptions(publicUrl: string): CookieSerializeOptions {
  // With `lax`, a link in an e-mail opens the dashboard with the session. The token of a form protects
  // changes.
  const secure = publicUrl.startsWith('https:')
  return { path: '/dashboard', httpOnly: true, sameSite: 'lax', secure }
}

export function setSession(reply: FastifyReply, publicUrl: string, token: string): void {
  reply.setCookie(cookieName, token, { ...cookieOptions(publicUrl), maxAge: sessionHours * 3600 })
}

export function clearSession(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(cookieName, cookieOptions(publicUrl))
}

/**
 * The session of a request; null if it has no valid one. In test mode, the user has the test account, even if
 * that account does not exist yet: check `hasTestAccount`.
 */
export async function readSession(request: FastifyRequest, signIns: SignInService): Promise<Session | null> {
  const token = request.cookies[cookieName]
  const user = token ? await signIns.findSession(token) : null
  if (!user) return null
  if (modeOf(request.originalUrl) === 'live') return { token: token!, mode: 'live', user }
  const account = { accountId: testAccountOf(user.accountId), slug: user.slug + testSlugEnding }
  return { token: token!, mode: 'test', user: { ...user, ...account } }
}

/**
 * Whether one of our pages sent the request, according to the headers of the browser; null if the request has
 * no such header, as from old browsers and other clients.
 */
export function isSameOrigin({ headers }: FastifyRequest, publicUrl: string): boolean | null {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin'
  return origin === undefined ? null : origin === new URL(publicUrl).origin
}

/**
 * Whether the response may be compressed: only if one of our pages or the user requests the page. The length
 * of a compressed page depends on its content. An attacker could make a browser request a page many times,
 * with chosen words in the address. If the attacker also sees the lengths, these reveal the token of a form
 * letter by letter (BREACH). Browsers mark such requests as cross-site. The response to a request without any
 * mark is not compressed either. The token alone is not enough for a change, because other sites cannot send
 * the cookie with a form.
 */
export function isSameOriginOrDirect({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === 'same-origin' || site === 'none'
}

/**
 * Requires a session for every route of a scope, as demandSession() does, and counts the due refunds for the
 * menu. A request that changes something also needs the token of the form, and may not change the catalogue
 * in test mode. Redirects keep the mode.
 */
export function requireSession(
  app: FastifyInstance,
  { sql, signIns }: Omit<DashboardOptions, 'publicUrl'>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const answered = await demandSession(request, reply, signIns)
    if (answered) return answered
    // Counted for every request, because the response to a POST may be a page with the menu too.
    request.session.refundsDue = await countDue(sql, request.session.user.accountId, maxRefundsCounted)
  })
  // Runs before readForms(), which drops these fields because no schema has them.
  app.addHook('preValidation', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { token, mode } = request.session
    const { _csrf, _once } = (request.body ?? {}) as { _csrf?: unknown; _once?: unknown }
    if (!isCsrfToken(token, mode, _csrf)) throw problems.foreignForm()
    if (mode === 'test' && kindOf(request.routeOptions.url!) === 'catalogue')
      throw problems.testModeCatalogue()
    request.formKey = typeof _once === 'string' && /^[\w-]{1,64}$/.test(_once) ? _once : undefined
  })
  app.addHook('onSend', async ({ session }, reply) => {
    const { location } = reply.getHeaders()
    if (session && typeof location === 'string') reply.header('location', inMode(session.mode, location))
  })
}

/**
 * Sets the session of a request, or redirects a GET request. If there is no session, redirects to the sign-in
 * page. A page of the kind `account` must not get the test account, so in test mode the request is redirected to
 * the same page in live mode. A request for any other page of test mode is redirected to the page on which owners
 * start test mode, if there is no test account.
 * @returns the reply if it has redirected.
 * @throws Problem unauthenticated or not-found instead of a redirect, if the request is not a GET.
 */
export async function demandSession(
  request: FastifyRequest,
  reply: FastifyReply,
  signIns: SignInService,
): Promise<FastifyReply | undefined> {
  const { method, url, originalUrl, routeOptions } = request
  const session = await readSession(request, signIns)
  if (!session) {
    if (method !== 'GET') throw problems.signedOut()
    return reply.redirect(`/dashboard/sign-in?next=${encodeURIComponent(originalUrl)}`, 303)
  }
  const isOfAccount = kindOf(routeOptions.url!) === 'account'
  if (session.mode === 'test' && (isOfAccount || !session.user.hasTestAccount)) {
    if (method !== 'GET') throw problems.notFound()
    return reply.redirect(isOfAccount ? url : testModePath, 303)
  }
  request.session = session
}

/** Sets the session, if there is one, for a request that does not need it, such as one for an unknown address. */
export async function rememberSession(
  request: FastifyRequest,
  { sql, signIns }: Omit<DashboardOptions, 'publicUrl'>,
): Promise<void> {
  const session = await readSession(request, signIns)
  if (!session || (session.mode === 'test' && !session.user.hasTestAccount)) return
  session.refundsDue = await countDue(sql, session.user.accountId, maxRefundsCounted)
  request.session = session
}

/** Requires the role `owner` for every route of a scope. */
export function requireOwner(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ session }) => {
    if (session.user.role !== 'owner') throw problems.ownersOnly(session.user.role)
  })
}
