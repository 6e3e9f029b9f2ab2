/** The content of the pages of usage: totals, a chart for each meter, and entries. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import { dailyRangeErrors, dailyRangeLimit } from '../../metering/model.ts'
import type { UsageEntryRow } from '../../metering/read/queries.ts'
import type { Summary } from '../../metering/schemas.ts'
import { inputField } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
import { badge, emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { hint } from '../frame/text-tags.ts'
import { columnChart } from '../parts/chart.ts'
import { toQuery, type UsageRange } from './range.ts'

type MeterTotals = Summary['Meters'][number]

/** A number in the reader's language, with its exact value for scripts. */
function figure(value: number, t: Texts): Markup {
  return html`<data value="${value}">${t.number(value)}</data>`
}

export function rangeForm(
  t: Texts,
  action: string,
  { from, to, meter = [] }: UsageRange,
  presets: Markup,
): Markup {
  const [first, ...others] = meter
  const meterField = (value: string | undefined, name = 'meter') =>
    inputField({ label: t.say('usage.meter.empty'), name, value }, { name: 'meter', maxlength: 255 })
  return html`<form class="filters" action="${action}">
${inputField({ label: t.say('word.from'), name: 'from', value: from }, { type: 'date', required: true })}
${inputField({ label: t.say('word.to'), name: 'to', value: to }, { type: 'date', required: true })}
${meterField(first)}${others.map((value, index) => meterField(value, `meter-${index + 2}`))}
<button class="secondary">${t.say('word.show')}</button>
</form>
${presets}`
}

export function presetLinks(ranges: readonly { label: string; range: UsageRange }[]): Markup {
  const items = ranges.map(
    ({ label, range }) => html`<li><a href="/dashboard/usage?${toQuery(range)}">${label}</a></li>`,
  )
  return html`<ul class="presets">${items}</ul>`
}

/**
 * Says whether the totals are complete.
 * @param pending the value of the header Usage-Pending.
 * @param readAt when the totals were read, in words.
 */
export function freshness({ user }: Session, pending: string, readAt: string, t: Texts): Markup {
  const health = (words: Markup) =>
    user.role === 'owner' ? html`<a href="/dashboard/health">${words}</a>` : words
  if (pending === '0')
    return html`<p>${badge(t.say('usage.complete'), 'good')} ${t.say('usage.complete.about', { at: readAt })}</p>`
  if (pending === 'unknown')
    return html`<p>${badge(t.say('usage.unknown'), 'warn')} ${t.say('usage.unknown.about', { at: readAt })}</p>`
  return html`<p>${badge(t.say('usage.incomplete'), 'warn')} ${markupOf(t, 'usage.incomplete.about', { at: readAt, count: t.number(Number(pending)), health })}</p>`
}

/** @param hasMore whether the account has more meters than the summary shows. */
export function totals(
  { summary, hasMore }: { summary: Summary; hasMore: boolean },
  range: UsageRange,
  t: Texts,
): Markup {
  if (summary.Meters.length === 0) return emptyState(t.say('usage.none'))
  const query = toQuery(range)
  const hasFiles = dailyRangeErrors(range).length === 0
  const files = html`<a class="button secondary" href="/dashboard/usage/days.csv?${query}" download>${t.say('usage.days-file')}</a>
<a class="button secondary" href="/dashboard/usage/entries.csv?${query}" download>${t.say('usage.entries-file')}</a>`
  return html`<h2>${t.say('usage.totals')}</h2>
${table<MeterTotals>(
  t.say('usage.totals.list'),
  [
    {
      head: t.say('usage.meter'),
      cell: ({ Meter }) =>
        html`<a href="/dashboard/usage?${toQuery({ ...range, meter: [Meter] })}">${Meter}</a>`,
    },
    { head: t.say('usage.usage'), numeric: true, cell: ({ TotalUsage }) => figure(TotalUsage, t) },
    { head: t.say('usage.entries'), numeric: true, cell: ({ EventCount }) => figure(EventCount, t) },
  ],
  summary.Meters,
)}
${hasMore ? html`<p class="hint">${t.say('usage.largest', { count: summary.Meters.length })}</p>` : ''}
<p>${markupOf(t, 'usage.in-all', { count: figure(summary.Totals.Events, t) })}</p>
<p class="actions no-print"><a class="button secondary" href="/dashboard/usage/entries?${query}">${t.say('usage.see-entries')}</a>
${hasFiles ? files : ''}</p>
${hasFiles ? '' : html`<p class="hint no-print">${t.say('usage.files-range', { count: t.number(dailyRangeLimit) })}</p>`}`
}

