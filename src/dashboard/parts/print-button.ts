/** The button that prints a page. The browser's own menu does so without script. Pure. */
import { html, type Markup } from '../../http/pages.ts'

export function printButton(): Markup {
  return html`<p class="no-print"><button type="button" class="secondary" data-print hidden>Print</button></p>`
}
