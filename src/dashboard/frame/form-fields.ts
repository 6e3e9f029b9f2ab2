/** Fields of forms: label, value, hint and fault, and the markup of each kind. Pure. */
import { type Attributes, attributes, type FormFaults, faultBeside, idOf } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { fieldLabel } from './field-label.ts'

/** A field with its label, hint and fault. */
export type Field = {
  label: string
  name: string
  value?: string | number | null | undefined
  faults?: FormFaults
  hint?: string
}

/** The values of a form, sent or stored, and their faults. */
export type ShownForm = { values: unknown; faults: FormFaults }

/** The field for a value of the form. `name` is the path of the value. */
export function fieldOf({ values, faults }: ShownForm, label: string, name: string, hint?: string): Field {
  return { label, name, value: valueAt(values, name), faults, ...(hint !== undefined && { hint }) }
}

/** The value at a path, such as `Price.Amount`, as text; empty if there is none. */
export function valueAt(values: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], values)
  return value === undefined || value === null ? '' : String(value)
}

/** An input with its label, hint and fault. */
export function inputField(field: Field, more: Attributes = {}): Markup {
  const { name, value } = field
  const about = aboutField(field)
  return html`<p class="field">${fieldLabel(field, more.required === true)}
<input${attributes({ id: idOf(name), name, value: value ?? '', ...more, ...about.attributes })}>${about.markup}</p>`
}

/**
 * A number with a button on each side. Screen readers read `less` and `more`. Without JavaScript, the buttons are
 * hidden.
 */
export function countField(
  field: Field,
  { less, more }: { less: string; more: string },
  settings: Attributes,
): Markup {
  const { label, name, value } = field
  const about = aboutField(field)
  const input = { id: idOf(name), name, value: value ?? '', type: 'number', ...settings }
  // The tab key skips the buttons, because the arrow keys do the same.
  const button = (step: number, sign: string, words: string) =>
    html`<button type="button" tabindex="-1" class="secondary" data-step="${step}"><span aria-hidden="true">${sign}</span><span class="unseen">${words}</span></button>`
  return html`<p class="field"><label for="${idOf(name)}">${label}</label>
<span class="count">${button(-1, '−', less)}<input${attributes({ ...input, ...about.attributes })}>${button(1, '+', more)}</span>${about.markup}</p>`
}

/** A drop-down list from which the user selects one choice. */
export function selectField(
  field: Field,
  choices: readonly { value: string | number; label: string }[],
  more: Attributes = {},
): Markup {
  const { name, value } = field
  const about = aboutField(field)
  const options = choices.map(
    (choice) =>
      html`<option${attributes({ value: choice.value, selected: String(choice.value) === String(value ?? '') })}>${choice.label}</option>`,
  )
  return html`<p class="field">${fieldLabel(field, more.required === true)}
<select${attributes({ id: idOf(name), name, ...more, ...about.attributes })}>${options}</select>${about.markup}</p>`
}

/** A checkbox. It is selected for the value `true`, and sends `false` if it is not selected. */
export function checkboxField(field: Field): Markup {
  const { label, name, value } = field
  const about = aboutField(field)
  const box = { type: 'checkbox', id: idOf(name), name, value: 'true', checked: value === 'true' }
  // If two fields have the same name, readForm() uses the first one.
  return html`<p class="field check"><span><input${attributes({ ...box, ...about.attributes })}>
<label for="${idOf(name)}">${label}</label></span><input type="hidden" name="${name}" value="false">${about.markup}</p>`
}

/** An input for several lines of text. */
export function textField(field: Field, more: Attributes = {}): Markup {
  const { name, value } = field
  const about = aboutField(field)
  return html`<p class="field">${fieldLabel(field, more.required === true)}
<textarea${attributes({ id: idOf(name), name, rows: 4, ...more, ...about.attributes })}>
${value ?? ''}</textarea>${about.markup}</p>`
}

/** The hint of a field, or its fault instead, and the attributes by which the input refers to it. */
export function aboutField({ label, name, faults, hint }: Field) {
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
