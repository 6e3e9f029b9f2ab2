/** A product's refund terms: in words, and as a form with a line for each. Pure. */
import { fromSteps } from '../../catalogue/refund-steps.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { RefundStep } from '../../inventory/refund-terms.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { lineNames, linesToShow } from '../frame/form-lines.ts'
import {
  type FormFaults,
  faultSummary,
  fieldOf,
  inputField,
  postForm,
  type ShownForm,
  valueAt,
} from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { percentText, showAmount } from '../parts/amounts.ts'
import { productPath } from './paths.ts'

export function refundPart(t: Texts, path: string, steps: readonly RefundStep[]): Markup {
  const lines = fromSteps(steps).map(({ Percent, HoursBefore }) => {
    const hours = HoursBefore === 1 ? '1 hour' : `${t.number(HoursBefore)} hours`
    const until = HoursBefore === 0 ? 'the start' : `${hours} before the start`
    return html`<li>${percentText(t, Percent)} until ${until}</li>`
  })
  return html`<h2 id="refund-terms">Refund terms</h2>
${
  lines.length === 0
    ? emptyState('Nothing says how much is paid back when a booking is cancelled.')
    : html`<p>What is paid back of a booking that is cancelled:</p><ul>${lines}<li>nothing later</li></ul>`
}
<p><a class="button secondary" href="${path}/refund-terms">Change the refund terms</a></p>`
}

const parts = ['Percent', 'HoursBefore'] as const
const lines = { names: lineNames('RefundTerms', 20), parts, spare: 2 }

export const refundFieldNames: readonly string[] = lines.names.flatMap((line) =>
  parts.map((part) => `${line}.${part}`),
)

const labels = new Map(
  lines.names.flatMap((line, index): [string, string][] => [
    [`${line}.Percent`, `Percent back, line ${index + 1}`],
    [`${line}.HoursBefore`, `Hours before, line ${index + 1}`],
  ]),
)

export function refundFaults(faults: NonNullable<FormFaults>): FormFaults {
  const messages: Record<string, string> = {
    'is required': 'is needed; empty the whole line to remove it',
    'must differ from that of earlier terms': 'must be other than in the lines before',
  }
  const fields = [...faults.fields].map(([field, message]) => [field, messages[message] ?? message] as const)
  return inWords({ ...faults, fields: new Map(fields) }, labels)
}

export function refundPage(
  session: Session,
  { locale }: Texts,
  productId: number,
  shown: ShownForm & { version: string },
): Markup {
  const field = (name: string, hint?: string) => fieldOf(shown, labels.get(name)!, name, hint)
  const fields = linesToShow(shown, lines).map((line, index) => {
    const percent = showAmount(valueAt(shown.values, `${line}.Percent`), locale)
    return html`<div class="line">${inputField({ ...field(`${line}.Percent`), value: percent }, { inputmode: 'decimal', maxlength: 8, autocomplete: 'off', ...(index === 0 && { placeholder: '100' }) })}
${inputField(field(`${line}.HoursBefore`), { type: 'number', min: 0, max: 8760, inputmode: 'numeric', ...(index === 0 && { placeholder: '48' }) })}</div>`
  })
  return html`${faultSummary(shown.faults)}
<p>So much of the total is paid back when a booking is cancelled until so many hours before the start: 100 % until 48 hours, then 50 % until 24 hours. Later nothing is paid back.</p>
<p class="hint">Bookings that were made before keep the terms they were made under. Empty a line to remove it; saving adds more lines.</p>
${postForm(
  session,
  `${productPath(productId)}/refund-terms`,
  html`${versionField(shown.version)}${fields}
<p class="actions"><button>Save</button> <a href="${productPath(productId)}#refund-terms">Back to the product</a></p>`,
)}`
}
