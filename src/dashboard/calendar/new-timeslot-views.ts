/** The form of a new timeslot. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { inWords } from '../frame/fault-words.ts'
import { type FormFaults, faultSummary, inputField, postForm, selectField } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { dailyFields, type GivenHours, hoursByLine, hoursFaults, hoursLabels } from '../parts/hours-fields.ts'

export type GivenTimeslot = GivenHours & {
  ProductID?: number
  Date?: string
  Time?: string
  Capacity?: number
}

type NewTimeslotForm = {
  products: readonly { id: number; name: string }[]
  given: GivenTimeslot
  faults: FormFaults
  /** The timeslot that stands at that date and time already. */
  standingPath: string | null
}

const labels = new Map([
  ['ProductID', 'Product'],
  ['Date', 'Date'],
  ['Time', 'Time'],
  ['Capacity', 'Places in all'],
  ...hoursLabels,
])
const daily = {
  legend: 'It takes place',
  words: { start: 'at a set time', allDay: 'all day, while it is open' },
  hint: 'On the clock of the product’s place, a line for each period: a morning, an afternoon.',
}

export function newTimeslot(
  session: Session,
  { products, given, faults: found, standingPath }: NewTimeslotForm,
): Markup {
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  const faults = found && inWords(hoursFaults(found), labels)
  const field = (name: 'ProductID' | 'Date' | 'Time' | 'Capacity', hint?: string) => ({
    ...{ label: labels.get(name)!, name, value: given[name], faults },
    ...(hint !== undefined && { hint }),
  })
  const start = inputField(field('Time', 'On the clock of the product’s place.'), { type: 'time' })
  const fields = html`${faultSummary(faults)}
${standingPath ? html`<p><a href="${standingPath}">The timeslot that is there</a></p>` : ''}
${selectField(field('ProductID'), choices, { required: true })}
${inputField(field('Date'), { type: 'date', required: true })}
${dailyFields({ values: hoursByLine(given), faults }, { start, ...daily })}
${inputField(field('Capacity'), { type: 'number', min: 0, max: 1_000_000, required: true })}
<button>Make the timeslot</button>`
  return html`<p><a href="/dashboard/calendar">Calendar</a></p>
<p>A single timeslot belongs to no schedule, and no schedule changes it.</p>
${products.length === 0 ? emptyState('There is no product yet.') : postForm(session, '/dashboard/calendar/timeslots/new', fields)}`
}
