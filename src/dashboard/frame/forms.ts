/** Forms of the dashboard: their tokens and keys, their faults, and the checks of what was sent. */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { csrfToken } from '../../accounts/users/model.ts'
import { attributes, type FormFaults } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { problemTypes } from '../../http/problem-types.ts'
import { Problem, problems } from '../../http/problems.ts'
import { isAwaited } from '../../http/respond-within.ts'
import type { OnceRequest } from '../../platform/postgres/run-once.ts'
import { type FieldError, InvalidFields } from '../../platform/schema/validation.ts'
import { kindOf } from './mode.ts'
import type { Session } from './session.ts'
import { templateWords } from './template-words.ts'

export { attributes, type FormFaults, faultBeside, faultSummary, idOf } from '../../http/form-markup.ts'

/**
 * The `bodyLimit` in bytes for a form with long text. A character may take twelve bytes, because it is
 * percent-encoded.
 */
export const longForm = 512 * 1024

/**
 * The name of the hidden field with the question of a form. After the user confirms, the script or the
 * confirmation page sends the form without this field.
 */
export const questionName = '_question'

type FormOptions = {
  /**
   * A question to confirm an action that cannot be undone. The script asks it before the form is sent.
   * Without the script, a confirmation page asks it: see confirmFirst().
   */
  question?: string
  /** The idempotency key of an earlier form of the same action. Without it, the form gets a new key. */
  once?: string | undefined
  class?: string
  /**
   * Disables the validation by the browser, which names only the first fault; the service names all faults
   * together.
   */
  isValidatedByService?: boolean
  /** Whether the form has a file field. */
  isUpload?: boolean
  /** The id of the form, for fields and buttons that are outside the form element. */
  id?: string
}

/**
 * A form that changes something. Its token proves that it comes from our page. Its idempotency key lets a
 * handler with runOnce() and onceOf() make the change once, even if the form is sent twice. In test mode, a
 * form that would change the catalogue is disabled, or left out if it has the class `inline`.
 */
export function postForm(
  session: Session,
  action: string,
  fields: Markup,
  {
    question,
    once = randomUUID(),
    class: name = 'stacked',
    id,
    isValidatedByService,
    isUpload = false,
  }: FormOptions = {},
): Markup {
  const kind = kindOf(action)
  if (session.mode === 'test' && kind === 'catalogue')
    return name === 'inline' ? html`` : html`<fieldset disabled class="locked ${name}">${fields}</fieldset>`
  const token = csrfToken(session.token, kind === 'account' ? 'live' : session.mode)
  const settings = { id, novalidate: isValidatedByService, enctype: isUpload && 'multipart/form-data' }
  return html`<form method="post" action="${action}" class="${name}"${attributes(settings)}>
<input type="hidden" name="_csrf" value="${token}">
<input type="hidden" name="_once" value="${once}">${
    question
      ? html`
<input type="hidden" name="${questionName}" value="${question}">`
      : ''
  }
${fields}
</form>`
}

/**
 * The request for runOnce(), so that a form makes its change once, even if it is sent again. The id of the
 * user is in the place of the id of an API key. Without an idempotency key in the form, the change is made
 * each time.
 */
export function onceOf(request: FastifyRequest, operation: string): OnceRequest {
  const { accountId, userId } = request.session.user
  const key = request.formKey
  return {
    operation: `dashboard.${operation}`,
    accountId,
    apiKeyId: userId,
    idempotencyKey: key,
    body: { params: request.params, body: request.body },
    reused: problems.formReused,
    isAwaited: () => isAwaited(request),
  }
}

/**
 * The faults that the sender of a form can correct, with the status of the response.
 * @throws the error itself, if it is not a Problem or its status is 500 or more.
 */
export function faultsOf(error: unknown): { faults: NonNullable<FormFaults>; status: number } {
  const { status } = error instanceof Problem ? problemTypes[error.slug] : { status: 500 }
  if (!(error instanceof Problem) || status >= 500) throw error
  return { faults: { message: messageOf(error), fields: fieldsOf(error) }, status }
}

/**
 * Throws if the body does not match its schema. Routes with `attachValidation` call it; they catch the
 * problem and show the form again.
 * @throws Problem validation for the body; for the path or the query, the error of the validation unchanged.
 */
export function checkForm(request: FastifyRequest): void {
  const fields = failingFields(request)
  if (fields.length > 0) throw problems.validation(fields)
}

/**
 * Like checkForm(), but also runs further checks, so that one response names every fault.
 * @param findMore returns further errors and changes nothing. It also runs if the body is invalid, and gets
 * the errors of the schema.
 */
export async function checkFormWith(
  request: FastifyRequest,
  findMore: (failing: readonly FieldError[]) => Promise<readonly FieldError[]>,
): Promise<void> {
  const fields = failingFields(request)
  const all = [...fields, ...(await findMore(fields))]
  if (all.length > 0) throw problems.validation(all)
}

function failingFields({ validationError }: FastifyRequest): FieldError[] {
  if (validationError?.validationContext === 'body' && validationError instanceof InvalidFields)
    return validationError.fields
  if (validationError) throw validationError
  return []
}

/** The message of a problem for the whole form. Messages about fields are shown beside the fields. */
export function messageOf({ slug, message }: Problem): string {
  if (slug === 'validation') return 'Please correct this and send it again:'
  if (slug === 'not-found') return 'This page does not exist, or it was removed.'
  return message.replace(/ of Lines\[\d+\]/, '')
}

/** The messages of a problem, by field. */
export function fieldsOf({ extensions }: Problem): Map<string, string> {
  const fields = new Map<string, string>()
  for (const { field, message } of (extensions.errors ?? []) as FieldError[]) {
    const text = templateWords(message)
    fields.set(field, fields.has(field) ? `${fields.get(field)}; ${text}` : text)
  }
  return fields
}

/**
 * Renames the fields in an error that is the problem `validation`. Any other error is returned unchanged.
 */
export function renameFaults(error: unknown, rename: (field: string) => string): unknown {
  if (!(error instanceof Problem && error.slug === 'validation')) return error
  const errors = error.extensions.errors as FieldError[]
  return problems.validation(errors.map(({ field, message }) => ({ field: rename(field), message })))
}
