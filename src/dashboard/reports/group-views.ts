/** What the page of reports shows of groups: products, channels, partners, units, payment methods. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { changeOf, type ReportGroup, type ReportRange, revenueOf } from '../../reports/sales/report/model.ts'
import type { ReportQuery } from '../../reports/sales/report/schemas.ts'
import type { GroupReport, SalesReport } from '../../reports/sales/report/service.ts'
import { table } from '../frame/layout.ts'
import { guestsOf } from './figure-views.ts'
import * as words from './words.ts'

export type ReportView = {
  report: SalesReport
  query: ReportQuery
  group: ReportGroup
  range: ReportRange
  t: Texts
}

/** What is asked for, as an address has it. */
export function reportAddress(query: ReportQuery): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
}

export function groupSection({ report, group, query, t }: ReportView): Markup {
  if (report.groups.length === 0) return html``
  const isMethod = group === 'method'
  const name = (of: GroupReport) => {
    const text = words.groupName(group, of)
    if (group === 'partner' && of.id !== null)
      return html`<a href="/dashboard/reports/partners/${of.id}?Month=${query.To.slice(0, 7)}">${text}</a>`
    if (group !== 'product' || of.id === null) return html`${text}`
    return html`<a href="/dashboard/reports?${reportAddress({ ...query, ProductID: String(of.id) })}">${text}</a>`
  }
  const title = words.groupWords[group].toLowerCase()
  return html`<h2>By ${title}</h2>
${isMethod ? html`<p class="hint">Money that was paid and paid back on these days, of any product, channel and day of activity. Bookings through partners are paid to the partner.</p>` : ''}
${group === 'unit' ? html`<p class="hint">At list prices; what was taken off has a line of its own.</p>` : ''}
${group === 'partner' ? html`<p class="no-print"><a href="/dashboard/reports/partners.csv?${String(new URLSearchParams({ From: query.From, To: query.To }))}" download>Commission and what partners owe, by month (CSV)</a></p>` : ''}
${table<GroupReport>(
  isMethod ? 'Payments by payment method' : `Sales by ${title}`,
  [
    { head: words.groupWords[group], cell: name },
    ...(isMethod ? methodColumns(t) : soldColumns(t, group)),
    { head: isMethod ? 'Paid less paid back' : 'Revenue', ...amount(t, ({ now }) => revenueOf(now)) },
    {
      head: words.beforeWords(t, report.before),
      ...amount(t, ({ before }) => revenueOf(before)),
    },
    {
      head: 'Change',
      numeric: true,
      cell: ({ now, before }) => words.changeWords(t, changeOf(revenueOf(now), revenueOf(before))),
    },
    ...(group === 'partner' ? partnerColumns(t) : []),
    ...(report.places && group === 'product'
      ? [
          {
            head: 'Occupancy',
            numeric: true,
            cell: ({ places }: GroupReport) =>
              places ? words.shareWords(t, places.booked, places.capacity) : '–',
          },
        ]
      : []),
  ],
  report.groups,
)}`
}

type ReadAmount = (of: GroupReport) => bigint

function amount(t: Texts, read: ReadAmount) {
  return { numeric: true, cell: (of: GroupReport) => t.amount(Number(read(of)), of.currency) }
}

function count(t: Texts, read: (of: GroupReport) => number) {
  return { numeric: true, cell: (of: GroupReport) => t.number(read(of)) }
}

function methodColumns(t: Texts) {
  return [
    { head: 'Payments', ...count(t, ({ now }) => now.bookings) },
    { head: 'Paid', ...amount(t, ({ now }) => now.sold) },
    { head: 'Refunds', ...count(t, ({ now }) => now.cancelledBookings) },
    { head: 'Paid back', ...amount(t, ({ now }) => now.paidBack) },
  ]
}

/** How much was sold: of a unit, how many of it. */
function soldColumns(t: Texts, group: ReportGroup) {
  const [sold, cancelled] =
    group === 'unit' ? ['Units sold', 'Units cancelled'] : ['Bookings sold', 'Cancelled bookings']
  return [
    { head: sold, ...count(t, ({ now }) => now.bookings) },
    { head: cancelled, ...count(t, ({ now }) => now.cancelledBookings) },
    { head: 'Guests', ...count(t, ({ now }) => guestsOf(now)) },
  ]
}

/** Nothing is owed by those who are no partner; where all was sold without terms, it is not known. */
function partnerColumns(t: Texts) {
  const known = (read: ReadAmount) => ({
    numeric: true,
    cell: (of: GroupReport) => {
      if (of.id === null) return '–'
      const { owed, commission, withoutTerms } = of.now
      if (withoutTerms > 0n && owed + commission === 0n) return 'Not known'
      return t.amount(Number(read(of)), of.currency)
    },
  })
  return [
    { head: 'Commission', ...known(({ now }) => now.commission) },
    { head: 'Owed', ...known(({ now }) => now.owed) },
    {
      head: 'Without terms',
      numeric: true,
      cell: (of: GroupReport) =>
        of.now.withoutTerms > 0n ? t.amount(Number(of.now.withoutTerms), of.currency) : '–',
    },
  ]
}
