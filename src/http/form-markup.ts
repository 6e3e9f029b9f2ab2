/** The small parts of forms that pages of every audience share. Pure. */
import { html, Markup } from './pages.ts'

/** What was wrong with each field of a form that is shown again, and with it as a whole. */
export type FormFaults = {
  message: string
  fields: Map<string, string>
  /** What the form calls its fields, where that is not their name. */
  labels?: ReadonlyMap<string, string>
} | null

export type Attributes = Record<string, string | number | boolean | null | undefined>

/** Attributes as they stand in a tag; true stands without a value, and false, null and undefined not at all. */
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

/** What is to be mended, before the fields of a form. */
export function faultSummary(faults: FormFaults): Markup {
  if (!faults) return html``
  const items = [...faults.fields].map(
    ([field, message]) =>
      html`<li><a href="#${idOf(field)}">${faults.labels?.get(field) ?? field}</a> ${message}</li>`,
  )
  return html`<div role="alert" class="fault"><p>${faults.message}</p>${items.length > 0 ? html`<ul>${items}</ul>` : ''}</div>`
}

/** By what the summary of faults leads to a field. */
export function idOf(name: string): string {
  return `field-${name.replace(/[^\w]+/g, '-')}`
}
