/** The page from which a form was sent, according to the Referer header. */
import type { FastifyRequest } from 'fastify'
import { isBelow } from './mode.ts'

/**
 * The address of the page in the Referer header, without the notice of an earlier action; `/dashboard` if
 * there is none, or if it is not a page of the dashboard.
 */
export function pageBefore(request: FastifyRequest): string {
  return ownReferrer(request) ?? '/dashboard'
}

/**
 * After a form is sent, this address replaces that of the response in the browser's history. Back or a reload
 * then leads to the page of the form, without the notice of an earlier action. Null for a response to a GET
 * request. Null also if the service was too busy or failed (429 or 5xx), because a reload then sends the form
 * again.
 */
export function addressAfterForm(request: FastifyRequest, status: number): string | null {
  if (request.method !== 'POST' || status >= 500 || status === 429) return null
  // Without the header, this address leads to the page of the form as well, but without its query.
  return ownReferrer(request) ?? request.originalUrl
}

function ownReferrer({ headers: { referer = '' }, host }: FastifyRequest): string | null {
  const url = URL.canParse(referer) ? new URL(referer) : null
  if (url?.host !== host || !isBelow('/dashboard', url.pathname)) return null
  for (const name of ['done', 'count']) url.searchParams.delete(name)
  return url.pathname + url.search
}
