/** What makes a sale cheaper: the code of a promotion, and a reduction at the till. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { inWords } from '../frame/fault-words.ts'
import type { Formats } from '../frame/formats.ts'
import {
  attributes,
  type FormFaults,
  fieldOf,
  inputField,
  postForm,
  type ShownForm,
  valueAt,
} from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { money } from '../parts/party-words.ts'

const labels = new Map([
  ['Method', 'Paid by'],
  ['Reference', 'Reference'],
  ['Reduction.Amount', 'Amount off'],
  ['Reduction.Percent', 'Percent off'],
  ['Reduction.Reason', 'Reason'],
])
const messages: Record<string, string> = {
  'must not be given beside Amount': 'cannot go with an amount off: fill in one of them',
  'or Percent is required': 'or “Percent off” is needed for a reduction',
  'is required': 'is needed for a reduction',
}

/** What was wrong with a payment, in the words of its form. */
export function paymentFaults(faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  const fields = [...faults.fields].map(([field, message]) => {
    return [field, field.startsWith('Reduction.') ? (messages[message] ?? message) : message] as const
  })
  return inWords({ ...faults, fields: new Map(fields) }, labels)
}

/** What the till takes off, with why. */
export function reductionFields(shown: ShownForm): Markup {
  const field = (name: string, hint?: string) => fieldOf(shown, labels.get(name)!, name, hint)
  const isOpen = [...labels.keys()].some(
    (name) => name.startsWith('Reduction.') && valueAt(shown.values, name) !== '',
  )
  return html`<details id="reduction"${attributes({ open: isOpen })}><summary>Reduce the price</summary>
<div class="fields">
<p class="hint">The next page says what was taken.</p>
${inputField(field('Reduction.Amount', 'Or a percentage below.'), { inputmode: 'decimal', maxlength: 25, autocomplete: 'off' })}
${inputField(field('Reduction.Percent'), { inputmode: 'decimal', maxlength: 6, autocomplete: 'off' })}
${inputField(field('Reduction.Reason', 'For the history of the booking.'), { maxlength: 255, autocomplete: 'off' })}
</div></details>`
}

/** The promotion of a basket, or where its code is given. */
export function promotionPart(
  session: Session,
  formats: Formats,
  { BasketID, Promotion, Status }: BasketView,
  { code = '', faults }: { code?: string | undefined; faults: FormFaults },
): Markup {
  const path = `/dashboard/sell/${BasketID}/promotion`
  const taken =
    Promotion && html`<p>The code ${Promotion.Code} takes off ${money(formats, Promotion.Discount)}.</p>`
  if (Status !== 'open') return taken ?? html``
  if (taken)
    return html`${taken}${postForm(session, `${path}/remove`, html`<button class="secondary">Take the code away</button>`, { class: 'inline' })}`
  const field = { label: 'Promotion code', name: 'Code', value: code, faults }
  return html`<details id="promotion"${attributes({ open: code !== '' })}><summary>Promotion code</summary>
${postForm(session, path, html`${inputField(field, { required: true, maxlength: 40, autocomplete: 'off', autocapitalize: 'characters' })}<button class="secondary">Use the code</button>`, { class: 'filters' })}</details>`
}
