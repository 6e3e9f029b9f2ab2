/**
 * The party in forms: a field for each unit of a product, or one for the number of people. The name of a
 * unit's field has the id of the unit. If a field is empty or 0, the party has none of this unit.
 */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import type { ShownPriceList, ShownUnit } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import { type PartyRequest, tooFewFree } from '../../sales/booking/pricing.ts'
import { type FormFields, textsOf } from '../frame/form-body.ts'
import { countField } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../frame/forms.ts'

export type GivenUnits = NonNullable<PartyRequest['Units']>

const fieldName = (id: number) => `Unit-${id}`
const whole = 'Units'
const maxOfOne = 999

/** Reads the units of a form into its body, before the body is checked. */
export async function takeUnits(request: FastifyRequest): Promise<void> {
  const units = readUnits(request.formFields)
  if (units.length > 0) Object.assign(request.body as object, { Units: units })
}

/**
 * Reads the quantities of units. A quantity that is not a number stays text, so that validation reports its
 * field.
 */
function readUnits(fields: FormFields): { UnitID: number; Quantity: number | string }[] {
  return Object.keys(fields).flatMap((name) => {
    const id = /^Unit-(0|[1-9]\d{0,14})$/.exec(name)?.[1]
    const text = textsOf(fields, name)[0]!.trim()
    if (id === undefined || text === '' || text === '0') return []
    return [{ UnitID: Number(id), Quantity: /^-?\d{1,15}$/.test(text) ? Number(text) : text }]
  })
}

/** The party in the fields of a form or an address, without invalid parts. */
export function readParty(fields: FormFields): PartyRequest {
  const isQuantity = (quantity: unknown): quantity is number =>
    typeof quantity === 'number' && Number.isInteger(quantity) && quantity > 0 && quantity <= maxOfOne
  const Units = readUnits(fields).flatMap(({ UnitID, Quantity }) =>
    isQuantity(Quantity) ? [{ UnitID, Quantity }] : [],
  )
  const Participants = Number(textsOf(fields, 'Participants')[0])
  return { ...(isQuantity(Participants) && { Participants }), ...(Units.length > 0 && { Units }) }
}

/**
 * A party as parameters for the query of an address. Each parameter begins with `&`. Empty without a party.
 */
export function partyQuery({ Participants, Units = [] }: PartyRequest): string {
  const units = Units.map(({ UnitID, Quantity }) => `&${fieldName(UnitID)}=${Quantity}`)
  return `${Participants === undefined ? '' : `&Participants=${Participants}`}${units.join('')}`
}

/**
 * Converts a party for the product of `list`. The party keeps the units that this product also sells. If
 * there are none, it gets as many people (or default units, if the product has units) as it had people or
 * units; a unit counts as one, even if it admits several people. An empty party becomes one default unit, or
 * `minPlaces` people.
 */
export function partyFor(list: ShownPriceList, { Participants, Units = [] }: PartyRequest): PartyRequest {
  const people = Participants ?? Units.reduce((sum, { Quantity }) => sum + Quantity, 0)
  const { units, minPlaces, defaultUnitId } = list
  if (!units) return { Participants: people || minPlaces }
  const known = Units.filter(({ UnitID }) => units.some(({ id }) => id === UnitID))
  return { Units: known.length > 0 ? known : [{ UnitID: defaultUnitId!, Quantity: people || 1 }] }
}

/** The party of a form: as sent, or as stored. */
export type PartyValues = PartyRequest & { faults: FormFaults }

type PartyFieldsOptions = {
  /** The label of the number of people, for a product without units. */
  label: string
  /** Text after the name of a unit; may be empty. */
  priceText: (unit: ShownUnit) => string
}

export function partyFields(
  t: Texts,
  list: ShownPriceList | null,
  { Participants, Units = [], faults }: PartyValues,
  { label, priceText }: PartyFieldsOptions,
): Markup {
  if (!list?.units) {
    const field = { label, name: 'Participants', value: Participants, faults }
    const [min, max] = [list?.minPlaces ?? 1, list?.maxPlaces ?? maxOfOne]
    return countField(field, stepWords(t, label), { min, max, required: true })
  }
  const { units } = list
  const fault = faults?.fields.get(whole)
  const fields = units.map((unit) => {
    const price = priceText(unit)
    const label = `${unit.name}${agesText(t, unit)}${price ? `, ${price}` : ''}`
    const value = Units.find(({ UnitID }) => UnitID === unit.id)?.Quantity
    const hint = rulesText(t, unit, units)
    const field = { label, name: fieldName(unit.id), value, faults, ...(hint && { hint }) }
    const max = unit.maxQuantity ?? maxOfOne
    return countField(field, stepWords(t, unit.name), { min: 0, max, placeholder: '0' })
  })
  const about = fault ? `${idOf(whole)}-about` : undefined
  return html`<fieldset${attributes({ class: 'fields', id: idOf(whole), 'aria-describedby': about })}>
<legend>${t.say('party.who')}</legend>
${fault ? faultBeside(whole, t.say('party.who'), fault) : ''}
${fields}</fieldset>`
}

