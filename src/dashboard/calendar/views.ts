/** The calendar: a day or a week on a grid of hours, or a month, and how full its timeslots are. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import { foldedFields } from '../frame/folded-fields.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { attributes } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import { unseen } from '../frame/text-tags.ts'
import { callsNotice } from '../parts/calls-notice.ts'
import { grid } from './grid-views.ts'
import { month } from './month-views.ts'
import { type CalendarView, calendarPath, calendarViews, rangeOf, stepFrom } from './range.ts'
import type { ShownCalendar } from './shown.ts'

/** The links to actions, beside the title. On a phone, one button opens them, which also works without JavaScript. */
export function calendarActions({ date, productId }: CalendarView, t: Texts): Markup {
  // The link proposes the closure of one day, even in the view of a week or a month. Users select further
  // days.
  const closure = new URLSearchParams({ From: date, To: date })
  const newTimeslotQuery = new URLSearchParams({ Date: date })
  if (productId !== null)
    for (const query of [closure, newTimeslotQuery]) query.set('ProductID', String(productId))
  return html`<div class="actions calendar-actions no-print"><button type="button" class="secondary open-folds" popovertarget="calendar-actions">${t.say('calendar.actions')}</button>
<div id="calendar-actions" class="folds" popover><a class="button secondary" href="/dashboard/calendar/timeslots/new?${newTimeslotQuery.toString()}">${t.say('calendar.new')}</a>
<a class="button secondary" href="/dashboard/calendar/closures?${closure.toString()}">${t.say('calendar.closure.title')}</a>
<a class="button secondary" href="/dashboard/calendar/waitlist">${t.say('calendar.waitlist.title')}</a>
<a class="button secondary" href="/dashboard/calendar/feeds">${t.say('calendar.feeds.title')}</a></div></div>`
}

export function calendar(shown: ShownCalendar): Markup {
  const { view, slots, isCut, openCalls, t } = shown
  return html`${tools(shown)}
<div class="above no-print">${filters(shown)}</div>
<div data-live id="calendar">
${callsNotice(openCalls, t)}
${isCut ? html`<p class="fault">${t.say('calendar.cut', { count: slots.length })}</p>` : ''}
${view.view === 'month' ? month(shown) : dayOrWeek(shown)}
</div>`
}

function dayOrWeek(shown: ShownCalendar): Markup {
  const { view, slots, t } = shown
  const words = t.say(view.view === 'day' ? 'calendar.none.day' : 'calendar.none.week')
  return slots.length === 0 ? html`${emptyState(words)}${grid(shown)}` : grid(shown)
}

/** The days that are shown, in words. */
function titleOf({ view, t }: ShownCalendar): string {
  const { from, to } = rangeOf(view)
  if (view.view === 'month') return shortFormats(t).month(view.date)
  return from === to ? t.day(from) : shortFormats(t).range(from, to)
}

/** The days that are shown, with links to the previous and the next ones, to today, and to the other views. */
function tools(shown: ShownCalendar): Markup {
  const { view, today, t } = shown
  const at = (date: string) => calendarPath({ ...view, date })
  const step = (rel: 'prev' | 'next') => {
    const words = t.say(rel === 'prev' ? 'calendar.previous' : 'calendar.next', { view: view.view })
    const sign = rel === 'prev' ? '‹' : '›'
    return html`<a class="button secondary step" rel="${rel}" href="${at(stepFrom(view, rel === 'prev' ? -1 : 1))}" title="${words}"><span aria-hidden="true">${sign}</span>${unseen(html`${words}`)}</a>`
  }
  const tab = (name: CalendarView['view']) =>
    html`<a${attributes({ href: calendarPath({ ...view, view: name }), 'aria-current': name === view.view ? 'true' : undefined })}>${t.say(`calendar.view.${name}`)}</a>`
  return html`<div class="toolbar">
<nav aria-label="${t.say('calendar.other-dates')}" class="actions no-print">
${step('prev')}
${step('next')}
<a class="button secondary" href="${at(today)}">${t.say('calendar.today')}</a>
</nav>
<h2>${titleOf(shown)}</h2>
<nav aria-label="${t.say('calendar.views')}" class="tabs no-print">${calendarViews.map(tab)}</nav>
</div>`
}

function filters({ view, products, t }: ShownCalendar): Markup {
  const choices = products.map(({ id, name }) => ({ value: id, label: name }))
  return html`<form method="get" action="/dashboard/calendar" class="filters">
<input type="hidden" name="View" value="${view.view}">
${inputField({ label: t.say('calendar.date'), name: 'Date', value: view.date }, { type: 'date', required: true })}
${foldedFields(
  t,
  selectField({ label: t.say('word.product'), name: 'ProductID', value: view.productId }, [
    { value: '', label: t.say('calendar.all-products') },
    ...choices,
  ]),
  null,
)}
<button class="secondary">${t.say('word.show')}</button>
</form>`
}
