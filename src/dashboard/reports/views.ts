/** The content of the page of reports: filters, figures with those of the earlier range, charts and tables. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  noFigures,
  type ReportRange,
  reportBases,
  reportGroups,
  reportSteps,
  revenueOf,
} from '../../reports/sales/report/model.ts'
import type { ReportQuery } from '../../reports/sales/report/schemas.ts'
import type { CurrencyFigures, PeriodReport, SalesReport } from '../../reports/sales/report/service.ts'
import { foldedFields } from '../frame/folded-fields.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary } from '../frame/forms.ts'
import { badge, emptyState, table } from '../frame/layout.ts'
import { channels } from '../parts/booking-words.ts'
import { columnChart } from '../parts/chart.ts'
import { allFigures, guestsOf, mainFigures } from './figure-views.ts'
import { groupSection, type ReportView, reportAddress } from './group-views.ts'
import * as words from './words.ts'

export type ReportForm = {
  query: ReportQuery
  products: readonly { id: number; name: string }[]
  partners: readonly { id: number; name: string }[]
  presets: readonly { label: string; range: ReportRange }[]
  faults: FormFaults
}

export function reportForm(t: Texts, { query, products, partners, presets, faults }: ReportForm): Markup {
  const any = { value: '', label: t.say('report.all') }
  const rows = (of: ReportForm['products']) => [
    any,
    ...of.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const choice = (label: string, name: keyof ReportQuery, choices: Parameters<typeof selectField>[1]) =>
    selectField({ label, name, value: query[name], faults }, choices)
  const sold = channels.map((value) => ({ value, label: t.say(`channel.${value}`) }))
  const link = (range: ReportRange) =>
    `/dashboard/reports?${reportAddress({ ...query, From: range.from, To: range.to })}`
  return html`${faultSummary(faults)}<form method="get" action="/dashboard/reports" class="filters no-print">
${inputField({ label: t.say('word.from'), name: 'From', value: query.From, faults }, { type: 'date', required: true })}
${inputField({ label: t.say('word.to'), name: 'To', value: query.To, faults }, { type: 'date', required: true })}
${foldedFields(
  t,
  html`${choice(
    t.say('report.days-are'),
    'Basis',
    reportBases.map((value) => ({ value, label: t.say(`report.basis.${value}`) })),
  )}
${choice(
  t.say('report.steps'),
  'By',
  reportSteps.map((value) => ({ value, label: t.say(`report.step.${value}`) })),
)}
${choice(
  t.say('report.break-down'),
  'Group',
  reportGroups.map((value) => ({ value, label: t.say(`report.group.${value}`) })),
)}
${choice(t.say('report.group.product'), 'ProductID', rows(products))}
${choice(t.say('report.group.channel'), 'Channel', [any, ...sold])}
${partners.length > 0 ? choice(t.say('report.group.partner'), 'PartnerID', rows(partners)) : ''}`,
  faults,
)}
<button class="secondary">${t.say('word.show')}</button>
</form>
<ul class="presets no-print">${presets.map(({ label, range }) => html`<li><a href="${link(range)}">${label}</a></li>`)}</ul>`
}

export function reportBody(view: ReportView): Markup {
  const { report, query, range, t } = view
  const address = reportAddress(query)
  const before = words.periodName(t, report.before)
  if (report.totals.length === 0 && !report.groups.length)
    return html`${freshness(view)}${emptyState(t.say('report.none'))}`
  return html`${freshness(view)}
<p class="hint">${t.say('report.compared', { range: words.periodName(t, range), count: words.daysIn(report.before), before })}</p>
${report.totals.map((total) => totalsSection(view, total))}
${groupSection(view)}
${report.totals.map((total) => allFigures(t, report, { total, noShows: `${bookingsAddress(query)}&NoShow=true` }))}
<p class="actions no-print"><a class="button secondary" href="/dashboard/reports/periods.csv?${address}" download>${t.say('report.periods-file')}</a>
<a class="button secondary" href="/dashboard/reports/groups.csv?${address}" download>${t.say('report.groups-file')}</a>
<a class="button secondary" href="${bookingsAddress(query)}">${t.say('report.bookings-link')}</a></p>`
}

/** The address of the list of the report's bookings, by the day on which they were confirmed or take place. */
function bookingsAddress({ From, To, Basis = 'sold', ProductID, Channel, PartnerID }: ReportQuery): string {
  const days: [string, string][] =
    Basis === 'travel'
      ? [
          ['From', From],
          ['To', To],
          ['Sold', 'true'],
        ]
      : [
          ['SoldFrom', From],
          ['SoldTo', To],
        ]
  const others = Object.entries({ ProductID, Channel, PartnerID }).flatMap(
    ([name, value]): [string, string][] => (value ? [[name, value]] : []),
  )
  return `/dashboard/bookings?${new URLSearchParams([...days, ...others])}`
}