function stepWords(t: Texts, unit: string) {
  return { less: t.say('party.less', { unit }), more: t.say('party.more', { unit }) }
}

/** A party as hidden fields. */
export function hiddenParty({ Participants, Units }: PartyRequest): Markup {
  const hidden = (name: string, value: number) => html`<input type="hidden" name="${name}" value="${value}">`
  return Units
    ? html`${Units.map(({ UnitID, Quantity }) => hidden(fieldName(UnitID), Quantity))}`
    : html`${Participants === undefined ? '' : hidden('Participants', Participants)}`
}

/** ` (4–11)`; empty for all ages. */
export function agesText(t: Texts, { minAge, maxAge }: Pick<ShownUnit, 'minAge' | 'maxAge'>): string {
  if (minAge !== null && maxAge !== null) return ` (${t.say('party.ages', { min: minAge, max: maxAge })})`
  if (minAge !== null) return ` (${t.say('party.ages.over', { min: minAge })})`
  return maxAge === null ? '' : ` (${t.say('party.ages.up-to', { max: maxAge })})`
}

type RuledUnit = Omit<ShownUnit, 'priceMinor'>

/**
 * The limits of a unit, and how many people it admits and how many places it takes, unless it is one person in one
 * place.
 */
export function rulesText(t: Texts, unit: RuledUnit, units: readonly RuledUnit[]): string {
  const { minQuantity, maxQuantity, accompaniedBy, people, places } = unit
  const companions = units.filter(({ id }) => accompaniedBy.includes(id)).map(({ name }) => name)
  const rules = [
    people === 1 ? '' : t.say('party.rule.people', { count: people }),
    places === people
      ? ''
      : places === 0
        ? t.say('party.rule.no-place')
        : t.say('party.rule.places', { count: places }),
    minQuantity === null || minQuantity === 1 ? '' : t.say('party.rule.least', { count: minQuantity }),
    maxQuantity === null ? '' : t.say('party.rule.most', { count: maxQuantity }),
    companions.length === 0 ? '' : t.say('party.rule.with', { units: t.any(companions) }),
  ]
  const text = rules.filter((rule) => rule !== '').join(', ')
  return text === '' ? '' : text[0]!.toUpperCase() + text.slice(1)
}

/** `available` is the number of free places if they are too few for the party; null otherwise. */
type TooFewFree = { list: ShownPriceList | null; available: number | null }

/** Adds a fault with the number of free places if the party needs more. */
export function withFree(
  faults: NonNullable<FormFaults>,
  { Units }: PartyRequest,
  { list, available }: TooFewFree,
): NonNullable<FormFaults> {
  // A private tour needs a timeslot without bookings, so the number of free places does not matter.
  if (available === null || list?.takesTimeslot) return faults
  const field = Units ? 'Units' : 'Participants'
  return { ...faults, fields: new Map([...faults.fields, [field, tooFewFree(available)]]) }
}

/**
 * Renames the faults of a party to the fields that partyFields() shows for this price list, and adds the
 * labels.
 */
export function partyFaults(
  t: Texts,
  faults: NonNullable<FormFaults>,
  { Units = [] }: PartyRequest,
  list: ShownPriceList | null,
  labels: ReadonlyMap<string, string>,
): NonNullable<FormFaults> {
  const units = list?.units ?? []
  const fields = new Map<string, string>()
  const add = (field: string, message: string) =>
    fields.set(field, fields.has(field) ? `${fields.get(field)}; ${message}` : message)
  for (const [named, message] of faults.fields) {
    const field = named.replace(/^Lines\[0\]\./, '')
    const index = /^Units\[(\d+)\]/.exec(field)?.[1]
    const unit = index && units.find(({ id }) => id === Units[Number(index)]?.UnitID)
    // Removes the name of the unit from the message, because the label of the field is the same name.
    if (unit)
      add(fieldName(unit.id), message.replace(` for ${unit.name}`, '').replace(`${unit.name} must`, 'must'))
    else if (index) add(list?.units ? whole : 'Participants', 'names units that have changed: choose again')
    else if (field === 'Participants' && list?.units)
      add(whole, 'needs a number in at least one of its fields')
    else add(field, message)
  }
  const named = units.map(({ id, name }) => [fieldName(id), name] as const)
  return { ...faults, fields, labels: new Map([...labels, [whole, t.say('party.who')], ...named]) }
}
