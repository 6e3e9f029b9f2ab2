/** What the statement of a partner shows. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import type { StatementView } from '../../reports/sales/statement/schemas.ts'
import { inputField } from '../frame/forms.ts'
import { badge, emptyState, nextLink, table } from '../frame/layout.ts'
import { statusBadge, whenOf } from '../parts/booking-words.ts'
import { money } from '../parts/party-words.ts'
import type { StatementPage } from './files.ts'

type TotalsRow = StatementView['Totals'][number]
type StatedBooking = StatementView['Bookings'][number]

export function statementBody(t: Texts, { view, next, url }: StatementPage & { url: string }): Markup {
  const path = `/dashboard/reports/partners/${view.PartnerID}`
  return html`<p class="no-print"><a href="/dashboard/reports?Group=partner">Report by partner</a> · <a href="/dashboard/partners/${view.PartnerID}">Terms of ${view.PartnerName}</a></p>
<form method="get" action="${path}" class="filters no-print">
${inputField({ label: 'Month', name: 'Month', value: view.Month }, { type: 'month', required: true, pattern: '\\d{4}-\\d{2}', placeholder: 'YYYY-MM' })}
<button class="secondary">Show</button>
</form>
<p>Bookings through ${view.PartnerName} for activities in ${monthName(t, view.Month)}. A cancelled booking owes nothing.</p>
${view.Bookings.length === 0 ? emptyState('There is no booking in this month.') : bookings(t, view)}
${nextLink(url, next)}
<p class="actions no-print"><a class="button secondary" href="${path}/statement.csv?Month=${view.Month}" download>Download (CSV)</a></p>`
}

function isUnknown({ WithoutTerms }: TotalsRow): boolean {
  return Number(WithoutTerms.Amount) > 0
}

function monthName({ locale }: Texts, month: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}

function bookings(t: Texts, { Totals, Bookings, PartnerName }: StatementView): Markup {
  const hasUnknown = Totals.some(isUnknown)
  // Where nothing is known to be owed, and something may be, 0 would be wrong.
  const known = (row: TotalsRow, amount: Price) =>
    isUnknown(row) && Number(row.Owed.Amount) + Number(row.Commission.Amount) === 0
      ? 'Not known'
      : money(t, amount)
  return html`<h2>Total</h2>
${table<TotalsRow>(
  'Total of the month',
  [
    { head: 'Bookings', numeric: true, cell: ({ Bookings }) => t.number(Bookings) },
    { head: 'Cancelled', numeric: true, cell: ({ CancelledBookings }) => t.number(CancelledBookings) },
    { head: 'Guests', numeric: true, cell: ({ Guests }) => t.number(Guests) },
    { head: 'Price', numeric: true, cell: ({ Total }) => money(t, Total) },
    { head: 'Commission', numeric: true, cell: (row) => known(row, row.Commission) },
    { head: 'Owed', numeric: true, cell: (row) => html`<strong>${known(row, row.Owed)}</strong>` },
    ...(hasUnknown
      ? [{ head: 'Without terms', numeric: true, cell: (row: TotalsRow) => money(t, row.WithoutTerms) }]
      : []),
  ],
  Totals,
)}
${hasUnknown ? html`<p>${badge('Without terms', 'warn')} Some bookings were sold before terms were agreed with ${PartnerName}: what is owed for them is not known, and is not in the total.</p>` : ''}
<h2>Bookings</h2>
${table<StatedBooking>(
  `Bookings through ${PartnerName}`,
  [
    {
      head: 'Booking',
      cell: ({ BookingReference }) =>
        html`<a href="/dashboard/bookings/${BookingReference}">${BookingReference}</a>`,
    },
    { head: 'Product', cell: ({ ProductName }) => ProductName },
    { head: 'When', cell: (row) => whenOf(t, row) },
    { head: 'Guests', numeric: true, cell: ({ Participants }) => t.number(Participants) },
    { head: 'Status', cell: ({ Status }) => statusBadge(Status) },
    { head: 'Price', numeric: true, cell: ({ Total }) => money(t, Total) },
    {
      head: 'Commission',
      numeric: true,
      cell: ({ Commission }) => (Commission ? money(t, Commission) : 'Not known'),
    },
    { head: 'Owed', numeric: true, cell: ({ Owed }) => (Owed ? money(t, Owed) : 'Not known') },
  ],
  Bookings,
)}`
}
