/** The list of bookings: filters, table, and the rows of the file. Pure. */
import type { Partner } from '../../accounts/service.ts'
import { hoursText, toPeriods } from '../../catalogue/opening-hours.ts'
import type { Product } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { unitsText } from '../../sales/booking/bought-view.ts'
import type { BookingListQuery, BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { foldedFields } from '../frame/folded-fields.ts'
import { type FormFaults, faultSummary, inputField, selectField } from '../frame/forms.ts'
import { type Column, emptyState, nextLink, table } from '../frame/layout.ts'
import { attendanceBadge } from '../parts/attendance.ts'
import { channelBadge, channels, partyName, statusBadge, statuses, whenOf } from '../parts/booking-words.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { bookingLink } from '../parts/subject.ts'

type BookingList = {
  bookings: BookingRecord[]
  /** The balances of their sales, by reference. */
  owed: ReadonlyMap<string, Markup>
  next: string | null
  query: BookingListQuery
  url: string
  products: readonly Product[]
  partners: readonly Partner[]
  timeZone: string
  faults: FormFaults
}

export function listView(t: Texts, list: BookingList): Markup {
  const { bookings, next, url, faults } = list
  const download = new URL(url, 'http://here')
  for (const name of ['Cursor', 'Limit', 'done']) download.searchParams.delete(name)
  return html`${faultSummary(faults)}
${filters(t, list)}
<p class="actions no-print"><a class="button" href="/dashboard/sell">New booking</a>
<a class="button secondary" href="/dashboard/sell/held">Held sales</a>
<a class="button secondary" href="/dashboard/bookings.csv${download.search}" download>Download CSV</a></p>
<div data-live id="bookings">
${
  bookings.length === 0
    ? emptyState(emptyText(list))
    : table('Bookings, the newest first', columns(t, list), bookings)
}
${nextLink(t, url, next)}
</div>`
}

function emptyText({ query, next }: BookingList): string {
  if (next !== null) return 'None of the newest bookings was found by this search. There are older ones.'
  return isFiltered(query) ? 'No booking was found.' : 'There are no bookings yet.'
}

function isFiltered({ Limit, Cursor, ...filters }: BookingListQuery): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

function columns(t: Texts, { timeZone, owed }: BookingList) {
  return [
    {
      head: 'Reference',
      onCard: 'title',
      cell: ({ BookingReference }: BookingRecord) => bookingLink(BookingReference),
    },
    { head: 'Takes place', onCard: 'line', cell: (booking: BookingRecord) => whenOf(t, booking) },
    { head: 'Customer', onCard: 'name', cell: ({ Customer }: BookingRecord) => partyName(t, Customer) },
    { head: 'Party', onCard: 'line', cell: (booking: BookingRecord) => partyText(t, booking) },
    {
      head: 'Total',
      numeric: true,
      onCard: 'side',
      cell: (booking: BookingRecord) => totalText(t, booking),
    },
    { head: 'Product', onCard: 'line', cell: ({ ProductName }: BookingRecord) => ProductName },
    {
      head: 'Status',
      onCard: 'line',
      cell: (booking: BookingRecord) =>
        html`${statusBadge(t, booking.Status)} ${attendanceBadge(t, booking)} ${owed.get(booking.BookingReference) ?? ''}`,
    },
    {
      head: 'Sold',
      onCard: 'hidden',
      cell: ({ Channel, Partner, PaymentReference }: BookingRecord) =>
        html`${channelBadge(t, Channel)} ${[Partner?.Name, PaymentReference].filter(Boolean).join(' · ')}`,
    },
    {
      head: 'Made',
      onCard: 'hidden',
      cell: ({ CreatedAt }: BookingRecord) => t.moment(CreatedAt, timeZone),
    },
  ] satisfies Column<BookingRecord>[]
}

function filters(t: Texts, { query, products, partners, faults }: BookingList): Markup {
  const {
    Search,
    Text,
    From,
    To,
    MadeFrom,
    MadeTo,
    Status = [],
    Channel,
    ProductID,
    PartnerID,
    ToPay,
  } = query
  const any = { value: '', label: 'Any' }
  const choices = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }))
  const day = (label: string, name: string, value: string | undefined) =>
    inputField({ label, name, value, faults }, { type: 'date' })
  const isNarrowed = [ProductID, PartnerID, MadeFrom, MadeTo].some((value) => value !== undefined)
  return html`<form method="get" action="/dashboard/bookings" class="filters no-print" role="search">
${inputField(
  {
    label: 'Search',
    name: 'Search',
    value: Search ?? Text,
    faults,
    hint: 'A name, phone number, e-mail address, reference, product or day, or several of them: “kayak 15 june”.',
  },
  { type: 'search', maxlength: 255 },
)}
<button class="secondary">Show</button>
${foldedFields(
  t,
  html`${day('From', 'From', From)}
