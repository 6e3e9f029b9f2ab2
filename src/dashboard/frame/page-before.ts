/** The page from which a form was sent, according to the Referer header. */
import type { FastifyRequest } from 'fastify'

/**
 * The address of the page in the Referer header; `/dashboard` if there is none, or if it is not a page of the
 * dashboard.
 */
export function pageBefore(request: FastifyRequest): string {
  const page = ownReferrer(request)
  return page ? page.pathname + page.search : '/dashboard'
}

/**
 * After a form is sent, this address replaces that of the response in the browser's history. Back or a reload
 * then leads to the page of the form, without the notice of an earlier action. Null for a response to a GET
 * request. Null also if the service was too busy or failed (429 or 5xx), because a reload then sends the form
 * again.
 */
export function addressAfterForm(request: FastifyRequest, status: number): string | null {
  if (request.method !== 'POST' || status >= 500 || status === 429) return null
  const page = ownReferrer(request)
  // This address leads to the page of the form as well, but without its query.
  if (!page) return request.originalUrl
  for (const name of ['done', 'count']) page.searchParams.delete(name)
  return page.pathname + page.search
}

function ownReferrer({ headers: { referer = '' }, host }: FastifyRequest): URL | null {
  const url = URL.canParse(referer) ? new URL(referer) : null
  return url?.host === host && url.pathname.startsWith('/dashboard') ? url : null
}
