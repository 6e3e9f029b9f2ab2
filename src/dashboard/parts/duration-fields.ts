/** Durations in forms: a number with a unit beside it. The API and the database use minutes. */

import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { fieldLabel } from '../frame/field-label.ts'
import { textsOf } from '../frame/form-body.ts'
import { aboutField, type Field } from '../frame/form-fields.ts'
import { attributes, idOf } from '../frame/forms.ts'
import { durationUnits, inLargestUnit, isDurationUnit, toMinutes } from './durations.ts'

/**
 * Converts fields with a unit to minutes, before the body is checked. The number is sent as `<name>Count`, and not
 * under the name that the API uses. Otherwise a process of an older version, which ignores the unit, would store the
 * number as minutes.
 */
export function takeDurations(...names: readonly string[]): (request: FastifyRequest) => Promise<void> {
  return async ({ body, formFields }) => {
    const given = body as Record<string, unknown>
    for (const name of names) {
      const [unit] = textsOf(formFields, unitName(name))
      const count = textsOf(formFields, countName(name))[0]?.trim()
      if (count === undefined || !isDurationUnit(unit)) continue
      given[name] = /^-?\d{1,15}(\.\d{1,10})?$/.test(count) ? toMinutes(Number(count), unit) : count
    }
  }
}

/**
 * The fields for a duration: a number and a unit. Minutes are shown in the largest unit in which they are a
 * whole number.
 */
export function durationField(t: Texts, field: Field): Markup {
  const { label, name, value } = field
  const about = aboutField(field)
  const minutes = Number(value ?? '')
  const isKnown = String(value ?? '') !== '' && Number.isFinite(minutes)
  const shown = isKnown ? inLargestUnit(minutes) : { count: value ?? '', unit: 'minutes' }
  const number = {
    id: idOf(name),
    name: countName(name),
    value: shown.count,
    type: 'number',
    min: 0,
    step: 'any',
  }
  const unit = { name: unitName(name), 'aria-label': t.say('duration.unit-of', { label }) }
  return html`<p class="field">${fieldLabel(field, true)}
<span class="duration"><input${attributes({ ...number, required: true, inputmode: 'decimal', ...about.attributes })}>
<select${attributes(unit)}>${durationUnits.map(
    (value) =>
      html`<option${attributes({ value, selected: value === shown.unit })}>${t.say(`duration.unit.${value}`)}</option>`,
  )}</select></span>${about.markup}</p>`
}

function countName(name: string): string {
  return `${name}Count`
}

function unitName(name: string): string {
  return `${name}Unit`
}
