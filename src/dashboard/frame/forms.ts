/** Forms of the dashboard: what guards each, and their fields. */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { csrfToken } from '../../accounts/users/model.ts'
import { isAwaited } from '../../http/answer-within.ts'
import { type Attributes, attributes, type FormFaults, faultBeside, idOf } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { problemTypes } from '../../http/problem-types.ts'
import { Problem, problems } from '../../http/problems.ts'
import type { OnceRequest } from '../../platform/postgres/run-once.ts'
import { type FieldError, InvalidFields } from '../../platform/schema/validation.ts'
import { kindOf } from './mode.ts'
import type { Session } from './session.ts'
import { templateWords } from './template-words.ts'

export { attributes, type FormFaults, faultBeside, faultSummary, idOf } from '../../http/form-markup.ts'

/** Bytes of a form with long texts, in which a letter may take twelve. */
export const longForm = 512 * 1024

type FormOptions = {
  /** Asked before it is sent, for what cannot be undone. */
  question?: string
  /** Its key, for what goes on under the key it was begun with; else one of its own. */
  once?: string | undefined
  class?: string
  /** Whether it carries a file. */
  isUpload?: boolean
  /** By what fields and buttons outside of it belong to it. */
  id?: string
}

/**
 * A form that changes something, with the token that shows that it is ours, and a key of its own, so that sending it
 * twice does it once. In test mode one that would change the catalogue shows its fields locked, and cannot be sent.
 */
export function postForm(
  session: Session,
  action: string,
  fields: Markup,
  { question, once = randomUUID(), class: name = 'stacked', id, isUpload = false }: FormOptions = {},
): Markup {
  const kind = kindOf(action)
  if (session.mode === 'test' && kind === 'catalogue')
    return name === 'inline' ? html`` : html`<fieldset disabled class="locked ${name}">${fields}</fieldset>`
  const token = csrfToken(session.token, kind === 'account' ? 'live' : session.mode)
  return html`<form method="post" action="${action}" class="${name}"${attributes({ id, enctype: isUpload && 'multipart/form-data' })}${question ? html` data-question="${question}"` : ''}>
<input type="hidden" name="_csrf" value="${token}">
<input type="hidden" name="_once" value="${once}">
${fields}
</form>`
}

/** What runOnce() needs to do once what a form asks, however often it is sent. A user stands where a key stands. */
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
 * What the sender of a form has to mend, with the status that says so.
 * @throws the error itself, when it is none of those.
 */
export function faultsOf(error: unknown): { faults: NonNullable<FormFaults>; status: number } {
  const { status } = error instanceof Problem ? problemTypes[error.slug] : { status: 500 }
  if (!(error instanceof Problem) || status >= 500) throw error
  return { faults: { message: messageOf(error), fields: fieldsOf(error) }, status }
}

/**
 * For a route with `attachValidation`, whose handler shows its form again: what faultsOf() reads of a body that fails
 * its schema. Whatever else is wrong with the request is thrown as it is.
 */
export function checkForm({ validationError }: FastifyRequest): void {
  if (validationError?.validationContext === 'body' && validationError instanceof InvalidFields)
    throw problems.validation(validationError.fields)
  if (validationError) throw validationError
}

/** What a problem says of a form as a whole: what it says of fields stands beside them. A form is about one line of a sale. */
export function messageOf({ slug, message }: Problem): string {
  if (slug === 'validation') return 'Please correct this and send it again:'
  if (slug === 'not-found') return 'It is not there, or not any more.'
  return message.replace(/ of Lines\[\d+\]/, '')
}

/** What a problem says of each field. */
export function fieldsOf({ extensions }: Problem): Map<string, string> {
  const fields = new Map<string, string>()
  for (const { field, message } of (extensions.errors ?? []) as FieldError[]) {
    const text = templateWords(message)
    fields.set(field, fields.has(field) ? `${fields.get(field)}; ${text}` : text)
  }
  return fields
}

/** The same error, with what it says of fields said of the fields that a form has for them. */
export function renameFaults(error: unknown, rename: (field: string) => string): unknown {
  if (!(error instanceof Problem && error.slug === 'validation')) return error
  const errors = error.extensions.errors as FieldError[]
  return problems.validation(errors.map(({ field, message }) => ({ field: rename(field), message })))
}

type Field = {
  label: string
  name: string
  value?: string | number | null | undefined
  faults?: FormFaults
  hint?: string
}

/** What a form shows: a body that was sent, or what stands, and what was wrong with it. */
export type ShownForm = { values: unknown; faults: FormFaults }

/** A field of what a form shows; its name is the path of its value. */
export function fieldOf({ values, faults }: ShownForm, label: string, name: string, hint?: string): Field {
  return { label, name, value: valueAt(values, name), faults, ...(hint !== undefined && { hint }) }
}

/** The value at a path, such as `Price.Amount`, as text; empty where there is none. */
export function valueAt(values: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], values)
  return value === undefined || value === null ? '' : String(value)
}

/** An input with its label, its hint, and what was wrong with it. */
export function inputField(field: Field, more: Attributes = {}): Markup {
  const { label, name, value } = field
  const about = aboutField(field)
  return html`<p class="field"><label for="${idOf(name)}">${label}</label>
<input${attributes({ id: idOf(name), name, value: value ?? '', ...more, ...about.attributes })}>${about.markup}</p>`
}

/** A choice of one. */
export function selectField(
  field: Field,
  choices: readonly { value: string | number; label: string }[],
  more: Attributes = {},
): Markup {
  const { label, name, value } = field
  const about = aboutField(field)
  const options = choices.map(
    (choice) =>
      html`<option${attributes({ value: choice.value, selected: String(choice.value) === String(value ?? '') })}>${choice.label}</option>`,
  )
  return html`<p class="field"><label for="${idOf(name)}">${label}</label>
<select${attributes({ id: idOf(name), name, ...more, ...about.attributes })}>${options}</select>${about.markup}</p>`
}

/** Yes or no: a value of `true` is ticked, and what is not ticked is sent as `false`. */
export function checkboxField(field: Field): Markup {
  const { label, name, value } = field
  const about = aboutField(field)
  const box = { type: 'checkbox', id: idOf(name), name, value: 'true', checked: value === 'true' }
  // The first of two fields of one name is read.
  return html`<p class="field check"><span><input${attributes({ ...box, ...about.attributes })}>
<label for="${idOf(name)}">${label}</label></span><input type="hidden" name="${name}" value="false">${about.markup}</p>`
}

/** Text of several lines. */
export function textField(field: Field, more: Attributes = {}): Markup {
  const { label, name, value } = field
  const about = aboutField(field)
  return html`<p class="field"><label for="${idOf(name)}">${label}</label>
<textarea${attributes({ id: idOf(name), name, rows: 4, ...more, ...about.attributes })}>
${value ?? ''}</textarea>${about.markup}</p>`
}

function aboutField({ label, name, faults, hint }: Field) {
  const fault = faults?.fields.get(name)
  const id = `${idOf(name)}-about`
  const hinted = hint ? html`<span id="${id}" class="hint">${hint}</span>` : html``
  return {
    attributes: {
      'aria-invalid': fault ? 'true' : undefined,
      'aria-describedby': fault || hint ? id : undefined,
    },
    markup: fault ? faultBeside(name, faults?.labels?.get(name) ?? label, fault) : hinted,
  }
}
