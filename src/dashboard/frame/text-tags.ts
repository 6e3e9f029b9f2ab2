/** The HTML elements for tags in texts, such as `<unseen>` and `<hint>`. Pure. */
import { html, type Markup } from '../../http/pages.ts'

/** Words that only screen readers read, for the tag `<unseen>` of a text. */
export function unseen(words: Markup): Markup {
  return html`<span class="unseen">${words}</span>`
}

/** Less important words, for the tag `<hint>` of a text. */
export function hint(words: Markup): Markup {
  return html`<span class="hint">${words}</span>`
}
