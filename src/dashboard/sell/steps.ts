/** The steps of a sale. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { attributes } from '../frame/forms.ts'

const names = ['word.timeslot', 'word.customer', 'sell.payment'] as const

export function steps(t: Texts, current: 1 | 2 | 3): Markup {
  return html`<ol class="steps no-print" aria-label="${t.say('sell.steps')}">${names.map(
    (name, index) =>
      html`<li${attributes({ 'aria-current': index + 1 === current ? 'step' : undefined })}>${t.say(name)}</li>`,
  )}</ol>`
}

/**
 * The address of the payment.
 * @param isNamed false if the user may have left the name of the customer empty after the page asked for it.
 * The address then has `Nameless`, so that the page does not require the name.
 */
export function payPath(path: string, isNamed: boolean): string {
  return isNamed ? `${path}/pay` : `${path}/pay?Nameless=true`
}
