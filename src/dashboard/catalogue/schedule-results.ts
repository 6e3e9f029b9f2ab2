/** The effects of a schedule on timeslots, in a preview and in the report after saving. Pure. */

import type { ScheduleRow } from '../../catalogue/schedules/editing/applying.ts'
import type { EffectsView } from '../../catalogue/schedules/schemas.ts'
import { html, type Markup } from '../../http/pages.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { postForm } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { timeOf } from '../parts/slot-words.ts'
import { productPath } from './paths.ts'
import { type PreviewDay, type PreviewSlot, previewDays } from './schedule-preview.ts'
import { scheduleWords } from './schedule-views.ts'

type LeftSlot = EffectsView['Left']['Timeslots'][number]

const reasonWords: Record<LeftSlot['Reason'], string> = {
  edited: 'edited by hand',
  booked: 'places are booked',
  held: 'places are held',
  waiting: 'a party waits',
  exists: 'stands there already',
}

/** The effects of saving, and the next weeks after it. */
export function previewPart(
  t: Texts,
  { days, effects }: { days: PreviewDay[]; effects: EffectsView },
): Markup {
  return html`<h2>Preview: nothing is saved yet</h2>
${effectsList(t, effects, 'would')}
<p><a href="#schedule">Save it, or change it</a></p>
${leftPart(t, effects, html`<h3>${leftHeading}</h3>`)}
<h3>The first ${previewDays} days</h3>
${
  days.length === 0
    ? emptyState('No timeslots on these days.')
    : table(
        'Timeslots after this change',
        [
          { head: 'Day', cell: ({ date }) => t.day(date) },
          {
            head: 'Timeslots',
            cell: ({ slots }) =>
              html`<ul class="slots">${slots.map((slot) => html`<li>${slotWords(t, slot)}</li>\n`)}</ul>`,
          },
        ],
        days,
      )
}`
}

function slotWords(t: Texts, slot: PreviewSlot): Markup {
  const { capacity, fate, was, isOpen, reason } = slot
  const unlike = isOpen ? 'other hours' : 'opens'
  const places = isOpen || fate === 'changed' ? `${t.number(capacity)} places` : 'closed'
  const marks = {
    stays: html``,
    made: badge('new', 'good'),
    changed: badge(was === null ? unlike : `now ${t.number(was)}`, 'accent'),
    removed: badge('goes', 'bad'),
    closed: badge('closes', 'bad'),
    left: badge(`left: ${reasonWords[reason as LeftSlot['Reason']]}`, 'warn'),
  }
  return html`${timeOf(t, slot)} · ${places} ${marks[fate]}`
}

/** How many timeslots of each kind; `would` for a preview. */
function effectsList(t: Texts, effects: EffectsView, tense: 'would' | 'did'): Markup {
  const { Made, Changed, Removed, Closed, Left } = effects
  const be = tense === 'would' ? 'to be ' : ''
  const lines = [
    { Count: Made.Count, words: `${be}made` },
    { Count: Changed.Count, words: `${be}changed to follow the schedule` },
    { Count: Removed.Count, words: `${be}removed` },
    { Count: Closed.Count, words: `${be}closed, and kept for the bookings that ended on them` },
    { Count: Left.Count, words: `${be}left as they are: edited or booked, or there already` },
  ].filter(({ Count }) => Count > 0)
  if (lines.length === 0)
    return html`<p>No timeslot ${tense === 'would' ? 'would change' : 'has changed'}.</p>`
  return html`<p>Timeslots that have not begun:</p>
<ul>${lines.map(({ Count, words }) => html`<li><strong>${t.number(Count)}</strong> ${words}</li>\n`)}</ul>`
}

const leftHeading = 'Left as they are'

/** The timeslots that stay as they are, each with the reason. */
function leftPart(t: Texts, { Left }: EffectsView, heading: Markup): Markup {
  if (Left.Count === 0) return html``
  const more = Left.Count - Left.Timeslots.length
  return html`${heading}
${table(
  'Timeslots left as they are',
  [
    {
      head: 'Timeslot',
      cell: ({ TimeslotID, Date: date, Time }: LeftSlot) =>
        html`<a href="/dashboard/calendar/timeslots/${TimeslotID}">${t.day(date)}, ${t.clock(Time)}</a>`,
    },
    { head: 'Why', cell: ({ Reason }: LeftSlot) => reasonWords[Reason] },
  ],
  Left.Timeslots,
)}
${more > 0 ? html`<p>And ${t.number(more)} later ones.</p>` : ''}`
}

/** The report after saving. */
export function outcomePage(t: Texts, path: string, effects: EffectsView): Markup {
  return html`<div role="status">${effectsList(t, effects, 'did')}</div>
${leftPart(t, effects, html`<h2>${leftHeading}</h2>`)}
<p><a class="button" href="${path}">Back to the product</a></p>`
}

/** Asks for confirmation, with the effects. */
export function endPage(
  session: Session,
  t: Texts,
  { schedule, effects }: { schedule: ScheduleRow; effects: EffectsView },
): Markup {
  const path = productPath(schedule.productId)
  return html`<p>${scheduleWords(t, schedule)}</p>
${effectsList(t, effects, 'would')}
${leftPart(t, effects, html`<h2>${leftHeading}</h2>`)}
${postForm(
  session,
  `${path}/schedules/${schedule.id}/end`,
  html`${versionField(versionOf(schedule))}
<p class="actions"><button class="danger">End this schedule</button> <a href="${path}#schedules">Keep it</a></p>`,
)}`
}
