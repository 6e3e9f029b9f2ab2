/** The small parts of forms that all pages share. Pure. */
import { html, Markup } from './pages.ts'

/** What is wrong with each field of a form that is shown again, and with the form as a whole. */
export type FormFaults = {
  message: string
  fields: Map<string, string>
  /** The labels of fields whose label is not their name. */
  labels?: ReadonlyMap<string, string>
} | null

export type Attributes = Record<string, string | number | boolean | null | undefined>

/** Attributes of a tag. True is written without a value; false, null and undefined are left out. */
export function attributes(given: Attributes): Markup {
  return new Markup(
    Object.entries(given)
      .filter(([, value]) => value !== undefined && value !== null && value !== false)
      .map(([name, value]) =>
        value === true ? ` ${name}` : html` ${name}="${value as string | number}"`.text,
      )
      .join(''),
  )
}

/** The list of errors before the fields of a form. */
export function faultSummary(faults: FormFaults): Markup {
  if (!faults) return html``
  const items = [...faults.fields].map(
    ([field, message]) =>
      html`<li><a href="#${idOf(field)}">${faults.labels?.get(field) ?? field}</a> ${message}</li>`,
  )
  return html`<div role="alert" class="fault"><p>${faults.message}</p>${items.length > 0 ? html`<ul>${items}</ul>` : ''}</div>`
}

/** The id to which the error summary links for a field. */
export function idOf(name: string): string {
  return `field-${name.replace(/[^\w]+/g, '-')}`
}
