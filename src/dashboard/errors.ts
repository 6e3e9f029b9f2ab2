/** Errors of the dashboard as pages, in the words of the table of problems. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { logFailure, toProblem } from '../error-handler.ts'
import { html } from '../pages.ts'
import { problemTypes } from '../problems.ts'
import { sendDashboard } from './layout.ts'

export function pageErrorHandler(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toProblem(error, request)
  logFailure(error, problem, request)
  const { status, title } = problemTypes[problem.slug]
  return sendDashboard(reply.headers(problem.headers), request.session ?? null, {
    title,
    status,
    body: html`<p role="alert">${problem.message}</p>
<p><a href="/dashboard">Back to the dashboard</a></p>`,
  })
}
