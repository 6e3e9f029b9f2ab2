/**
 * Shows errors of the dashboard as pages. The title is that of the problem type, in the language of the user.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { logFailure, toProblem } from '../../http/error-handler.ts'
import { html, type Markup } from '../../http/pages.ts'
import { problemTypes } from '../../http/problem-types.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Texts } from '../../languages/texts.ts'
import { inputField } from './form-fields.ts'
import { faultSummary, fieldsOf, messageOf } from './forms.ts'
import { sendDashboard } from './layout.ts'
import { pageBefore as refererPage } from './page-before.ts'
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
  const from = request.method === 'GET' ? '/dashboard' : refererPage(request)
  return sendDashboard(reply.headers(problem.headers), request.session ?? null, {
    title: faultIn(t, title),
    status,
    body: html`${faultSummary({ message: messageOf(problem), fields: fieldsOf(problem) })}
${request.session ? finder(t) : ''}
<p class="actions"><a class="button secondary" href="${from}">${t.say('page.back')}</a> <a class="button secondary" href="/dashboard">${t.say('page.home')}</a></p>`,
  })
}

/** A search of bookings on error pages, for users who looked for a booking. */
function finder(t: Texts): Markup {
  return html`<form method="get" action="/dashboard/bookings" class="filters" role="search" aria-label="${t.say('menu.find')}">
${inputField({ label: t.say('menu.find'), name: 'Search' }, { type: 'search', maxlength: 255, autocomplete: 'off' })}
<button class="secondary">${t.say('menu.find.button')}</button></form>`
}
