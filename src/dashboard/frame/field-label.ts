/** The label of a field, which says that it must not stay empty. Pure. */
import { attributes, idOf } from '../../http/form-markup.ts'
import { html, Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'

/**
 * The label of a field. `isRequired` is shown by the stylesheet: in a form with other fields that may stay empty, and of a
 * reason or a note. sayRequired() gives it the words.
 */
export function fieldLabel({ label, name }: { label: string; name: string }, isRequired: boolean): Markup {
  return html`<label for="${idOf(name)}"${attributes({ 'data-required': isRequired })}>${label}</label>`
}

/** The page with “(required)”, in the language of its reader, on each label of such a field. */
export function sayRequired(t: Texts, { text }: Markup): Markup {
  // Text of users cannot match: its brackets are escaped.
  return new Markup(
    text.replaceAll(' data-required>', html` data-required="${t.say('form.required')}">`.text),
  )
}
