/** The form of a promotion: code, reduction and limits. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  attributes,
  faultBeside,
  faultSummary,
  fieldOf,
  idOf,
  inputField,
  postForm,
  type ShownForm,
  valueAt,
} from '../frame/forms.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { showAmount } from '../parts/amounts.ts'

/** The labels of the promotion form. */
export const promotionLabels = new Map([
  ['Code', 'Code'],
  ['Percent', 'Percent off'],
  ['Amount', 'Amount off'],
  ['Currency', 'Currency of the amount'],
  ['ProductIDs', 'Only for these products'],
  ['SaleFrom', 'Can be used from'],
  ['SaleTo', 'Can be used until'],
  ['TravelFrom', 'For timeslots from'],
  ['TravelTo', 'For timeslots until'],
  ['MaxUses', 'Uses in all'],
  ['MaxUsesPerCustomer', 'Uses of each customer'],
])
export const promotionFieldNames = [...promotionLabels.keys()].filter(
  (name) => name !== 'Code' && name !== 'ProductIDs',
)

type PromotionForm = {
  /** Null for a new one. */
  id: number | null
  products: readonly { id: number; name: string }[]
  currency: string
  /** Its state. */
  summary?: Markup
}

export function promotionForm(
  session: Session,
  { locale }: Texts,
  { id, products, currency, summary = html`` }: PromotionForm,
  shown: ShownForm & { version?: string },
): Markup {
  const field = (name: string, hint?: string) => fieldOf(shown, promotionLabels.get(name)!, name, hint)
  const decimal = (name: string, hint: string) => ({
    ...field(name, hint),
    value: showAmount(valueAt(shown.values, name), locale),
  })
  const typed = { inputmode: 'decimal', autocomplete: 'off' }
  const day = { type: 'date' }
  const uses = { type: 'number', min: 1, inputmode: 'numeric' }
  // Folded while unused, and never around a fault.
  const isOfAmount =
    valueAt(shown.values, 'Amount') !== '' ||
    ['Amount', 'Currency'].some((name) => shown.faults?.fields.has(name))
  const ofAmount = valueAt(shown.values, 'Currency') || currency
  const code = inputField(field('Code', 'What customers type, such as SUMMER-10; capitals do not matter.'), {
    ...{ required: true, maxlength: 40, autocomplete: 'off', autocapitalize: 'characters' },
  })
  const list = '/dashboard/promotions'
  return html`${faultSummary(shown.faults)}
${summary}
${postForm(
  session,
  id === null ? list : `${list}/${id}`,
  html`${id === null ? code : versionField(shown.version ?? '')}
${inputField(decimal('Percent', 'Of what is booked. Or an amount below.'), { ...typed, maxlength: 8 })}
<details class="fold"${attributes({ open: isOfAmount })}><summary>An amount off instead</summary><div class="fields">
${inputField(decimal('Amount', 'Off the sale as a whole, at most what it costs.'), { ...typed, maxlength: 20 })}
${inputField({ ...field('Currency', 'Three letters, such as EUR.'), value: ofAmount }, { maxlength: 3, autocapitalize: 'characters' })}
</div></details>
${productFields(products, shown)}
${inputField(field('SaleFrom'), day)}
${inputField(field('SaleTo', 'The day is included. Empty where it does not matter.'), day)}
${inputField(field('TravelFrom'), day)}
${inputField(field('TravelTo', 'The day on which the timeslot is, included.'), day)}
${inputField(field('MaxUses', 'Empty for no limit.'), uses)}
${inputField(field('MaxUsesPerCustomer', 'Counted by e-mail address, which is needed then.'), uses)}
<p class="actions"><button>${id === null ? 'Save promotion' : 'Save'}</button> <a href="${list}">Back to the promotions</a></p>`,
)}`
}

function productFields(products: PromotionForm['products'], { values, faults }: ShownForm): Markup {
  const chosen = (values as { ProductIDs?: readonly (number | string)[] | null } | null)?.ProductIDs ?? []
  const fault = faults?.fields.get('ProductIDs')
  const legend = promotionLabels.get('ProductIDs')!
  const boxes = products.map(({ id, name }) => {
    const box = { type: 'checkbox', name: 'ProductIDs', value: id, checked: chosen.includes(id) }
    return html`<label><input${attributes(box)}> ${name}</label>\n`
  })
  return html`<fieldset class="group" id="${idOf('ProductIDs')}" tabindex="-1"><legend>${legend}</legend>
<p class="hint">Tick none where it is for all.</p>
<div class="boxes">${boxes}</div>${fault ? faultBeside('ProductIDs', legend, fault) : ''}</fieldset>`
}
