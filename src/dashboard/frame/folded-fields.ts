/** Fields of a filter that are folded on a phone, so that the list begins near the top. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { FormFaults } from './forms.ts'
import { icon } from './icons.ts'

/**
 * The fields, for use inside the form. On a phone, a button opens them in a popover, without JavaScript. In a
 * wide window, and if the form has faults, the fields are always visible.
 */
export function foldedFields(t: Texts, fields: Markup, faults: FormFaults): Markup {
  if (faults) return html`<div class="folds">${fields}</div>`
  return html`<button type="button" class="secondary open-folds" popovertarget="filters">${icon('filters')} ${t.say('filters.open')}</button>
<div id="filters" class="folds" popover>${fields}
<button class="in-folds">${t.say('word.show')}</button></div>`
}
