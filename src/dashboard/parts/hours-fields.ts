/** The time of a timeslot in forms: a set time, or all day with opening hours, with a line for each period. */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import { problems } from '../../http/problems.ts'
import type { Texts } from '../../languages/texts.ts'
import { textsOf } from '../frame/form-body.ts'
import { fieldOf, inputField, type ShownForm, valueAt } from '../frame/form-fields.ts'
import { byLine, lineNames, linesToShow } from '../frame/form-lines.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../frame/forms.ts'

export type GivenHours = { AllDay?: boolean; OpeningHours?: { Opens?: string; Closes?: string }[] }

const list = 'OpeningHours'
const parts = ['Opens', 'Closes'] as const
const lines = { names: lineNames(list, 10), parts, spare: 2 }
const needed = 'is required while AllDay is true'

export const hoursFieldNames: readonly string[] = lines.names.flatMap((line) =>
  parts.map((part) => `${line}.${part}`),
)

/** The labels of the fields of opening hours. */
export function hoursLabels(t: Texts): readonly [string, string][] {
  return [
    [list, t.say('hours.title')],
    ...lines.names.flatMap((line, index): [string, string][] => [
      [`${line}.Opens`, t.say('hours.opens', { number: index + 1 })],
      [`${line}.Closes`, t.say('hours.closes', { number: index + 1 })],
    ]),
  ]
}

/** The values with each period under the name of its line. */
export function hoursByLine<T extends GivenHours>(values: T) {
  return { ...values, ...byLine(list, values.OpeningHours ?? []) }
}

/** Deletes from the body the part that was not chosen: `Times` or `OpeningHours`. Never deletes `Time`. */
export async function takeHours(request: FastifyRequest): Promise<void> {
  const body = request.body as GivenHours & { Times?: string[] }
  if (body.AllDay === true) delete body.Times
  else delete body.OpeningHours
}

/**
 * The values that were typed for the part that was not chosen. takeHours() deletes this part from the body,
 * so it is read from the form. The page shows the values if the user chooses this part after all. A form has
 * the field `Times`, or for a single timeslot `Time`.
 */
export function unchosenHours({ body, formFields }: FastifyRequest): Record<string, unknown> {
  const typed = (name: string) => textsOf(formFields, name)
  if ((body as GivenHours).AllDay === true)
    return { Times: typed('Times').filter((text) => text !== ''), Time: typed('Time')[0] }
  return Object.fromEntries(
    lines.names.map((line) => [
      line,
      { Opens: typed(`${line}.Opens`)[0], Closes: typed(`${line}.Closes`)[0] },
    ]),
  )
}

/** @throws Problem validation for opening hours without a period. */
export function requireHours({ OpeningHours = [] }: GivenHours): void {
  if (OpeningHours.length === 0) throw problems.validation([{ field: list, message: needed }])
}

/** Faults of opening hours, in the words of the form. */
export function hoursFaults(t: Texts, faults: NonNullable<FormFaults>): NonNullable<FormFaults> {
  const worded = (field: string, message: string) => {
    if (message === needed) return t.say('hours.needed')
    const isPart = hoursFieldNames.includes(field)
    return isPart && message === 'is required' ? t.say('hours.line') : message
  }
  const fields = [...faults.fields].map(([field, message]) => [field, worded(field, message)] as const)
  return { ...faults, fields: new Map(fields) }
}

type DailyChoice = {
  /** The field of a set time. */
  start: Markup
  legend: string
  words: { start: string; allDay: string }
  hint: string
}

/** The choice between a set time and opening hours. A style sheet hides the fields of the other choice. */
export function dailyFields(t: Texts, shown: ShownForm, { start, legend, words, hint }: DailyChoice): Markup {
  const isAllDay = valueAt(shown.values, 'AllDay') === 'true'
  const radio = (value: boolean, label: string) => {
    const button = { type: 'radio', name: 'AllDay', value: String(value), checked: value === isAllDay }
    return html`<label class="choice"><input${attributes(button)}> ${label}</label>\n`
  }
  return html`<fieldset class="fields"><legend>${legend}</legend>
${radio(false, words.start)}${radio(true, words.allDay)}</fieldset>
<div class="of-start">${start}</div>
<div class="of-hours">${hoursFields(t, shown, hint)}</div>`
}

/** A line for each period, and two empty lines, but no more than ten lines. */
export function hoursFields(t: Texts, shown: ShownForm, hint: string): Markup {
  const labels = new Map(hoursLabels(t))
  const fault = shown.faults?.fields.get(list)
  const field = (name: string) => inputField(fieldOf(shown, labels.get(name)!, name), { type: 'time' })
  const shownLines = linesToShow(shown, lines).map(
    (line) => html`<div class="line">${parts.map((part) => field(`${line}.${part}`))}</div>`,
  )
  return html`<fieldset class="fields" id="${idOf(list)}" tabindex="-1"><legend>${t.say('hours.title')}</legend>
<p class="hint">${t.say('hours.hint', { hint })}</p>
${shownLines}${fault ? faultBeside(list, labels.get(list)!, fault) : ''}</fieldset>`
}
