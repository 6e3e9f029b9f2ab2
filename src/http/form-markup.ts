/** The small parts of forms that all pages share. Pure. */
import { html, Markup } from './pages.ts'

/** The error message of a form that is shown again, and the message of each invalid field. */
export type FormFaults = {
  message: string
  fields: Map<string, string>
  /** The labels of fields. A field without one gets its label on the page, or words made from its name. */
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

/**
 * The list of errors above the fields of a form, each with the label of its field. translateFaults() translates it
 * afterwards.
 */
export function faultSummary(faults: FormFaults): Markup {
  if (!faults) return html``
  const items = [...faults.fields].map(([field, message]) => {
    const [id, label] = [idOf(field), faults.labels?.get(field)]
    const link = html`<a href="#${id}"${attributes({ 'data-unnamed': label === undefined })}>${label ?? fieldWords(field)}</a>`
    return html`<li data-field="${id}">${link}<span> ${message}</span></li>`
  })
  return html`<div role="alert" class="fault"><p>${faults.message}</p>${items.length > 0 ? html`<ul>${items}</ul>` : ''}</div>`
}

/**
 * The error message beside a field. It begins with the label, unless the label is empty, a question or a sentence.
 * translateFaults() translates it afterwards.
 */
export function faultBeside(field: string, label: string, message: string): Markup {
  const before = /(^|[?!.:])$/.test(label) ? '' : `${label} `
  return html`<span class="fault" id="${idOf(field)}-about">${before}<span data-words>${message}</span></span>`
}

// Names of fields that cannot be made from the wire name by splitting it into words.
const saidFields: Readonly<Record<string, string>> = { Email: 'E-mail address', Phone: 'Phone number' }

/** The name of a field in words, for a field without a label: `Customer.FirstName` as “First name”. */
export function fieldWords(field: string): string {
  const name = field
    .split('.')
    .at(-1)!
    .replace(/\[\d+\]$|(?:-\d+)+$/, '')
  if (Object.hasOwn(saidFields, name)) return saidFields[name]!
  const words = name.replace(/(?<=[a-z])IDs?$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

// Only these ids: a message may also contain text of an operator.
const wireIds = /\b(?:Activity|Product|Timeslot|Unit)IDs?\b/g

// A page shows the choices as words, so their wire names say nothing.
const choices = /\bmust be one of [\w-]+(?:, [\w-]+)+/g

/** The message with wire names of choices and of ids replaced by words. */
export function plainWords(message: string): string {
  return message
    .replace(choices, 'is not one of the choices')
    .replace(wireIds, (name) => fieldWords(name).toLowerCase())
}

/** The id to which the error summary links for a field. */
export function idOf(name: string): string {
  return `field-${name.replace(/[^\w]+/g, '-')}`
}
