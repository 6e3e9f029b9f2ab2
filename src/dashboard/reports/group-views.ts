/**
 * The table on the page of reports that has a row for each product, channel, partner, unit or payment method.
 * Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  changeOf,
  isOwedUnknown,
  type ReportGroup,
  type ReportRange,
  revenueOf,
} from '../../reports/sales/report/model.ts'
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

/** The filters of a report as a query string without its question mark. Empty filters are left out. */
export function reportAddress(query: ReportQuery): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
}

export function groupSection({ report, group, query, t }: ReportView): Markup {
  if (report.groups.length === 0) return html``
  const isMethod = group === 'method'
  const name = (of: GroupReport) => {
    const text = words.groupName(t, group, of)
    if (group === 'partner' && of.id !== null)
      return html`<a href="/dashboard/reports/partners/${of.id}?Month=${query.To.slice(0, 7)}">${text}</a>`
    if (group !== 'product' || of.id === null) return html`${text}`
    return html`<a href="/dashboard/reports?${reportAddress({ ...query, ProductID: String(of.id) })}">${text}</a>`
  }
  return html`<h2>${t.say(`report.by.${group}`)}</h2>
${isMethod ? html`<p class="hint">${t.say('report.methods-about')}</p>` : ''}
${group === 'unit' ? html`<p class="hint">${t.say('report.units-about')}</p>` : ''}
${group === 'partner' ? html`<p class="no-print"><a href="/dashboard/reports/partners.csv?${String(new URLSearchParams({ From: query.From, To: query.To }))}" download>${t.say('report.owed-file')}</a></p>` : ''}
<div class="groups">${table<GroupReport>(
    t.say(`report.sales-by.${group}`),
    [
      { head: t.say(`report.group.${group}`), cell: name },
      ...(isMethod ? methodColumns(t) : soldColumns(t, group)),
      {
        head: t.say(isMethod ? 'report.net-paid' : 'report.revenue'),
        ...amount(t, ({ now }) => revenueOf(now)),
      },
      ...(group === 'partner' ? partnerColumns(t, report.groups) : []),
      ...(report.groups.some(({ before }) => revenueOf(before) !== 0n) ? beforeColumns(t, report) : []),
      ...(report.places && group === 'product'
        ? [
            {
              head: t.say('report.occupancy'),
              numeric: true,
              cell: ({ places }: GroupReport) =>
                places ? words.shareWords(t, places.booked, places.capacity) : '–',
            },
          ]
        : []),
    ],
    report.groups,
  )}</div>`
}

/**
 * The columns with the revenue of the earlier range and the change. groupSection() leaves them out if no
 * group had revenue in the earlier range.
 */
function beforeColumns(t: Texts, { before: range }: SalesReport) {
  return [
    { head: words.beforeWords(t, range), ...amount(t, ({ before }) => revenueOf(before)) },
    {
      head: t.say('report.change'),
      numeric: true,
      cell: ({ now, before }: GroupReport) =>
        words.changeWords(t, changeOf(revenueOf(now), revenueOf(before))),
    },
  ]
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
    { head: t.say('report.payments'), ...count(t, ({ now }) => now.bookings) },
    { head: t.say('report.paid'), ...amount(t, ({ now }) => now.sold) },
    { head: t.say('report.refunds'), ...count(t, ({ now }) => now.cancelledBookings) },
    { head: t.say('report.paid-back'), ...amount(t, ({ now }) => now.paidBack) },
  ]
}

/**
 * The columns with the numbers of sold and cancelled bookings (in the report by unit: units), and of guests.
 */
function soldColumns(t: Texts, group: ReportGroup) {
  const isUnit = group === 'unit'
  return [
    {
      head: t.say(isUnit ? 'report.units-sold' : 'report.bookings-sold'),
      ...count(t, ({ now }) => now.bookings),
    },
    {
      head: t.say(isUnit ? 'report.units-cancelled' : 'report.cancelled-bookings'),
      ...count(t, ({ now }) => now.cancelledBookings),
    },
    { head: t.say('report.guests'), ...count(t, ({ now }) => guestsOf(now)) },
  ]
}

/**
 * The columns with the commission and the owed amount of each partner. A row without a partner has a dash. If
 * all sales of a partner were without terms, the amounts are shown as unknown.
 */
function partnerColumns(t: Texts, groups: readonly GroupReport[]) {
  const known = (read: ReadAmount) => ({
    numeric: true,
    cell: (of: GroupReport) => {
      if (of.id === null) return '–'
      if (isOwedUnknown(of.now)) return t.say('report.not-known')
      return t.amount(Number(read(of)), of.currency)
    },
  })
  return [
    { head: t.say('report.commission.short'), ...known(({ now }) => now.commission) },
    { head: t.say('report.owed.short'), ...known(({ now }) => now.owed) },
    ...(groups.some(({ now }) => now.withoutTerms > 0n)
      ? [
          {
            head: t.say('report.no-terms'),
            numeric: true,
            cell: (of: GroupReport) =>
              of.now.withoutTerms > 0n ? t.amount(Number(of.now.withoutTerms), of.currency) : '–',
          },
        ]
      : []),
  ]
}