/**
 * A notice if the figures are incomplete. When the service counts the days of an account for the first time,
 * it begins with the latest day and goes back, so it may not have counted the days of the report yet. Empty
 * if everything is counted.
 */
function freshness({ report, range, t }: ReportView): Markup {
  const { completeFrom, staleDays, waitingEvents } = report.freshness
  if (completeFrom !== null && completeFrom > report.before.from) {
    const about =
      completeFrom > range.to
        ? t.say('report.incomplete.all')
        : t.say('report.incomplete.before', { day: t.day(completeFrom) })
    return html`<p>${badge(t.say('report.incomplete'), 'warn')} ${about}</p>`
  }
  return staleDays + waitingEvents > 0
    ? html`<p>${badge(t.say('report.updating'), 'quiet')} ${t.say('report.updating.about')}</p>`
    : html``
}

function totalsSection({ report, t }: ReportView, total: CurrencyFigures): Markup {
  return html`<section><h2>${total.currency}</h2>
${mainFigures(t, report, total)}
${periodSection(report, total.currency, t)}</section>`
}

/** The periods of one currency: a chart of the revenue, and below it a folded table with more figures. */
function periodSection({ periods, before }: SalesReport, currency: string, t: Texts): Markup {
  const figuresIn = (sums: PeriodReport['sums']) =>
    sums.find((sum) => sum.currency === currency)?.figures ?? null
  const rows = periods.map((period) => ({ ...period, figures: figuresIn(period.sums) }))
  const amount = (minor: number | bigint) => t.amount(Number(minor), currency)
  const revenueIn = (sums: PeriodReport['sums']) => Number(revenueOf(figuresIn(sums) ?? noFigures))
  const columns = periods.map((period) => {
    const [value, earlier] = [revenueIn(period.sums), revenueIn(period.before.sums)]
    const compared = `${words.periodName(t, period.before)}: ${amount(earlier)}`
    return {
      label: `${words.periodName(t, period)}: ${amount(value)}. ${compared}`,
      name: shortFormats(t).date(period.from),
      ...{ value, before: earlier },
    }
  })
  const [first, last] = [t.day(rows[0]!.from), t.day(rows.at(-1)!.to)]
  // Without revenue in the earlier range, the chart shows no lines for earlier values, and needs no legend.
  const isCompared = columns.some((column) => column.before > 0)
  const key = { now: t.say('report.revenue'), before: words.beforeWords(t, before) }
  const title = t.say('report.chart', { currency, first, last })
  const write = (minor: number) => shortFormats(t).money(minor, currency)
  const filled = rows.filter(({ figures, places }) => figures || places?.capacity)
  return html`<h3>${t.say('report.over-time')}</h3>
${columnChart({ title, columns, write, ...(isCompared && { key }) })}
<details><summary>${t.say('report.figures')}</summary>
${table<(typeof rows)[number]>(
  t.say('report.sales-over-time', { currency }),
  [
    { head: t.say('word.when'), cell: (row) => words.periodName(t, row) },
    {
      head: t.say('report.bookings'),
      numeric: true,
      cell: ({ figures }) => t.number(figures?.bookings ?? 0),
    },
    {
      head: t.say('report.cancelled'),
      numeric: true,
      cell: ({ figures }) => t.number(figures?.cancelledBookings ?? 0),
    },
    {
      head: t.say('report.guests'),
      numeric: true,
      cell: ({ figures }) => t.number(figures ? guestsOf(figures) : 0),
    },
    {
      head: t.say('report.revenue'),
      numeric: true,
      cell: ({ figures }) => amount(figures ? revenueOf(figures) : 0),
    },
    {
      head: t.say('report.occupancy'),
      numeric: true,
      cell: ({ places }) => (places ? words.shareWords(t, places.booked, places.capacity) : '–'),
    },
  ],
  filled,
)}</details>`
}