${day('To', 'To', To)}
${selectField({ label: 'Status', name: 'Status', value: Status[0], faults }, [any, ...statuses.map((value) => ({ value, label: t.say(`status.${value}`) }))])}
${selectField({ label: 'Payment', name: 'ToPay', value: ToPay, faults }, [any, { value: 'true', label: 'Still to be paid' }])}
${selectField({ label: 'Sold', name: 'Channel', value: Channel, faults }, [any, ...channels.map((value) => ({ value, label: t.say(`channel.${value}`) }))])}
<details class="more" id="more-filters"${isNarrowed ? html` open` : ''}><summary>More filters</summary>
<div class="filters">
${selectField({ label: 'Product', name: 'ProductID', value: ProductID, faults }, [any, ...choices(products)])}
${partners.length > 0 ? selectField({ label: 'Partner', name: 'PartnerID', value: PartnerID, faults }, [any, ...choices(partners)]) : ''}
${day('Made from', 'MadeFrom', MadeFrom)}
${day('Made to', 'MadeTo', MadeTo)}
</div></details>`,
  faults,
)}
<a href="/dashboard/bookings">All bookings</a>
</form>`
}

/** The amounts to pay and overpaid; one of them is 0. */
export type SaleBalance = { toPay: string; overpaid: string }

export const csvHead = [
  'BookingReference',
  'Status',
  'Channel',
  'ProductName',
  'Date',
  'Time',
  'Participants',
  'FirstName',
  'LastName',
  'Email',
  'Phone',
  'Partner',
  'PaymentReference',
  'UnitPrice',
  'Currency',
  'Attendance',
  'CreatedAt',
  'CancelledAt',
  'CancelReason',
  'Units',
  'Total',
  'Refund',
  'PartnerTerms',
  'Owed',
  'OpeningHours',
  'Sale',
  'SaleToPay',
  'SaleOverpaid',
]

/** @param balance the balance of its sale. Only the first booking of a sale has it, so that the columns can be added. */
export function csvRow(booking: BookingRecord, balance: SaleBalance | null): (string | number | null)[] {
  const { Customer } = booking
  return [
    booking.BookingReference,
    booking.Status,
    booking.Channel,
    booking.ProductName,
    booking.Date,
    booking.Time,
    booking.Participants,
    Customer.FirstName,
    Customer.LastName,
    Customer.Email,
    Customer.Phone,
    booking.Partner?.Name ?? null,
    booking.PaymentReference,
    booking.UnitPrice.Amount,
    booking.UnitPrice.Currency,
    booking.Attendance,
    booking.CreatedAt,
    booking.CancelledAt,
    booking.CancelReason,
    unitsText(booking.Units ?? []),
    booking.Total?.Amount ?? null,
    booking.Refund?.Amount ?? null,
    termsText(booking),
    booking.Owed?.Amount ?? null,
    hoursText(toPeriods(booking.OpeningHours) ?? []),
    booking.BasketID,
    balance?.toPay ?? null,
    balance?.overpaid ?? null,
  ]
}

function termsText({ PartnerTerms }: BookingRecord): string | null {
  if (!PartnerTerms) return null
  return PartnerTerms.Commission === undefined ? 'net' : `${PartnerTerms.Commission}%`
}
