/** Where in a sale a page is. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { attributes } from '../frame/forms.ts'

const names = ['Timeslot', 'Customer', 'Payment']

export function steps(current: 1 | 2 | 3): Markup {
  return html`<ol class="steps no-print" aria-label="Steps of the sale">${names.map(
    (name, index) =>
      html`<li${attributes({ 'aria-current': index + 1 === current ? 'step' : undefined })}>${name}</li>`,
  )}</ol>`
}
