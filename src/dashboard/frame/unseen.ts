/** Words that only screen readers read. Pure. */
import { html, type Markup } from '../../http/pages.ts'

/** For the tag `<unseen>` of a text. */
export function unseen(words: Markup): Markup {
  return html`<span class="unseen">${words}</span>`
}
