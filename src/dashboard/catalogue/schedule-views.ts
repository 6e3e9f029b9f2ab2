/** The list of a product's schedules, and the form of a schedule. Pure. */

import type { Product } from '../../catalogue/products/service.ts'
import type { ScheduleRow } from '../../catalogue/schedules/editing/applying.ts'
import { weekdays } from '../../catalogue/schedules/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import {
  attributes,
  type FormFaults,
  faultBeside,
  faultSummary,
  fieldOf,
  idOf,
  inputField,
  postForm,
  type ShownForm,
} from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { dailyFields, hoursFaults, hoursLabels } from '../parts/hours-fields.ts'
import { type GivenPrices, priceFields, priceLabels } from '../parts/price-fields.ts'
import { timeOf } from '../parts/slot-words.ts'
import { productPath } from './paths.ts'

type ScheduleValues = {
  Weekdays?: string[]
  Times?: string[]
  ClosedDates?: string[]
  UnitPrices?: GivenPrices
} | null

/** Weekdays in the reader's language, in the order of `weekdays` (ISO 8601, Monday first). */
function weekdayNames({ locale }: Texts): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  // 1 January 2024 was a Monday.
  return weekdays.map((_, index) => format.format(Date.UTC(2024, 0, 1 + index)))
}

export function schedulesPart(path: string, t: Texts, schedules: ScheduleRow[]): Markup {
  return html`<h2 id="schedules">Schedules</h2>
${
  schedules.length === 0
    ? emptyState('No schedule makes timeslots of it.')
    : table(
        'Schedules',
        [
          {
            head: 'Season',
            cell: (row) =>
              html`<a href="${path}/schedules/${row.id}">${t.day(row.from)} – ${t.day(row.to)}</a>`,
          },
          { head: 'Timeslots', cell: (row) => patternWords(t, row) },
        ],
        schedules,
      )
}
<p><a class="button secondary" href="${path}/schedules/new">New schedule</a></p>`
}

const daily = {
  legend: 'On each day',
  words: { start: 'Timeslots at set times', allDay: 'All day, while it is open' },
}

export const scheduleFieldNames = ['From', 'To', 'Weekdays', 'Times', 'Capacity', 'ClosedDates'] as const

type ScheduleOf = { productId: number; id: number | null; timeZone: string; product: Product }
type SchedulePage = ShownForm & { version: string; preview: Markup | null }

/** The form of a schedule, after the preview if there is one. */
export function schedulePage(
  session: Session,
  t: Texts,
  { productId, id, timeZone, product }: ScheduleOf,
  { preview, version, ...form }: SchedulePage,
): Markup {
  const path = `${productPath(productId)}/schedules/${id ?? 'new'}`
  const shown = { ...form, faults: form.faults && inWords(hoursFaults(form.faults), scheduleLabels(product)) }
  const fields = html`${versionField(version)}${scheduleInputs(t, shown, timeZone)}${ownPrices(t, shown, product)}`
  const buttons = preview
    ? html`<button>Save this schedule</button> <button class="secondary" formaction="${path}/preview">Preview again</button>`
    : html`<button formaction="${path}/preview">Preview</button>`
  const end = id === null || session.mode === 'test' ? '' : html`<a href="${path}/end">End this schedule…</a>`
  const back = html`<a href="${productPath(productId)}#schedules">Back to the product</a>`
  return html`${faultSummary(shown.faults)}${preview ?? ''}
${preview ? html`<h2 id="schedule">The schedule</h2>` : ''}
${postForm(session, path, html`${fields}<p class="actions">${buttons} ${end} ${back}</p>`)}`
}

function ownPrices({ locale }: Texts, { values, faults }: ShownForm, product: Product): Markup {
  const given = (values as ScheduleValues)?.UnitPrices
  const hint =
    'Prices for this schedule only, such as a season or weekends. Leave a price empty to use that of the product.'
  return priceFields(product, { given, faults, locale, hint })
}

function scheduleLabels(product: Product): ReadonlyMap<string, string> {
  const names = ['First day', 'Last day', 'Weekdays', 'Times', 'Places of each timeslot', 'Closed dates']
  const fields = scheduleFieldNames.map((name, index): [string, string] => [name, names[index]!])
  return new Map([...fields, ['AllDay', 'All day'], ...hoursLabels, ...priceLabels(product)])
}

function scheduleInputs(t: Texts, shown: ShownForm, timeZone: string): Markup {
  const field = (label: string, name: (typeof scheduleFieldNames)[number], hint?: string) =>
    fieldOf(shown, label, name, hint)
  const { Times = [], ClosedDates = [] } = (shown.values as ScheduleValues) ?? {}
  const hint = `On the clocks of ${timeZone}, a line for each period: a morning, an afternoon. A preview adds more.`
  const times = {
    ...field('Times', 'Times', `On the clocks of ${timeZone}, such as 10:00, 14:30.`),
    value: Times.join(', '),
  }
  return html`${inputField(field('First day', 'From'), { type: 'date', required: true })}
${inputField(field('Last day', 'To'), { type: 'date', required: true })}
${weekdayFields(t, shown)}
${dailyFields(shown, { start: inputField(times), hint, ...daily })}
${inputField(field('Places of each timeslot', 'Capacity'), { type: 'number', min: 0, required: true })}
${closedDateFields(ClosedDates, shown.faults)}`
}

function weekdayFields(t: Texts, { values, faults }: ShownForm): Markup {
  const chosen = (values as ScheduleValues)?.Weekdays ?? []
  const names = weekdayNames(t)
  const boxes = weekdays.map((value, index) => {
    const box = { type: 'checkbox', name: 'Weekdays', value, checked: chosen.includes(value) }
    return html`<label><input${attributes(box)}> ${names[index]!}</label>\n`
  })
  return group('Weekdays', 'Weekdays', boxes, faults)
}

const spareFields = 3

function closedDateFields(dates: readonly string[], faults: FormFaults): Markup {
  const inputs = [...dates, ...Array.from({ length: spareFields }, () => '')].map((value, index) =>
    inputField(
      { label: `Closed date ${index + 1}`, name: `ClosedDates[${index}]`, value, faults },
      { type: 'date' },
    ),
  )
  const hint = html`<p class="hint">Days of the season without timeslots. Empty one to open its day again; a preview adds more fields.</p>`
  return group('Closed dates', 'ClosedDates', [hint, ...inputs], faults)
}

/** A group of fields, with the faults of the group. */
function group(legend: string, name: string, content: Markup[], faults: FormFaults): Markup {
  const fault = faults?.fields.get(name)
  return html`<fieldset id="${idOf(name)}" class="group" tabindex="-1"><legend>${legend}</legend>
${content}${fault ? faultBeside(name, legend, fault) : ''}</fieldset>`
}

/** A schedule in one line. */
export function scheduleWords(t: Texts, schedule: ScheduleRow): string {
  return `${t.day(schedule.from)} – ${t.day(schedule.to)}: ${patternWords(t, schedule)}`
}

function patternWords(
  t: Texts,
  { weekdays: numbers, times, openingHours, capacity, closedDates }: ScheduleRow,
): string {
  const names = weekdayNames(t)
  const days = numbers.length === 7 ? 'every day' : numbers.map((number) => names[number - 1]!).join(', ')
  const closed = closedDates.length > 0 ? `; closed dates: ${closedDates.length}` : ''
  const when = openingHours
    ? `, open ${timeOf(t, { time: times[0]!, openingHours })}`
    : ` at ${times.map(t.clock).join(', ')}`
  return `${days}${when}, ${t.number(capacity)} places${closed}`
}
