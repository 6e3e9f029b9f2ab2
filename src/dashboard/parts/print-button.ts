/**
 * The button that prints a page. Without JavaScript it stays hidden, and the user prints with the browser's
 * menu. Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'

export function printButton(t: Texts): Markup {
  return html`<p class="no-print"><button type="button" class="secondary" data-print hidden>${t.say('print')}</button></p>`
}
