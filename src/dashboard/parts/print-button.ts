/** The button that prints a page. Without script, the browser's menu prints. Pure. */
import { html, type Markup } from '../../http/pages.ts'

export function printButton(): Markup {
  return html`<p class="no-print"><button type="button" class="secondary" data-print hidden>Print</button></p>`
}
