/** Texts of a language as markup: values are escaped, and `<strong>` in a text is an element. Pure. */
import type { TextKey } from '../languages/keys.ts'
import type { Texts } from '../languages/texts.ts'
import { html, Markup } from './pages.ts'

/** The values for the placeholders of a text. A function makes an element from the words between its tags. */
type MarkupValues = Readonly<Record<string, string | number | Markup | ((words: Markup) => Markup)>>

export function markupOf(t: Texts, key: TextKey, values: MarkupValues = {}): Markup {
  const wrap = (make: (words: Markup) => Markup) => (chunks: (string | Markup)[]) => make(join(chunks))
  const filled = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'function' ? wrap(value) : value] as const,
  )
  const strong = wrap((words) => html`<strong>${words}</strong>`)
  return join(t.parts<Markup>(key, { strong, ...Object.fromEntries(filled) }))
}

function join(parts: readonly (string | Markup)[]): Markup {
  return html`${parts.map((part) => (part instanceof Markup ? part : html`${part}`))}`
}
