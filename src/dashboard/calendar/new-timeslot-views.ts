/** The form of a new timeslot. Pure. */
import type { OpeningPeriod } from '../../catalogue/opening-hours.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { dailyFields, type GivenHours, hoursByLine, hoursFaults, hoursLabels } from '../parts/hours-fields.ts'

export type GivenTimeslot = GivenHours & {
  ProductID?: number
  Date?: string
  Time?: string
  Capacity?: number
}

/** Opening hours as parameters of the address of the form, each as `09:00-12:00`. */
export function hoursQuery(openingHours: readonly OpeningPeriod[] | null): string[] {
  return (openingHours ?? []).map(({ opens, closes }) => `${opens}-${closes}`)
}

/** Reads what hoursQuery() has written. */
export function hoursFromQuery(hours: readonly string[]): GivenHours {
  if (hours.length === 0) return {}
  const periods = hours.map((text) => ({ Opens: text.slice(0, 5), Closes: text.slice(6) }))
  return { AllDay: true, OpeningHours: periods }
}

type NewTimeslotForm = {
  products: readonly { id: number; name: string }[]
  given: GivenTimeslot
  faults: FormFaults
  /** The path of the page of a timeslot that already exists at this date and time; null if there is none. */
  existingPath: string | null
}

const labels = {
  ProductID: 'word.product',
  Date: 'calendar.date',
  Time: 'calendar.time',
  Capacity: 'calendar.capacity',
} as const

export function newTimeslot(
  session: Session,
  t: Texts,
  { products, given, faults: found, existingPath }: NewTimeslotForm,
): Markup {
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  const faults = found && inWords(hoursFaults(t, found), labelsOf(t))
  const field = (name: keyof typeof labels, hint?: string) => ({
    ...{ label: t.say(labels[name]), name, value: given[name], faults },
    ...(hint !== undefined && { hint }),
  })
  const start = inputField(field('Time', t.say('calendar.new.clock')), { type: 'time' })
  const daily = {
    legend: t.say('calendar.new.takes-place'),
    words: { start: t.say('calendar.new.at-time'), allDay: t.say('calendar.new.all-day') },
    hint: t.say('calendar.new.hours'),
  }
  const fields = html`${faultSummary(faults)}
${existingPath ? html`<p><a href="${existingPath}">${t.say('calendar.new.existing')}</a></p>` : ''}
${selectField(field('ProductID'), choices, { required: true })}
${inputField(field('Date'), { type: 'date', required: true })}
${dailyFields(t, { values: hoursByLine(given), faults }, { start, ...daily })}
${inputField(field('Capacity'), { type: 'number', min: 0, max: 1_000_000, required: true })}
<button>${t.say('calendar.new.make')}</button>`
  return html`<p><a href="/dashboard/calendar">${t.say('calendar.title')}</a></p>
<p>${t.say('calendar.new.about')}</p>
${products.length === 0 ? emptyState(t.say('calendar.new.no-product')) : postForm(session, '/dashboard/calendar/timeslots/new', fields)}`
}

function labelsOf(t: Texts): Map<string, string> {
  const own = Object.entries(labels).map(([field, key]) => [field, t.say(key)] as const)
  return new Map([...own, ...hoursLabels(t)])
}
