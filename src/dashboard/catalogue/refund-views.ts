/**
 * A product's refund terms: as a list on the product's page, and as a form with one line for each term. Pure.
 */
import { fromSteps } from '../../catalogue/refund-steps.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { RefundStep } from '../../inventory/refund-terms.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { fieldOf, inputField, type ShownForm } from '../frame/form-fields.ts'
import { lineNames, linesToShow } from '../frame/form-lines.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { amountField, percentText } from '../parts/amounts.ts'
import { productPath } from './paths.ts'
import { productTabs } from './product-tabs.ts'

export function refundPart(t: Texts, path: string, steps: readonly RefundStep[]): Markup {
  const lines = fromSteps(steps).map(({ Percent, HoursBefore }) => {
    const percent = percentText(t, Percent)
    return html`<li>${HoursBefore === 0 ? t.say('refund-terms.until-start', { percent }) : t.say('refund-terms.until', { percent, hours: HoursBefore })}</li>`
  })
  return html`<h2 id="refund-terms">${t.say('refund-terms.title')}</h2>
${
  lines.length === 0
    ? emptyState(t.say('refund-terms.empty'))
    : html`<p>${t.say('refund-terms.opening')}</p><ul>${lines}<li>${t.say('refund-terms.later')}</li></ul>`
}
<p><a class="button secondary" href="${path}/refund-terms">${t.say('refund-terms.change')}</a></p>`
}

const parts = ['Percent', 'HoursBefore'] as const
const lines = { names: lineNames('RefundTerms', 20), parts, spare: 2 }

export const refundFieldNames: readonly string[] = lines.names.flatMap((line) =>
  parts.map((part) => `${line}.${part}`),
)

function labelsOf(t: Texts): ReadonlyMap<string, string> {
  return new Map(
    lines.names.flatMap((line, index): [string, string][] => [
      [`${line}.Percent`, t.say('refund-terms.percent', { line: index + 1 })],
      [`${line}.HoursBefore`, t.say('refund-terms.hours', { line: index + 1 })],
    ]),
  )
}

export function refundFaults(t: Texts, faults: NonNullable<FormFaults>): FormFaults {
  const messages: Record<string, string> = {
    'is required': 'is required; to remove the line, clear all its fields',
    'must differ from that of earlier terms': 'must differ from the lines above',
  }
  const fields = [...faults.fields].map(([field, message]) => [field, messages[message] ?? message] as const)
  return inWords({ ...faults, fields: new Map(fields) }, labelsOf(t))
}

export function refundPage(
  session: Session,
  t: Texts,
  productId: number,
  shown: ShownForm & { version: string },
): Markup {
  const labels = labelsOf(t)
  const field = (name: string) => fieldOf(shown, labels.get(name)!, name)
  const fields = linesToShow(shown, lines).map((line, index) => {
    return html`<div class="line">${amountField(t, field(`${line}.Percent`), { maxlength: 8, ...(index === 0 && { placeholder: '100' }) })}
${inputField(field(`${line}.HoursBefore`), { type: 'number', min: 0, max: 8760, inputmode: 'numeric', ...(index === 0 && { placeholder: '48' }) })}</div>`
  })
  return html`${productTabs(t, productId, 'refundTerms')}${faultSummary(shown.faults)}
<p>${t.say('refund-terms.about')}</p>
<p class="hint">${t.say('refund-terms.hint')}</p>
${postForm(
  session,
  `${productPath(productId)}/refund-terms`,
  html`${versionField(shown.version)}${fields}
<p class="actions"><button>${t.say('save')}</button> <a href="${productPath(productId)}#refund-terms">${t.say('product.back')}</a></p>`,
)}`
}
