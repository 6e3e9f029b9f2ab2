/** The list of a product's units, and the form of a unit. Pure. */
import { unitTypes } from '../../catalogue/sale-schemas.ts'
import type { StatedUnit } from '../../catalogue/units/schemas.ts'
import type { readUnits } from '../../catalogue/units/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  attributes,
  checkboxField,
  faultBeside,
  faultSummary,
  fieldOf,
  idOf,
  inputField,
  postForm,
  type ShownForm,
  selectField,
  valueAt,
} from '../frame/forms.ts'
import { badge, emptyState } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { showAmount } from '../parts/amounts.ts'
import { agesText, rulesText } from '../parts/party-fields.ts'
import { productPath } from './paths.ts'

export type UnitLine = Awaited<ReturnType<typeof readUnits>>[number]

const typeWords: Record<(typeof unitTypes)[number], string> = {
  ADULT: 'adult',
  YOUTH: 'youth',
  CHILD: 'child',
  INFANT: 'infant',
  FAMILY: 'family',
  SENIOR: 'senior',
  STUDENT: 'student',
  MILITARY: 'military',
  OTHER: 'other',
  PERSON: 'person',
}

/** The units in order, with the buttons that change the order. */
export function unitsPart(
  session: Session,
  t: Texts,
  path: string,
  { units, pricedPerBooking }: { units: UnitLine[] | null; pricedPerBooking: boolean },
): Markup {
  const lines = units ?? []
  const version = versionOf(lines)
  const add = html`<p><a class="button secondary" href="${path}/units/new">Add a unit</a></p>`
  const nothing = pricedPerBooking
    ? 'It is priced per booking, and so it has no units.'
    : 'It sells places at one price. Add units, such as adults and children, to sell at several.'
  return html`<h2 id="units">Units</h2>
${
  lines.length === 0
    ? emptyState(nothing)
    : html`<ol class="questions">${lines.map((unit, index) => {
        const last = lines.length - 1
        const moves = [...(index > 0 ? (['up'] as const) : []), ...(index < last ? (['down'] as const) : [])]
        // There is always a default unit.
        const removal = unit.isDefault && last > 0 ? [] : (['remove'] as const)
        return html`<li>${unitWords(t, path, unit, lines)}
<div class="actions">${[...moves, ...removal].map((what) => placeButton(session, path, unit, { what, version }))}</div></li>\n`
      })}</ol>`
}
${pricedPerBooking ? '' : add}`
}

function unitWords(t: Texts, path: string, unit: UnitLine, units: readonly UnitLine[]): Markup {
  const price = t.amount(unit.priceMinor, unit.currency)
  const rules = rulesText(unit, units)
  return html`<p><a href="${path}/units/${unit.id}">${unit.name}${agesText(unit)}</a>, ${price} ${unit.isDefault ? badge('default') : ''}
${rules ? html`<br><span class="hint">${rules}</span>` : ''}</p>`
}

const placeWords = { up: 'Up', down: 'Down', remove: 'Remove' }

function placeButton(
  session: Session,
  path: string,
  { id, name }: UnitLine,
  { what, version }: { what: keyof typeof placeWords; version: string },
): Markup {
  const question = what === 'remove' ? 'Remove this unit? Bookings that have it keep it.' : undefined
  return postForm(
    session,
    `${path}/units/${id}/place`,
    html`${versionField(version)}<input type="hidden" name="Do" value="${what}">
<button class="secondary" aria-label="${placeWords[what]}: ${name}">${placeWords[what]}</button>`,
    { class: 'inline', ...(question && { question }) },
  )
}

/** The labels of the unit form. */
export const unitLabels = new Map([
  ['Name', 'Name'],
  ['Type', 'For'],
  ['Price.Amount', 'Price of one'],
  ['MinAge', 'Youngest age'],
  ['MaxAge', 'Oldest age'],
  ['People', 'People that one is'],
  ['Places', 'Places that one takes'],
  ['MinQuantity', 'Fewest in a booking that has any'],
  ['MaxQuantity', 'Most in a booking'],
  ['AccompaniedBy', 'Only together with'],
  ['Default', 'Default unit'],
  ['MaxPlaces', 'Most places of a booking'],
])
export const unitFieldNames = [...unitLabels.keys()].filter(
  (name) => name !== 'AccompaniedBy' && name !== 'MaxPlaces',
)

type UnitForm = {
  productId: number
  unitId: number | null
  currency: string
  /** The other units of the product. */
  others: readonly UnitLine[]
}

export function unitPage(
  session: Session,
  { locale }: Texts,
  { productId, unitId, currency, others }: UnitForm,
  shown: ShownForm & { version: string },
): Markup {
  const field = (name: string, hint?: string) => fieldOf(shown, unitLabels.get(name)!, name, hint)
  const number = (min: number, max: number) => ({ type: 'number', min, max, inputmode: 'numeric' })
  const amount = showAmount(valueAt(shown.values, 'Price.Amount'), locale)
  const price = {
    ...field('Price.Amount', `In ${currency}. That of the default unit is the product’s.`),
    value: amount,
  }
  const types = unitTypes.map((value) => ({ value, label: typeWords[value] }))
  const chosen = (shown.values as Partial<StatedUnit> | null)?.AccompaniedBy ?? []
  return html`${faultSummary(shown.faults)}
${postForm(
  session,
  `${productPath(productId)}/units/${unitId ?? 'new'}`,
  html`${versionField(shown.version)}
${inputField(field('Name', 'As customers read it, such as Child.'), { required: true, maxlength: 255 })}
${selectField(field('Type'), types)}
${inputField(price, { required: true, inputmode: 'decimal', maxlength: 20 })}
${inputField(field('MinAge', 'In years; empty where it does not matter.'), number(0, 150))}
${inputField(field('MaxAge'), number(0, 150))}
${inputField(field('People', 'A family ticket may be 4.'), number(1, 99))}
${inputField(field('Places', 'Of the timeslot. An infant on a lap may take 0.'), number(0, 99))}
${inputField(field('MinQuantity'), number(1, 999))}
${inputField(field('MaxQuantity'), number(1, 999))}
${others.length > 0 ? companionFields(others, chosen, shown) : ''}
${checkboxField(field('Default', 'A partner who names no unit buys this one. It is one person on one place.'))}
<p class="actions"><button>Save</button> <a href="${productPath(productId)}#units">Back to the product</a></p>`,
)}`
}

function companionFields(
  others: readonly UnitLine[],
  chosen: readonly (number | string)[],
  { faults }: ShownForm,
): Markup {
  const fault = faults?.fields.get('AccompaniedBy')
  const legend = unitLabels.get('AccompaniedBy')!
  const boxes = others.map(({ id, name }) => {
    const box = { type: 'checkbox', name: 'AccompaniedBy', value: id, checked: chosen.includes(id) }
    return html`<label><input${attributes(box)}> ${name}</label>\n`
  })
  return html`<fieldset class="group" id="${idOf('AccompaniedBy')}" tabindex="-1"><legend>${legend}</legend>
<p class="hint">At least one of those ticked is in the same booking. Tick none where it may come alone.</p>
${boxes}${fault ? faultBeside('AccompaniedBy', legend, fault) : ''}</fieldset>`
}
