/** The content of the pages of usage: totals, a chart for each meter, and entries. */
import { html, type Markup } from '../../http/pages.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import type { UsageEntryRow } from '../../metering/read/queries.ts'
import type { Summary } from '../../metering/schemas.ts'
import { inputField, postForm } from '../frame/forms.ts'
import { badge, emptyState, nextLink, searchOf, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { columnChart } from '../parts/chart.ts'
import { toQuery, type UsageRange } from './range.ts'

type MeterTotals = Summary['Meters'][number]

/** An exact number in the reader's language. */
function figure(value: number, t: Texts): Markup {
  return html`<data value="${value}">${t.number(value)}</data>`
}

export function rangeForm(action: string, { from, to, meter = [] }: UsageRange, presets: Markup): Markup {
  return html`<form class="filters" action="${action}">
${inputField({ label: 'From', name: 'from', value: from }, { type: 'date', required: true })}
${inputField({ label: 'To', name: 'to', value: to }, { type: 'date', required: true })}
${inputField({ label: 'Meter (empty: all)', name: 'meter', value: meter[0] }, { maxlength: 255 })}
<button class="secondary">Show</button>
</form>
${presets}`
}

export function presetLinks(ranges: readonly { label: string; range: UsageRange }[]): Markup {
  const items = ranges.map(
    ({ label, range }) => html`<li><a href="/dashboard/usage?${toQuery(range)}">${label}</a></li>`,
  )
  return html`<ul class="presets">${items}</ul>`
}

/** Whether the totals are complete. @param pending the header Usage-Pending. */
export function freshness({ user }: Session, pending: string, asked: string, t: Texts): Markup {
  const failed = user.role === 'owner' ? html`<a href="/dashboard/health">could not be</a>` : 'could not be'
  if (pending === '0')
    return html`<p>${badge('Complete', 'good')} Counted up to ${asked}: every entry that was accepted before is in these figures.</p>`
  if (pending === 'unknown')
    return html`<p>${badge('Perhaps incomplete', 'warn')} Asked at ${asked}. The queue cannot be reached, so entries that wait in it may be missing.</p>`
  return html`<p>${badge('Incomplete', 'warn')} Asked at ${asked}. Accepted and not counted yet: at least ${t.number(Number(pending))}. What is not counted waits to be stored, or ${failed}.</p>`
}

/** @param hasMore whether the account has more meters than the summary shows. */
export function totals(
  { summary, hasMore }: { summary: Summary; hasMore: boolean },
  range: UsageRange,
  t: Texts,
): Markup {
  if (summary.Meters.length === 0) return emptyState('Nothing was used on these days.')
  const query = toQuery(range)
  return html`<h2>Totals</h2>
${table<MeterTotals>(
  'Totals by meter, largest first',
  [
    {
      head: 'Meter',
      cell: ({ Meter }) =>
        html`<a href="/dashboard/usage?${toQuery({ ...range, meter: [Meter] })}">${Meter}</a>`,
    },
    { head: 'Usage', numeric: true, cell: ({ TotalUsage }) => figure(TotalUsage, t) },
    { head: 'Entries', numeric: true, cell: ({ EventCount }) => figure(EventCount, t) },
  ],
  summary.Meters,
)}
${hasMore ? html`<p class="hint">The ${summary.Meters.length} largest meters are shown. To see another, enter its name above.</p>` : ''}
<p>${figure(summary.Totals.Events, t)} entries in all. What meters count is not added up: it need not be the same thing.</p>
<p class="actions no-print"><a class="button secondary" href="/dashboard/usage/entries?${query}">See the entries</a>
<a class="button secondary" href="/dashboard/usage/days.csv?${query}" download>Download the days (CSV)</a>
<a class="button secondary" href="/dashboard/usage/entries.csv?${query}" download>Download the entries (CSV)</a></p>`
}

export const mostCharts = 12

/** @param days every day of the range; null if it is too long for a chart. */
export function charts({ Meters }: Summary, days: string[] | null, t: Texts): Markup {
  if (Meters.length === 0) return html``
  if (!days) return html`<p class="hint">Choose a shorter range, of about a year, to see the days.</p>`
  const more =
    Meters.length > mostCharts
      ? html`<p class="hint">The ${mostCharts} largest meters are shown; choose another above.</p>`
      : html``
  return html`<h2>Day by day</h2>${more}
${Meters.slice(0, mostCharts).map((meter) => meterChart(meter, days, t))}`
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
  const most = `most on ${t.day(peak.Day)}, ${t.number(peak.TotalUsage)}`
  const title = `${Meter} by day, from ${first} to ${last}; ${most}. The figures are in the table that follows.`
  return html`<section class="panel meter"><h3>${Meter}</h3>
${columnChart({ title, columns, write: short.number })}
<p class="hint">The tallest column: ${most}.</p>
<details><summary>The figures of ${Meter}</summary>
${table(
  `${Meter} by day`,
  [
    { head: 'Day', cell: ({ Day }) => html`<time datetime="${Day}">${t.day(Day)}</time>` },
    { head: 'Usage', numeric: true, cell: ({ TotalUsage }) => figure(TotalUsage, t) },
    { head: 'Entries', numeric: true, cell: ({ EventCount }) => figure(EventCount, t) },
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
  if (entries.length === 0) return emptyState('No stored entries on these days.')
  const { timeZone } = session.user
  const search = searchOf(url)
  return html`${table<UsageEntryRow>(
    'Entries by day, meter and ID',
    [
      { head: 'ID', cell: ({ id }) => id },
      { head: 'Meter', cell: ({ meter }) => meter },
      { head: 'Usage', numeric: true, cell: ({ usage }) => figure(Number(usage), t) },
      { head: 'Occurred', cell: ({ occurredAt }) => t.moment(new Date(occurredAt * 1000), timeZone) },
      { head: 'Extra info', cell: ({ extraInfo }) => html`<span class="info">${extraInfo ?? ''}</span>` },
      { head: 'Counted', cell: (entry) => counted(session, entry, search, t) },
    ],
    entries,
  )}
${nextLink(url, next, 'cursor')}`
}

function counted(session: Session, entry: UsageEntryRow, search: string, t: Texts): Markup {
  const { id, voidedAt, voidReason } = entry
  if (voidedAt !== null) {
    const at = t.moment(new Date(voidedAt * 1000), session.user.timeZone)
    return html`${badge('Void', 'warn')} ${at}: ${voidReason ?? ''}`
  }
  const form = postForm(
    session,
    `/dashboard/usage/entries/${id}/void${search}`,
    html`<label>Why entry ${id} must not count <textarea name="Reason" rows="2" maxlength="1000" required></textarea></label>
<button class="danger">Void this entry</button>`,
  )
  return html`<details><summary>Yes<span class="hint"> · void</span></summary>${form}</details>`
}
