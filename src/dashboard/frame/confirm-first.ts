/**
 * Shows a confirmation page before an action that cannot be undone, for browsers that do not run the script.
 * With the script, a dialog asks for confirmation instead.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FormFields, textsOf } from '../../http/form-fields.ts'
import { html } from '../../http/pages.ts'
import { postForm, questionName } from './forms.ts'
import { sendDashboard } from './layout.ts'
import { pageBefore } from './page-before.ts'
import { textsFor } from './texts.ts'

const ownFields = new Set([questionName, '_csrf', '_once'])

/**
 * If a sent form contains the field with its question, the script has not asked the question. The response is
 * then a page with the question, from which the user sends the same fields without the question.
 */
export function confirmFirst(app: FastifyInstance): void {
  app.addHook('preValidation', async (request, reply) => {
    const fields = (request.body ?? {}) as FormFields
    const [question] = request.method === 'POST' ? textsOf(fields, questionName) : []
    if (question !== undefined) return sendQuestion(request, reply, { question, fields })
  })
}

function sendQuestion(
  request: FastifyRequest,
  reply: FastifyReply,
  { question, fields }: { question: string; fields: FormFields },
): FastifyReply {
  const { session, url, formKey } = request
  const t = textsFor(request)
  const names = Object.keys(fields).filter((name) => !ownFields.has(name))
  const otherFields = names.flatMap((name) => textsOf(fields, name).map((value) => ({ name, value })))
  return sendDashboard(reply, session, {
    title: t.say('ask.title'),
    body: html`<p>${question}</p>
${postForm(
  session,
  url,
  html`${otherFields.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">\n`)}
<p class="actions"><button class="danger">${t.say('ask.yes')}</button> <a href="${pageBefore(request)}">${t.say('ask.no')}</a></p>`,
  { once: formKey },
)}`,
  })
}
