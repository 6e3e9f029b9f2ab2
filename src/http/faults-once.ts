/**
 * The error summary of a form as a page shows it: for each error, the label of its field as a link to the
 * field. The message is beside the field, and in the summary only if the page shows none beside the field.
 */
import { Markup } from './pages.ts'

// The form that faultSummary() writes. Text of users cannot match it, because its brackets are escaped.
const item =
  /<li data-field="([\w-]+)"><a href="#[\w-]+"( data-unnamed)?>([^<]*)<\/a><span>([^<]*)<\/span><\/li>/g

/** The page with each error message shown once. */
export function sayFaultsOnce(body: Markup): Markup {
  const { text } = body
  if (!text.includes('<li data-field=')) return body
  const say = (_: string, id: string, unnamed: string | undefined, words: string, message: string) => {
    const label = unnamed ? (labelOf(text, id) ?? words) : words
    const link = text.includes(` id="${id}"`) ? `<a href="#${id}">${label}</a>` : label
    return `<li>${link}${text.includes(`class="fault" id="${id}-about"`) ? '' : message}</li>`
  }
  return new Markup(text.replace(item, say))
}

/** The label of a field on the page. */
function labelOf(text: string, id: string): string | undefined {
  const label = new RegExp(`<label for="${id}">(.*?)</label>`, 's').exec(text)?.[1]
  const legend = new RegExp(`<fieldset[^>]* id="${id}"[^>]*><legend>(.*?)</legend>`, 's').exec(text)?.[1]
  return (label ?? legend)?.replace(/<[^>]+>/g, '').trim()
}
