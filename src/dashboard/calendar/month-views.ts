/** A month with the occupancy of each day. A phone shows a list of the days that have timeslots. Pure. */

import type { DayTotals } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import { attributes } from '../frame/forms.ts'
import { badge, emptyState } from '../frame/layout.ts'
import { occupancyBar } from '../parts/occupancy.ts'
import { calendarPath, daysOf } from './range.ts'
import type { ShownCalendar } from './shown.ts'

export function month(shown: ShownCalendar): Markup {
  const { view, totals, t } = shown
  const days = daysOf(view)
  const byDay = new Map(totals.map((day) => [day.date, day]))
  const weekdays = days.slice(0, 7).map((day) => html`<span>${shortFormats(t).weekday(day)}</span>`)
  const isEmpty = !totals.some(({ date }) => isIn(view.date, date))
  return html`${isEmpty ? emptyState(t.say('calendar.none.month')) : ''}
<div class="weekdays" aria-hidden="true">${weekdays}</div>
<ol class="month">${days.map((day) => monthDay(day, byDay.get(day), shown))}</ol>`
}

function isIn(month: string, day: string): boolean {
  return month.slice(0, 7) === day.slice(0, 7)
}

function monthDay(day: string, totals: DayTotals | undefined, { view, today, t }: ShownCalendar) {
  const signs = [
    ...(totals ? [] : ['vacant']),
    ...(isIn(view.date, day) ? [] : ['outside']),
    ...(day === today ? ['is-today'] : []),
    ...(day < today ? ['past'] : []),
    ...(totals && totals.closed === totals.timeslots ? ['closed'] : []),
  ]
  const link = html`<a href="${calendarPath({ ...view, view: 'day', date: day })}"><span class="short" aria-hidden="true">${Number(day.slice(8))}</span><span class="long">${shortFormats(t).day(day)}</span></a>`
  return html`<li${attributes({ class: signs.length > 0 ? signs.join(' ') : undefined, id: `day-${day}` })}>
<p class="date">${link}${day === today ? html` ${badge(t.say('calendar.is-today'), 'accent')}` : ''}</p>${totals ? figures(totals, t) : ''}</li>
`
}

function figures(totals: DayTotals, t: Texts): Markup {
  const { timeslots, closed, full, booked, held, capacity } = totals
  const count = t.say('calendar.month.timeslots', { count: timeslots })
  if (closed === timeslots)
    return html`<p class="hint">${count}</p><p><strong>${t.say('calendar.closed')}</strong></p>`
  const signs = [
    held > 0 && html`<span>${t.say('calendar.held', { count: held })}</span>`,
    full > 0 && badge(t.say('calendar.month.full', { count: full }), 'warn'),
    closed > 0 && badge(t.say('calendar.month.closed', { count: closed })),
  ].filter((sign) => sign !== false)
  return html`<p class="hint">${count}</p>
<p class="share">${t.say('calendar.month.share', { booked, capacity })}</p>
${signs.length > 0 ? html`<p class="signs">${signs}</p>` : ''}${occupancyBar({ ...totals, status: 'open' })}`
}
