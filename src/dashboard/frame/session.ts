/**
 * Who is signed in to the dashboard: read from the cookie before anything else, with the check that a change comes
 * from a page of ours. Nothing of the dashboard but signing in is reached without.
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

/** What the pages of the dashboard work with. */
export type DashboardOptions = { sql: Sql; signIns: SignInService; publicUrl: string }

export type Session = {
  token: string
  mode: Mode
  /** Who is signed in, for the account of the mode: in test mode that is the test account. */
  user: SignedIn
  /** How many refunds are due, up to `mostRefundsCounted`. Not counted for what is no page. */
  refundsDue?: number
}

export const mostRefundsCounted = 100

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every page of the dashboard behind `requireSession`. */
    session: Session
    /** The key of the form that was sent, which the same form brings again when it is sent twice. */
    formKey: string | undefined
  }
}

const cookieName = 'abs_session'

/** What the cookies of the dashboard have in common. */
export function cookieOptions(publicUrl: string): CookieSerializeOptions {
  // Lax, so that a link in an e-mail opens the dashboard; changes are guarded by the form's token.
  const secure = publicUrl.startsWith('https:')
  return { path: '/dashboard', httpOnly: true, sameSite: 'lax', secure }
}

export function setSession(reply: FastifyReply, publicUrl: string, token: string): void {
  reply.setCookie(cookieName, token, { ...cookieOptions(publicUrl), maxAge: sessionHours * 3600 })
}

export function clearSession(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(cookieName, cookieOptions(publicUrl))
}

/** The session of a request, if it has one that is not over. */
export async function readSession(request: FastifyRequest, signIns: SignInService): Promise<Session | null> {
  const token = request.cookies[cookieName]
  const user = token ? await signIns.findSession(token) : null
  if (!user) return null
  if (modeOf(request.originalUrl) === 'live') return { token: token!, mode: 'live', user }
  const account = { accountId: testAccountOf(user.accountId), slug: user.slug + testSlugEnding }
  return { token: token!, mode: 'test', user: { ...user, ...account } }
}

/** Whether a browser says that one of our own pages sent this; one that says nothing is old, or none. */
export function isOurs({ headers }: FastifyRequest, publicUrl: string): boolean | null {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin'
  return origin === undefined ? null : origin === new URL(publicUrl).origin
}

/**
 * Whether a page of ours, or the user, asks for a page: then it may be compressed. The length of a compressed page tells a
 * little of what is in it. Another site that makes a browser ask again and again, with words of its choice in the address,
 * and sees the lengths, could find the token of a form letter by letter (BREACH). Its requests say that they are
 * cross-site, and what says nothing is not compressed either. The token alone changes nothing: other sites cannot
 * send the cookie with a form.
 */
export function isFromOurs({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === 'same-origin' || site === 'none'
}

/** Guards every route of a scope: whoever is not signed in is led to sign in; a change needs the form's token. */
export function requireSession(
  app: FastifyInstance,
  { sql, signIns }: Omit<DashboardOptions, 'publicUrl'>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const answered = await demandSession(request, reply, signIns)
    // Every page has the menu; of a form that is shown again it has no count.
    if (answered || request.method !== 'GET') return answered
    request.session.refundsDue = await countDue(sql, request.session.user.accountId, mostRefundsCounted)
  })
  // Before the body is read into what the route's schema describes, which knows none of these.
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
 * Sets the session of a request, or answers it with the way to sign in. Pages of the account itself stand in live mode
 * alone, so that none of them ever has a test account.
 * @throws Problem for a change without a session, or at an address that test mode does not have.
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

/** Guards every route of a scope that only owners may use. */
export function requireOwner(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ session }) => {
    if (session.user.role !== 'owner') throw problems.ownersOnly(session.user.role)
  })
}
