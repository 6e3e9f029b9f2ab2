/** What the page of reports shows of groups: products, channels, partners, units, payment methods. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import {
  changeOf,
  type ReportGroup,
  type ReportRange,
  revenueOf,
  type SalesFigures,
} from '../../reports/sales/report/model.ts'
import type { ReportQuery } from '../../reports/sales/report/schemas.ts'
import type { GroupReport, SalesReport } from '../../reports/sales/report/service.ts'
import type { Formats } from '../frame/formats.ts'
import { table } from '../frame/layout.ts'
import * as words from './words.ts'

export type ReportView = {
  report: SalesReport
  query: ReportQuery
  group: ReportGroup
  range: ReportRange
  formats: Formats
}

/** What is asked for, as an address has it. */
export function reportAddress(query: ReportQuery): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
}

/** Guests of the bookings that stand. */
export function standing({ guests, cancelledGuests }: SalesFigures): number {
  return guests - cancelledGuests
}

export function groupSection({ report, group, query, formats }: ReportView): Markup {
  if (report.groups.length === 0) return html``
  const isMethod = group === 'method'
  const amount = (of: GroupReport, minor: bigint) => formats.money(Number(minor), of.currency)
  const name = (of: GroupReport) => {
    const text = words.groupName(group, of)
    if (group === 'partner' && of.id !== null)
      return html`<a href="/dashboard/reports/partners/${of.id}?Month=${query.To.slice(0, 7)}">${text}</a>`
    if (group !== 'product' || of.id === null) return html`${text}`
    return html`<a href="/dashboard/reports?${reportAddress({ ...query, ProductID: String(of.id) })}">${text}</a>`
  }
  return html`<h2>By ${words.groupWords[group].toLowerCase()}</h2>
${isMethod ? html`<p class="hint">Payments made and paid back on these days, for all products and channels. Bookings through partners are paid to the partner.</p>` : ''}
${group === 'unit' ? html`<p class="hint">At list prices; what was taken off has a line of its own.</p>` : ''}
${table<GroupReport>(
  `Sales by ${words.groupWords[group].toLowerCase()}`,
  [
    { head: words.groupWords[group], cell: name },
    { head: isMethod ? 'Payments' : 'Sold', numeric: true, cell: ({ now }) => formats.number(now.bookings) },
    {
      head: isMethod ? 'Paid back' : 'Cancelled',
      numeric: true,
      cell: ({ now }) => formats.number(now.cancelledBookings),
    },
    ...(isMethod
      ? []
      : [{ head: 'Guests', numeric: true, cell: ({ now }: GroupReport) => formats.number(standing(now)) }]),
    { head: isMethod ? 'Kept' : 'Revenue', numeric: true, cell: (of) => amount(of, revenueOf(of.now)) },
    { head: 'Before', numeric: true, cell: (of) => amount(of, revenueOf(of.before)) },
    {
      head: 'Change',
      numeric: true,
      cell: ({ now, before }) => words.changeWords(formats, changeOf(revenueOf(now), revenueOf(before))),
    },
    ...(report.places && group === 'product'
      ? [
          {
            head: 'Occupancy',
            numeric: true,
            cell: ({ places }: GroupReport) =>
              places ? words.shareWords(formats, places.booked, places.capacity) : '–',
          },
        ]
      : []),
  ],
  report.groups,
)}`
}
