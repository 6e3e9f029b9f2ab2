/** The calendar: a day or a week on a grid of hours, or a month, and how full its timeslots are. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import { foldedFields } from '../frame/folded-fields.ts'
import { attributes, inputField, selectField } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import { callsNotice } from '../parts/calls-notice.ts'
import { grid } from './grid-views.ts'
import { month } from './month-views.ts'
import { type CalendarView, calendarPath, calendarViews, rangeOf, stepFrom } from './range.ts'
import type { ShownCalendar } from './shown.ts'

export function calendar(shown: ShownCalendar): Markup {
  const { view, slots, isCut, openCalls, t } = shown
  return html`${tools(shown)}
<div class="above no-print">${filters(shown)}
${links(view)}</div>
<div data-live id="calendar">
${callsNotice(openCalls, t)}
${isCut ? html`<p class="fault">Only the first ${t.number(slots.length)} timeslots are shown. Choose a product, or a day.</p>` : ''}
${view.view === 'month' ? month(shown) : dayOrWeek(shown)}
</div>`
}

function dayOrWeek(shown: ShownCalendar): Markup {
  const { view, slots } = shown
  const words = view.view === 'day' ? 'No timeslots on this day.' : 'No timeslots in this week.'
  return slots.length === 0 ? html`${emptyState(words)}${grid(shown)}` : grid(shown)
}

/** What is shown, in words. */
function titleOf({ view, t }: ShownCalendar): string {
  const { from, to } = rangeOf(view)
  if (view.view === 'month') return shortFormats(t).month(view.date)
  return from === to ? t.day(from) : shortFormats(t).range(from, to)
}

/** What is shown, and the ways to what stands beside it. */
function tools(shown: ShownCalendar): Markup {
  const { view, today } = shown
  const at = (date: string) => calendarPath({ ...view, date })
  const tab = (name: CalendarView['view']) =>
    html`<a${attributes({ href: calendarPath({ ...view, view: name }), 'aria-current': name === view.view ? 'true' : undefined })}>${viewWords[name]}</a>`
  return html`<div class="toolbar">
<nav aria-label="Other dates" class="actions no-print">
<a class="button secondary" rel="prev" href="${at(stepFrom(view, -1))}">Previous<span class="unseen"> ${view.view}</span></a>
<a class="button secondary" href="${at(today)}">Today</a>
<a class="button secondary" rel="next" href="${at(stepFrom(view, 1))}">Next<span class="unseen"> ${view.view}</span></a>
</nav>
<h2>${titleOf(shown)}</h2>
<nav aria-label="Views" class="tabs no-print">${calendarViews.map(tab)}</nav>
</div>`
}

const viewWords: Record<CalendarView['view'], string> = { day: 'Day', week: 'Week', month: 'Month' }

function filters({ view, products }: ShownCalendar): Markup {
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  return html`<form method="get" action="/dashboard/calendar" class="filters">
<input type="hidden" name="View" value="${view.view}">
${inputField({ label: 'Date', name: 'Date', value: view.date }, { type: 'date', required: true })}
${foldedFields(
  selectField({ label: 'Product', name: 'ProductID', value: view.productId }, [
    { value: '', label: 'All products' },
    ...choices,
  ]),
  null,
)}
<button class="secondary">Show</button>
</form>`
}

function links({ date, productId }: CalendarView): Markup {
  // Also of a week the one day: more is closed only by who says so.
  const closure = new URLSearchParams({ From: date, To: date })
  const made = new URLSearchParams({ Date: date })
  if (productId !== null) for (const query of [closure, made]) query.set('ProductID', String(productId))
  return html`<p class="actions"><a class="button secondary" href="/dashboard/calendar/timeslots/new?${made.toString()}">New timeslot</a>
<a class="button secondary" href="/dashboard/calendar/closures?${closure.toString()}">Weather closure</a>
<a class="button secondary" href="/dashboard/calendar/waitlist">Waitlist</a>
<a class="button secondary" href="/dashboard/calendar/feeds">Calendar links</a></p>`
}
