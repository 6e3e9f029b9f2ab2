/** The label of a field, with the word “(required)” if the field must not stay empty. Pure. */
import { attributes, idOf } from '../../http/form-markup.ts'
import { html, Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'

/**
 * The label of a field. If the field is required, the label has an attribute with the word “(required)”,
 * which sayRequired() fills in. The style sheet shows the word only where users might think that the field is
 * optional: in forms that also have optional fields, and for text areas and the field `Reason`.
 */
export function fieldLabel({ label, name }: { label: string; name: string }, isRequired: boolean): Markup {
  return html`<label for="${idOf(name)}"${attributes({ 'data-required': isRequired })}>${label}</label>`
}

/**
 * Returns the page with the word “(required)” on the labels of required fields, in the language of the
 * reader.
 */
export function sayRequired(t: Texts, { text }: Markup): Markup {
  // Texts of users cannot match, because `>` is escaped in them.
  return new Markup(
    text.replaceAll(' data-required>', html` data-required="${t.say('form.required')}">`.text),
  )
}
