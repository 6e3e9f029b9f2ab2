/** The content of the page with the statement of a partner. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import {
  isTotalUnknown,
  type StatementTotals,
  type StatementView,
} from '../../reports/sales/statement/schemas.ts'
import { inputField } from '../frame/form-fields.ts'
import { badge, emptyState, nextLink, table } from '../frame/layout.ts'
import { statusBadge, whenOf } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { type StatedBooking, type StatementPage, withZeroIfCancelled } from './files.ts'

export function statementBody(t: Texts, { view, next, url }: StatementPage & { url: string }): Markup {
  const path = `/dashboard/reports/partners/${view.PartnerID}`
  return html`<p class="no-print"><a href="/dashboard/reports?Group=partner">${t.say('statement.by-partner')}</a> · <a href="/dashboard/partners/${view.PartnerID}">${t.say('terms.of', { partner: view.PartnerName })}</a></p>
<form method="get" action="${path}" class="filters no-print">
${inputField({ label: t.say('statement.month'), name: 'Month', value: view.Month }, { type: 'month', required: true, pattern: '\\d{4}-\\d{2}', placeholder: t.say('statement.month.form') })}
<button class="secondary">${t.say('word.show')}</button>
</form>
<p>${t.say('statement.about', { partner: view.PartnerName, month: monthName(t, view.Month) })}</p>
${view.Bookings.length === 0 ? emptyState(t.say('statement.none')) : bookings(t, view)}
${nextLink(t, url, next)}
<p class="actions no-print"><a class="button secondary" href="${path}/statement.csv?Month=${view.Month}" download>${t.say('statement.file')}</a></p>`
}

function hasUnknownPart({ WithoutTerms }: StatementTotals): boolean {
  return Number(WithoutTerms.Amount) > 0
}

function monthName({ locale }: Texts, month: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}

function bookings(t: Texts, { Totals, Bookings, PartnerName }: StatementView): Markup {
  const hasUnknown = Totals.some(hasUnknownPart)
  // If all bookings were sold without terms, the amount is unknown, and 0 would be wrong.
  const known = (row: StatementTotals, amount: Price) =>
    isTotalUnknown(row) ? t.say('report.not-known') : money(t, amount)
  const ofBooking = (amount: Price | null) => (amount ? money(t, amount) : t.say('report.not-known'))
  return html`<h2>${t.say('statement.total')}</h2>
${table<StatementTotals>(
  t.say('statement.total-of'),
  [
    { head: t.say('statement.valid'), numeric: true, cell: ({ Bookings }) => t.number(Bookings) },
    {
      head: t.say('report.cancelled'),
      numeric: true,
      cell: ({ CancelledBookings }) => t.number(CancelledBookings),
    },
    { head: t.say('report.guests'), numeric: true, cell: ({ Guests }) => t.number(Guests) },
    { head: t.say('word.price'), numeric: true, cell: ({ Total }) => money(t, Total) },
    { head: t.say('report.commission.short'), numeric: true, cell: (row) => known(row, row.Commission) },
    {
      head: t.say('report.owed.short'),
      numeric: true,
      cell: (row) => html`<strong>${known(row, row.Owed)}</strong>`,
    },
    ...(hasUnknown
      ? [
          {
            head: t.say('report.no-terms'),
            numeric: true,
            cell: (row: StatementTotals) => money(t, row.WithoutTerms),
          },
        ]
      : []),
  ],
  Totals,
)}
${hasUnknown ? html`<p>${badge(t.say('report.no-terms'), 'warn')} ${t.say('statement.without-terms', { partner: PartnerName })}</p>` : ''}
<h2>${t.say('report.bookings')}</h2>
${table<StatedBooking>(
  t.say('statement.bookings-through', { partner: PartnerName }),
  [
    {
      head: t.say('word.booking'),
      onCard: 'title',
      cell: ({ BookingReference, Status, PaymentReference }) =>
        html`${bookingLink(BookingReference)} ${statusBadge(t, Status)}${PaymentReference ? html`<span class="hint under">${PaymentReference}</span>` : ''}`,
    },
    {
      head: t.say('report.group.product'),
      onCard: 'name',
      cell: (row) => html`${row.ProductName} <span class="hint under">${whenOf(t, row)}</span>`,
    },
    {
      head: t.say('report.guests'),
      onCard: 'headed',
      numeric: true,
      cell: (row) => counted(row, t.number(row.Participants)),
    },
    {
      head: t.say('word.price'),
      onCard: 'headed',
      numeric: true,
      cell: (row) => counted(row, money(t, row.Total)),
    },
    {
      head: t.say('report.commission.short'),
      onCard: 'headed',
      numeric: true,
      cell: ({ Commission }) => ofBooking(Commission),
    },
    {
      head: t.say('report.owed.short'),
      onCard: 'headed',
      numeric: true,
      cell: ({ Owed }) => ofBooking(Owed),
    },
  ],
  Bookings.map(withZeroIfCancelled),
)}`
}

/** Strikes out the text of a cancelled booking, which is not in the total. */
function counted({ Status }: StatedBooking, text: string): Markup | string {
  return Status === 'cancelled' ? html`<s>${text}</s>` : text
}
