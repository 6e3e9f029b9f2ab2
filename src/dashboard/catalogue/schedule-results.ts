/** The effects of a schedule on timeslots, in a preview and in the report after saving. Pure. */

import type { ScheduleRow } from '../../catalogue/schedules/editing/applying.ts'
import type { EffectsView } from '../../catalogue/schedules/schemas.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import { postForm } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { timeOf } from '../parts/slot-words.ts'
import { productPath } from './paths.ts'
import { type PreviewDay, type PreviewSlot, previewDays } from './schedule-preview.ts'
import { scheduleFormId, scheduleWords } from './schedule-views.ts'

type LeftSlot = EffectsView['Left']['Timeslots'][number]
type LeftReason = LeftSlot['Reason']

/** The preview of a schedule: the effects of saving it, and the timeslots of the next weeks. */
export function previewPart(
  t: Texts,
  { days, effects }: { days: PreviewDay[]; effects: EffectsView },
): Markup {
  return html`<h2>${t.say('schedule.preview.title')}</h2>
${effectsList(t, effects, 'would')}
<p class="actions"><button form="${scheduleFormId}">${t.say('schedule.save')}</button> <a href="#schedule">${t.say('schedule.preview.form')}</a></p>
${leftPart(t, effects, html`<h3>${t.say('schedule.left.title')}</h3>`)}
<h3>${t.say('schedule.preview.days', { count: previewDays })}</h3>
${
  days.length === 0
    ? emptyState(t.say('schedule.preview.empty'))
    : table(
        t.say('schedule.preview.caption'),
        [
          { head: t.say('schedule.day'), cell: ({ date }) => t.day(date) },
          {
            head: t.say('schedule.timeslots'),
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
  const unlike = t.say(isOpen ? 'schedule.slot.other-hours' : 'schedule.slot.opens')
  const places =
    isOpen || fate === 'changed'
      ? t.say('schedule.slot.places', { count: capacity })
      : t.say('schedule.slot.closed')
  const left = () => t.say('schedule.slot.left', { reason: t.say(`schedule.reason.${reason as LeftReason}`) })
  const marks = {
    stays: html``,
    made: badge(t.say('schedule.slot.new'), 'good'),
    changed: badge(was === null ? unlike : t.say('schedule.slot.places-now', { count: was }), 'accent'),
    removed: badge(t.say('schedule.slot.goes'), 'bad'),
    closed: badge(t.say('schedule.slot.closes'), 'bad'),
    left: fate === 'left' ? badge(left(), 'warn') : html``,
  }
  return html`${timeOf(t, slot)} · ${places} ${marks[fate]}`
}

/**
 * The number of timeslots that are made, changed, removed, closed or left unchanged.
 * @param tense `would` in a preview; `did` in the report.
 */
function effectsList(t: Texts, effects: EffectsView, tense: 'would' | 'did'): Markup {
  const { Made, Changed, Removed, Closed, Left } = effects
  const lines = [
    { count: Made.Count, effect: 'made' },
    { count: Changed.Count, effect: 'changed' },
    { count: Removed.Count, effect: 'removed' },
    { count: Closed.Count, effect: 'closed' },
    { count: Left.Count, effect: 'left' },
  ] as const
  const words = ({ count, effect }: (typeof lines)[number]) =>
    markupOf(t, tense === 'would' ? `schedule.would.${effect}` : `schedule.did.${effect}`, { count })
  const shown = lines.filter(({ count }) => count > 0)
  if (shown.length === 0)
    return html`<p>${t.say(tense === 'would' ? 'schedule.would.nothing' : 'schedule.did.nothing')}</p>`
  return html`<p>${t.say('schedule.effects')}</p>
<ul>${shown.map((line) => html`<li>${words(line)}</li>\n`)}</ul>`
}

/** The first timeslots that the change leaves unchanged, each with the reason, and how many more there are. */
function leftPart(t: Texts, { Left }: EffectsView, heading: Markup): Markup {
  if (Left.Count === 0) return html``
  const more = Left.Count - Left.Timeslots.length
  return html`${heading}
${table(
  t.say('schedule.left.caption'),
  [
    {
      head: t.say('word.timeslot'),
      cell: ({ TimeslotID, Date: date, Time }: LeftSlot) =>
        html`<a href="/dashboard/calendar/timeslots/${TimeslotID}">${t.day(date)}, ${t.clock(Time)}</a>`,
    },
    { head: t.say('word.why'), cell: ({ Reason }: LeftSlot) => t.say(`schedule.reason.${Reason}`) },
  ],
  Left.Timeslots,
)}
${more > 0 ? html`<p>${t.say('schedule.left.more', { count: more })}</p>` : ''}`
}

/** The report after saving or ending a schedule. */
export function outcomePage(t: Texts, path: string, effects: EffectsView): Markup {
  return html`<div role="status">${effectsList(t, effects, 'did')}</div>
${leftPart(t, effects, html`<h2>${t.say('schedule.left.title')}</h2>`)}
<p><a class="button" href="${path}">${t.say('product.back')}</a></p>`
}

/** The page that shows the effects of ending a schedule, and asks for confirmation. */
export function endPage(
  session: Session,
  t: Texts,
  { schedule, effects }: { schedule: ScheduleRow; effects: EffectsView },
): Markup {
  const path = productPath(schedule.productId)
  return html`<p>${scheduleWords(t, schedule)}</p>
${effectsList(t, effects, 'would')}
${leftPart(t, effects, html`<h2>${t.say('schedule.left.title')}</h2>`)}
${postForm(
  session,
  `${path}/schedules/${schedule.id}/end`,
  html`${versionField(versionOf(schedule))}
<p class="actions"><button class="danger">${t.say('schedule.end')}</button> <a href="${path}#schedules">${t.say('word.keep')}</a></p>`,
)}`
}
