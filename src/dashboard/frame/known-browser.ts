/**
 * The cookie by which a browser that a user signed in from is known the next time, so that guesses from elsewhere do
 * not keep the user out. It opens nothing by itself, and is sent to the sign-in form only.
 */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { normalizeEmail } from '../../accounts/users/model.ts'
import { originDays } from '../../accounts/users/sign-in.ts'
import { cookieOptions } from './session.ts'

/** The user of the browser; several users of one browser have a cookie each. */
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
