/**
 * The summary of what is wrong with a form, as a page sends it: each fault by the label of its field, with a link to
 * the field. The message itself stands beside the field, and in the summary only where the page has no such place.
 */
import { Markup } from './pages.ts'

// As faultSummary() writes it. No text of people has a bracket in it that is not escaped.
const item =
  /<li data-field="([\w-]+)"><a href="#[\w-]+"( data-unnamed)?>([^<]*)<\/a><span>([^<]*)<\/span><\/li>/g

/** A page whose faults are each said once. */
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

/** What the page calls a field. */
function labelOf(text: string, id: string): string | undefined {
  const label = new RegExp(`<label for="${id}">(.*?)</label>`, 's').exec(text)?.[1]
  const legend = new RegExp(`<fieldset[^>]* id="${id}"[^>]*><legend>(.*?)</legend>`, 's').exec(text)?.[1]
  return (label ?? legend)?.replace(/<[^>]+>/g, '').trim()
}
