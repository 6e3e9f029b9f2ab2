/**
 * Rewrites the error messages in the markup of a form: translates them to the reader's language, and shows each one
 * once. The error summary links to each invalid field by its label. It contains the message only if none is shown
 * beside the field.
 */
import { faultIn, fieldIn } from '../languages/faults.ts'
import type { Texts } from '../languages/texts.ts'
import { plainWords } from './form-markup.ts'
import { html, Markup, textOf } from './pages.ts'

// The markup that faultSummary() and faultBeside() write. Text of users cannot match, because its angle
// brackets are escaped.
const heading = /(<div role="alert" class="fault"><p>|<p(?: role="alert")? class="fault">)([^<]*)(?=<\/p>)/g
const item =
  /<li data-field="([\w-]+)"><a href="#[\w-]+"( data-unnamed)?>([^<]*)<\/a><span> ([^<]*)<\/span><\/li>/g
const beside = /(<span class="fault" id="[\w-]+-about">)([^<]*)<span data-words>([^<]*)<\/span>/g

/**
 * Matches a message about too few places, such as “must be at most 3 places in all, because only 3 places
 * are free”, and captures the part after “because”. The page shows only this part, which implies the rule.
 */
const ofPlaces = /^must be at most \d+ places? in all, because (only \d+ places? (?:is|are) free)$/

/** Translates the error messages in `body`, and removes those of the summary that are also beside their field. */
export function translateFaults(t: Texts, body: Markup): Markup {
  const { text } = body
  if (!text.includes('class="fault"')) return body
  const say = (message: string) =>
    plainWords(faultIn(t, ofPlaces.exec(textOf(message))?.[1] ?? textOf(message)))
  const sayItem = (_: string, id: string, unnamed: string | undefined, words: string, message: string) => {
    const label = unnamed ? (labelOf(text, id) ?? html`${fieldIn(t, textOf(words))}`.text) : words
    const link = text.includes(` id="${id}"`) ? `<a href="#${id}">${label}</a>` : label
    const isBeside = text.includes(`class="fault" id="${id}-about"`)
    return `<li>${link}${isBeside ? '' : html`${ofPlaces.test(textOf(message)) ? ':' : ''} ${say(message)}`.text}</li>`
  }
  const sayBeside = (_: string, start: string, before: string, message: string) => {
    const label = ofPlaces.test(textOf(message)) ? '' : before
    const words = say(message)
    return `${start}${label}${html`${label === '' ? words.charAt(0).toUpperCase() + words.slice(1) : words}`.text}`
  }
  return new Markup(
    text
      .replace(
        heading,
        (_, start: string, message: string) => start + html`${faultIn(t, textOf(message))}`.text,
      )
      .replace(item, sayItem)
      .replace(beside, sayBeside),
  )
}

/** The label of a field on the page. */
function labelOf(text: string, id: string): string | undefined {
  const label = new RegExp(`<label for="${id}"[^>]*>(.*?)</label>`, 's').exec(text)?.[1]
  const legend = new RegExp(`<fieldset[^>]* id="${id}"[^>]*><legend>(.*?)</legend>`, 's').exec(text)?.[1]
  return (label ?? legend)?.replace(/<[^>]+>/g, '').trim()
}
