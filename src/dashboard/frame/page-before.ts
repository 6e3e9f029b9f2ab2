/** The page that a form was sent from, which the browser names. */
import type { FastifyRequest } from 'fastify'

/** The page of the sent form, from the Referer header; the dashboard if it is not one of ours. */
export function pageBefore(request: FastifyRequest): string {
  const page = ownReferrer(request)
  return page ? page.pathname + page.search : '/dashboard'
}

/**
 * Where Back and a reload lead from the answer to a form: to the page of the form, without the notice of an earlier action.
 * Null for any other page, and where the service was too busy: a reload sends such a form again.
 */
export function pageOfAnswer(request: FastifyRequest, status: number): string | null {
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
