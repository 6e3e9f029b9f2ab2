/** Fields of a filter that a phone shows only when they are asked for, so that the list itself begins high up. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { FormFaults } from './forms.ts'
import { icon } from './icons.ts'

/**
 * To stand within the form. On a phone a button opens them over the page, without script; on a desk they stand in their
 * place, as they do on a phone when there is something to be mended in them.
 */
export function foldedFields(fields: Markup, faults: FormFaults): Markup {
  if (faults) return html`<div class="folds">${fields}</div>`
  return html`<button type="button" class="secondary open-folds" popovertarget="filters">${icon('filters')} Filters</button>
<div id="filters" class="folds" popover>${fields}
<button class="in-folds">Show</button></div>`
}
