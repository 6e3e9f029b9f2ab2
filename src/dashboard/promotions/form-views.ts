/** The form of a promotion: code, reduction and limits. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import { fieldOf, inputField, type ShownForm, valueAt } from '../frame/form-fields.ts'
import { attributes, faultBeside, faultSummary, idOf, postForm } from '../frame/forms.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'
import { type LabelKeys, labelsIn } from '../parts/labels.ts'

const labelKeys = {
  Code: 'promotion.code',
  Percent: 'promotion.percent',
  Amount: 'promotion.amount',
  Currency: 'promotion.currency',
  ProductIDs: 'promotion.only-for',
  SaleFrom: 'promotion.sale-from',
  SaleTo: 'promotion.sale-to',
  TravelFrom: 'promotion.travel-from',
  TravelTo: 'promotion.travel-to',
  MaxUses: 'promotion.max-uses',
  MaxUsesPerCustomer: 'promotion.max-uses-each',
} as const satisfies LabelKeys

type PromotionFormField = keyof typeof labelKeys
export const promotionFieldNames = Object.keys(labelKeys).filter(
  (name) => name !== 'Code' && name !== 'ProductIDs',
)

/** The labels of the promotion form. */
export function promotionLabels(t: Texts): ReadonlyMap<string, string> {
  return labelsIn(t, labelKeys)
}

type PromotionForm = {
  /** Null for a new promotion. */
  id: number | null
  products: readonly { id: number; name: string }[]
  currency: string
  /** The state and the uses of the promotion, shown above the form. */
  summary?: Markup
}

export function promotionForm(
  session: Session,
  t: Texts,
  { id, products, currency, summary = html`` }: PromotionForm,
  shown: ShownForm & { version?: string },
): Markup {
  const field = (name: PromotionFormField, hint?: TextKey) =>
    fieldOf(shown, t.say(labelKeys[name]), name, hint && t.say(hint))
  const day = { type: 'date' }
  const uses = { type: 'number', min: 1, inputmode: 'numeric' }
  // The fields of an amount are folded unless they have a value or a fault.
  const isOfAmount =
    valueAt(shown.values, 'Amount') !== '' ||
    ['Amount', 'Currency'].some((name) => shown.faults?.fields.has(name))
  const shownCurrency = valueAt(shown.values, 'Currency') || currency
  const code = inputField(field('Code', 'promotion.code.hint'), {
    ...{ required: true, maxlength: 40, autocomplete: 'off', autocapitalize: 'characters' },
  })
  const list = '/dashboard/promotions'
  return html`${faultSummary(shown.faults)}
${summary}
${postForm(
  session,
  id === null ? list : `${list}/${id}`,
  html`${id === null ? code : versionField(shown.version ?? '')}
${amountField(t, field('Percent', 'promotion.percent.hint'), { maxlength: 8 })}
<details class="fold"${attributes({ open: isOfAmount })}><summary>${t.say('promotion.amount.instead')}</summary><div class="fields">
${amountField(t, field('Amount', 'promotion.amount.hint'), { maxlength: 20 })}
${inputField({ ...field('Currency', 'product.currency.hint'), value: shownCurrency }, { maxlength: 3, autocapitalize: 'characters' })}
</div></details>
${productFields(t, products, shown)}
${inputField(field('SaleFrom'), day)}
${inputField(field('SaleTo', 'promotion.sale-to.hint'), day)}
${inputField(field('TravelFrom'), day)}
${inputField(field('TravelTo', 'promotion.travel-to.hint'), day)}
${inputField(field('MaxUses', 'promotion.max-uses.hint'), uses)}
${inputField(field('MaxUsesPerCustomer', 'promotion.max-uses-each.hint'), uses)}
<p class="actions"><button>${t.say(id === null ? 'promotion.save' : 'save')}</button> <a href="${list}">${t.say('promotion.back')}</a></p>`,
)}`
}

function productFields(t: Texts, products: PromotionForm['products'], { values, faults }: ShownForm): Markup {
  const chosen = (values as { ProductIDs?: readonly (number | string)[] | null } | null)?.ProductIDs ?? []
  const fault = faults?.fields.get('ProductIDs')
  const legend = t.say('promotion.only-for')
  const boxes = products.map(({ id, name }) => {
    const box = { type: 'checkbox', name: 'ProductIDs', value: id, checked: chosen.includes(id) }
    return html`<label class="choice"><input${attributes(box)}> ${name}</label>\n`
  })
  return html`<fieldset class="group" id="${idOf('ProductIDs')}" tabindex="-1"><legend>${legend}</legend>
<p class="hint">${t.say('promotion.only-for.hint')}</p>
<div class="boxes">${boxes}</div>${fault ? faultBeside('ProductIDs', legend, fault) : ''}</fieldset>`
}