export const maxCharts = 12

/** @param days every day of the range; null if it is too long for a chart. */
export function charts({ Meters }: Summary, days: string[] | null, t: Texts): Markup {
  if (Meters.length === 0) return html``
  if (!days) return html`<p class="hint">${t.say('usage.too-long')}</p>`
  const more =
    Meters.length > maxCharts
      ? html`<p class="hint">${t.say('usage.largest-charts', { count: maxCharts })}</p>`
      : html``
  return html`<h2>${t.say('usage.by-day')}</h2>${more}
<div class="meters">${Meters.slice(0, maxCharts).map((meter) => meterChart(meter, days, t))}</div>`
}

function meterChart({ Meter, Days = [] }: MeterTotals, days: string[], t: Texts): Markup {
  const byDay = new Map(Days.map((day) => [day.Day, day.TotalUsage]))
  const short = shortFormats(t)
  const columns = days.map((day) => {
    const value = byDay.get(day) ?? 0
    return { label: `${t.day(day)}: ${t.number(value)}`, name: short.date(day), value }
  })
  const none = { Day: days[0]!, TotalUsage: 0 }
  const peak = Days.reduce((most, day) => (day.TotalUsage > most.TotalUsage ? day : most), none)
  const [first, last] = [t.day(days[0]!), t.day(days.at(-1)!)]
  const most = t.say('usage.peak', { day: t.day(peak.Day), value: t.number(peak.TotalUsage) })
  const title = t.say('usage.chart', { meter: Meter, first, last, most })
  return html`<section class="panel meter"><h3>${Meter}</h3>
${columnChart({ title, columns, write: short.number })}
<p class="hint">${t.say('usage.tallest', { most })}</p>
<details><summary>${t.say('usage.figures', { meter: Meter })}</summary>
${table(
  t.say('usage.meter-by-day', { meter: Meter }),
  [
    { head: t.say('usage.day'), cell: ({ Day }) => html`<time datetime="${Day}">${t.day(Day)}</time>` },
    { head: t.say('usage.usage'), numeric: true, cell: ({ TotalUsage }) => figure(TotalUsage, t) },
    { head: t.say('usage.entries'), numeric: true, cell: ({ EventCount }) => figure(EventCount, t) },
  ],
  Days,
)}</details></section>`
}

export type EntriesView = {
  session: Session
  entries: readonly UsageEntryRow[]
  next: string | null
  url: string
  t: Texts
}

export function entriesTable({ session, entries, next, url, t }: EntriesView): Markup {
  if (entries.length === 0) return emptyState(t.say('usage.entries.none'))
  const { timeZone } = session.user
  const search = searchOf(url)
  return html`${table<UsageEntryRow>(
    t.say('usage.entries.list'),
    [
      { head: 'ID', cell: ({ id }) => id, onCard: 'headed' },
      { head: t.say('usage.meter'), cell: ({ meter }) => meter, onCard: 'name' },
      {
        head: t.say('usage.usage'),
        numeric: true,
        cell: ({ usage }) => figure(Number(usage), t),
        onCard: 'side',
      },
      {
        head: t.say('usage.occurred'),
        cell: ({ occurredAt }) => t.moment(new Date(occurredAt * 1000), timeZone),
        onCard: 'title',
      },
      {
        head: t.say('usage.extra'),
        cell: ({ extraInfo }) => (extraInfo ? html`<span class="info">${extraInfo}</span>` : ''),
      },
      { head: t.say('usage.counted'), cell: (entry) => counted(session, entry, search, t) },
    ],
    entries,
  )}
${nextLink(t, url, next, 'cursor')}`
}

function counted(session: Session, entry: UsageEntryRow, search: string, t: Texts): Markup {
  const { id, voidedAt, voidReason } = entry
  if (voidedAt !== null) {
    const at = t.moment(new Date(voidedAt * 1000), session.user.timeZone)
    return html`${badge(t.say('usage.void'), 'warn')} ${at}: ${voidReason ?? ''}`
  }
  const form = postForm(
    session,
    `/dashboard/usage/entries/${id}/void${search}`,
    html`<label>${t.say('usage.void.why', { id })} <textarea name="Reason" rows="2" maxlength="1000" required></textarea></label>
<button class="danger">${t.say('usage.void.button')}</button>`,
  )
  return html`<details><summary>${markupOf(t, 'usage.yes', { hint })}</summary>${form}</details>`
}
