/**
 * The cookie of a browser from which a user has signed in. The service recognises the browser by this cookie, so
 * that password guesses from other browsers do not lock the user out. The cookie gives no access, and is sent only
 * to the sign-in form.
 */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { normalizeEmail } from '../../accounts/users/model.ts'
import { originDays } from '../../accounts/users/sign-in.ts'
import { cookieOptions } from './session.ts'

/** A user who has signed in with the browser. The browser has one cookie for each of its users. */
export type BrowserUser = { slug: string; email: string }

function cookieName({ slug, email }: BrowserUser): string {
  const user = createHash('sha256')
    .update(`${slug} ${normalizeEmail(email)}`)
    .digest('hex')
  return `abs_browser_${user.slice(0, 16)}`
}

export function readBrowser(request: FastifyRequest, user: BrowserUser): string | undefined {
  return request.cookies[cookieName(user)]
}

export function setBrowser(
  reply: FastifyReply,
  publicUrl: string,
  user: BrowserUser & { browser: string },
): void {
  const options = { ...cookieOptions(publicUrl), path: '/dashboard/sign-in', maxAge: originDays * 86_400 }
  reply.setCookie(cookieName(user), user.browser, options)
}
