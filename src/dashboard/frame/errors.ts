/** Shows errors of the dashboard as pages, with the texts of the table of problems. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { logFailure, toProblem } from '../../http/error-handler.ts'
import { html } from '../../http/pages.ts'
import { problemTypes } from '../../http/problem-types.ts'
import { faultIn } from '../../languages/faults.ts'
import { faultSummary, fieldsOf, messageOf } from './forms.ts'
import { sendDashboard } from './layout.ts'
import { textsFor } from './texts.ts'

export function pageErrorHandler(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toProblem(error, request)
  logFailure(error, problem, request)
  const { status, title } = problemTypes[problem.slug]
  const t = textsFor(request)
  const from = request.method === 'GET' ? '/dashboard' : pageBefore(request)
  return sendDashboard(reply.headers(problem.headers), request.session ?? null, {
    title: faultIn(t, title),
    status,
    body: html`${faultSummary({ message: messageOf(problem), fields: fieldsOf(problem) })}
<p><a href="${from}">${t.say('page.back')}</a> · <a href="/dashboard">${t.say('page.home')}</a></p>`,
  })
}

/** The page of the sent form, from the Referer header; the dashboard if it is not one of ours. */
export function pageBefore({ headers, host }: FastifyRequest): string {
  try {
    const { host: site, pathname, search } = new URL(headers.referer ?? '')
    return site === host && pathname.startsWith('/dashboard') ? pathname + search : '/dashboard'
  } catch {
    return '/dashboard'
  }
}
