/** The list of a product's schedules, and the form of a schedule. Pure. */

import type { Product } from '../../catalogue/products/service.ts'
import type { ScheduleRow } from '../../catalogue/schedules/editing/applying.ts'
import { weekdays } from '../../catalogue/schedules/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inWords } from '../frame/fault-words.ts'
import { fieldOf, inputField, type ShownForm } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultBeside, faultSummary, idOf, postForm } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { dailyFields, hoursFaults, hoursLabels } from '../parts/hours-fields.ts'
import { type LabelKeys, labelsIn } from '../parts/labels.ts'
import { type GivenPrices, priceFields, priceLabels } from '../parts/price-fields.ts'
import { timeOf } from '../parts/slot-words.ts'
import { productPath } from './paths.ts'
import { productTabs } from './product-tabs.ts'

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
  return html`<h2 id="schedules">${t.say('schedule.list')}</h2>
${
  schedules.length === 0
    ? emptyState(t.say('schedule.empty'))
    : table(
        t.say('schedule.list'),
        [
          {
            head: t.say('schedule.season'),
            cell: (row) =>
              html`<a href="${path}/schedules/${row.id}">${t.day(row.from)} – ${t.day(row.to)}</a>`,
          },
          { head: t.say('schedule.timeslots'), cell: (row) => patternWords(t, row) },
        ],
        schedules,
      )
}
<p><a class="button secondary" href="${path}/schedules/new">${t.say('schedule.new')}</a></p>`
}

const labelKeys = {
  From: 'schedule.from',
  To: 'schedule.to',
  Weekdays: 'schedule.weekdays',
  Times: 'schedule.times',
  Capacity: 'schedule.capacity',
  ClosedDates: 'schedule.closed-dates',
} as const satisfies LabelKeys

type ScheduleField = keyof typeof labelKeys
export const scheduleFieldNames = Object.keys(labelKeys) as ScheduleField[]

type ScheduleOf = { productId: number; id: number | null; timeZone: string; product: Product }
type SchedulePage = ShownForm & { version: string; preview: Markup | null }

/**
 * The id of the form. The button that saves refers to it, because this button is in the preview, outside the
 * form.
 */
export const scheduleFormId = 'schedule-form'

/** The form of a schedule, below the preview if there is one. */
export function schedulePage(
  session: Session,
  t: Texts,
  { productId, id, timeZone, product }: ScheduleOf,
  { preview, version, ...form }: SchedulePage,
): Markup {
  const path = `${productPath(productId)}/schedules/${id ?? 'new'}`
  const shown = {
    ...form,
    faults: form.faults && inWords(hoursFaults(t, form.faults), scheduleLabels(t, product)),
  }
  const fields = html`${versionField(version)}${scheduleInputs(t, shown, timeZone)}${ownPrices(t, shown, product)}`
  const buttons = preview
    ? html`<button class="secondary" formaction="${path}/preview">${t.say('schedule.preview-again')}</button>`
    : html`<button formaction="${path}/preview">${t.say('word.preview')}</button>`
  const end =
    id === null || session.mode === 'test'
      ? ''
      : html`<a href="${path}/end">${t.say('schedule.end.open')}</a>`
  const back = html`<a href="${productPath(productId)}#schedules">${t.say('product.back')}</a>`
  return html`${productTabs(t, productId, 'schedules')}${faultSummary(shown.faults)}${preview ?? ''}
${preview ? html`<h2 id="schedule">${t.say('schedule.form')}</h2>` : ''}
${postForm(session, path, html`${fields}<p class="actions">${buttons} ${end} ${back}</p>`, { id: scheduleFormId })}`
}

function ownPrices(t: Texts, { values, faults }: ShownForm, product: Product): Markup {
  const given = (values as ScheduleValues)?.UnitPrices
  const hint = t.say('schedule.prices.hint')
  return priceFields(t, product, { given, faults, hint })
}

function scheduleLabels(t: Texts, product: Product): ReadonlyMap<string, string> {
  const fields = labelsIn(t, { ...labelKeys, AllDay: 'schedule.all-day' })
  return new Map([...fields, ...hoursLabels(t), ...priceLabels(t, product)])
}

function scheduleInputs(t: Texts, shown: ShownForm, timeZone: string): Markup {
  const field = (name: ScheduleField, hint?: string) => fieldOf(shown, t.say(labelKeys[name]), name, hint)
  const { Times = [], ClosedDates = [] } = (shown.values as ScheduleValues) ?? {}
  const daily = {
    legend: t.say('schedule.daily'),
    words: { start: t.say('schedule.daily.start'), allDay: t.say('schedule.daily.all-day') },
    hint: t.say('schedule.hours.hint', { zone: timeZone }),
  }
  const times = {
    ...field('Times', t.say('schedule.times.hint', { zone: timeZone })),
    value: Times.join(', '),
  }
  return html`${inputField(field('From'), { type: 'date', required: true })}
${inputField(field('To'), { type: 'date', required: true })}
${weekdayFields(t, shown)}
${dailyFields(t, shown, { start: inputField(times), ...daily })}
${inputField(field('Capacity'), { type: 'number', min: 0, required: true })}
${closedDateFields(t, ClosedDates, shown.faults)}`
}

function weekdayFields(t: Texts, { values, faults }: ShownForm): Markup {
  const chosen = (values as ScheduleValues)?.Weekdays ?? []
  const names = weekdayNames(t)
  const boxes = weekdays.map((value, index) => {
    const box = { type: 'checkbox', name: 'Weekdays', value, checked: chosen.includes(value) }
    return html`<label><input${attributes(box)}> ${names[index]!}</label>\n`
  })
  return group(t, 'Weekdays', boxes, faults)
}

const spareFields = 3

function closedDateFields(t: Texts, dates: readonly string[], faults: FormFaults): Markup {
  const inputs = [...dates, ...Array.from({ length: spareFields }, () => '')].map((value, index) =>
    inputField(
      {
        label: t.say('schedule.closed-date', { number: index + 1 }),
        name: `ClosedDates[${index}]`,
        value,
        faults,
      },
      { type: 'date' },
    ),
  )
  const hint = html`<p class="hint">${t.say('schedule.closed-dates.hint')}</p>`
  return group(t, 'ClosedDates', [hint, ...inputs], faults)
}

/** A group of fields, with the faults of the group. */
function group(t: Texts, name: 'Weekdays' | 'ClosedDates', content: Markup[], faults: FormFaults): Markup {
  const legend = t.say(labelKeys[name])
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
  const days =
    numbers.length === 7
      ? t.say('schedule.every-day')
      : numbers.map((number) => names[number - 1]!).join(', ')
  const values = { days, places: capacity, closed: closedDates.length }
  return openingHours
    ? t.say('schedule.pattern.open', { ...values, hours: timeOf(t, { time: times[0]!, openingHours }) })
    : t.say('schedule.pattern', { ...values, times: times.map(t.clock).join(', ') })
}
