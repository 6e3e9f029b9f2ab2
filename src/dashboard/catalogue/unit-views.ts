/** The list of a product's units, and the form of a unit. Pure. */
import { unitTypes } from '../../catalogue/sale-schemas.ts'
import type { StatedUnit } from '../../catalogue/units/schemas.ts'
import type { readUnits } from '../../catalogue/units/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { checkboxField, fieldOf, inputField, type ShownForm, selectField } from '../frame/form-fields.ts'
import { attributes, faultBeside, faultSummary, idOf, postForm } from '../frame/forms.ts'
import { badge, emptyState } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'
import { type LabelKeys, labelsIn } from '../parts/labels.ts'
import { agesText, rulesText } from '../parts/party-fields.ts'
import { productPath } from './paths.ts'
import { productTabs } from './product-tabs.ts'

export type UnitLine = Awaited<ReturnType<typeof readUnits>>[number]

/** The units in order, with the buttons that move or remove a unit. */
export function unitsPart(
  session: Session,
  t: Texts,
  path: string,
  { units, pricedPerBooking }: { units: UnitLine[] | null; pricedPerBooking: boolean },
): Markup {
  const lines = units ?? []
  const version = versionOf(lines)
  const add = html`<p><a class="button secondary" href="${path}/units/new">${t.say('unit.add')}</a></p>`
  const nothing = t.say(pricedPerBooking ? 'unit.empty.per-booking' : 'unit.empty')
  return html`<h2 id="units">${t.say('unit.list')}</h2>
${
  lines.length === 0
    ? emptyState(nothing)
    : html`<ol class="questions">${lines.map((unit, index) => {
        const last = lines.length - 1
        const moves = [...(index > 0 ? (['up'] as const) : []), ...(index < last ? (['down'] as const) : [])]
        // The default unit can be removed only if it is the only unit, because others need a default unit. A unit
        // that accompanies another one cannot be removed either.
        const isNeeded =
          (unit.isDefault && last > 0) || lines.some(({ accompaniedBy }) => accompaniedBy.includes(unit.id))
        const removal = isNeeded ? [] : (['remove'] as const)
        return html`<li>${unitWords(t, path, unit, lines)}
<div class="actions">${[...moves, ...removal].map((what) => placeButton(session, t, path, unit, { what, version }))}</div></li>\n`
      })}</ol>`
}
${pricedPerBooking ? '' : add}`
}

function unitWords(t: Texts, path: string, unit: UnitLine, units: readonly UnitLine[]): Markup {
  const price = t.amount(unit.priceMinor, unit.currency)
  const rules = rulesText(t, unit, units)
  return html`<p><a href="${path}/units/${unit.id}">${unit.name}${agesText(t, unit)}</a>, ${price} ${unit.isDefault ? badge(t.say('unit.is-default')) : ''}
${rules ? html`<br><span class="hint">${rules}</span>` : ''}</p>`
}

function placeButton(
  session: Session,
  t: Texts,
  path: string,
  { id, name }: UnitLine,
  { what, version }: { what: 'up' | 'down' | 'remove'; version: string },
): Markup {
  const question = what === 'remove' ? t.say('unit.remove.ask') : undefined
  const words = t.say(`place.${what}`)
  return postForm(
    session,
    `${path}/units/${id}/place`,
    html`${versionField(version)}<input type="hidden" name="Do" value="${what}">
<button class="secondary" aria-label="${words}: ${name}">${words}</button>`,
    { class: 'inline', ...(question && { question }) },
  )
}

const labelKeys = {
  Name: 'word.name',
  Type: 'word.for',
  'Price.Amount': 'unit.price',
  MinAge: 'unit.min-age',
  MaxAge: 'unit.max-age',
  People: 'unit.people',
  Places: 'unit.places',
  MinQuantity: 'unit.min-quantity',
  MaxQuantity: 'unit.max-quantity',
  Default: 'unit.default',
} as const satisfies LabelKeys

type UnitField = keyof typeof labelKeys
export const unitFieldNames = Object.keys(labelKeys) as UnitField[]

export function unitLabels(t: Texts): ReadonlyMap<string, string> {
  return labelsIn(t, { ...labelKeys, AccompaniedBy: 'unit.accompanied-by', MaxPlaces: 'product.max-places' })
}

/** The labels of the choices in the form, for storedWords(). */
export function unitChoices(t: Texts): ReadonlyMap<string, string> {
  return new Map(unitTypes.map((value) => [`Type ${value}`, t.say(`unit.type.${value}`)]))
}

type UnitForm = {
  productId: number
  unitId: number | null
  currency: string
  /** The other units of the product. */
  others: readonly UnitLine[]
}

export function unitPage(
  session: Session,
  t: Texts,
  { productId, unitId, currency, others }: UnitForm,
  shown: ShownForm & { version: string },
): Markup {
  const field = (name: UnitField, hint?: string) => fieldOf(shown, t.say(labelKeys[name]), name, hint)
  const number = (min: number, max: number) => ({ type: 'number', min, max, inputmode: 'numeric' })
  const price = field('Price.Amount', t.say('unit.price.hint', { currency }))
  const types = unitTypes.map((value) => ({ value, label: t.say(`unit.type.${value}`) }))
  const chosen = (shown.values as Partial<StatedUnit> | null)?.AccompaniedBy ?? []
  return html`${productTabs(t, productId, 'units')}${faultSummary(shown.faults)}
${postForm(
  session,
  `${productPath(productId)}/units/${unitId ?? 'new'}`,
  html`${versionField(shown.version)}
${inputField(field('Name', t.say('unit.name.hint')), { required: true, maxlength: 255 })}
${selectField(field('Type'), types)}
${amountField(t, price, { required: true, maxlength: 20 })}
${inputField(field('MinAge', t.say('unit.min-age.hint')), number(0, 150))}
${inputField(field('MaxAge'), number(0, 150))}
${inputField(field('People', t.say('unit.people.hint')), number(1, 99))}
${inputField(field('Places', t.say('unit.places.hint')), number(0, 99))}
${inputField(field('MinQuantity'), number(1, 999))}
${inputField(field('MaxQuantity'), number(1, 999))}
${others.length > 0 ? companionFields(t, others, chosen, shown) : ''}
${checkboxField(field('Default', t.say('unit.default.hint')))}
<p class="actions"><button>${t.say('save')}</button> <a href="${productPath(productId)}#units">${t.say('product.back')}</a></p>`,
)}`
}

function companionFields(
  t: Texts,
  others: readonly UnitLine[],
  chosen: readonly (number | string)[],
  { faults }: ShownForm,
): Markup {
  const fault = faults?.fields.get('AccompaniedBy')
  const legend = t.say('unit.accompanied-by')
  const boxes = others.map(({ id, name }) => {
    const box = { type: 'checkbox', name: 'AccompaniedBy', value: id, checked: chosen.includes(id) }
    return html`<label><input${attributes(box)}> ${name}</label>\n`
  })
  return html`<fieldset class="group" id="${idOf('AccompaniedBy')}" tabindex="-1"><legend>${legend}</legend>
<p class="hint">${t.say('unit.accompanied-by.hint')}</p>
${boxes}${fault ? faultBeside('AccompaniedBy', legend, fault) : ''}</fieldset>`
}
