/** The list of bookings: filters and table. Pure. */
import type { Partner } from '../../accounts/service.ts'
import { toPeriods } from '../../catalogue/opening-hours.ts'
import type { Product } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { shortFormats } from '../../languages/short-formats.ts'
import type { Texts } from '../../languages/texts.ts'
import type { SoldListQuery } from '../../sales/booking/desk/list-query.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { foldedFields } from '../frame/folded-fields.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { type FormFaults, faultSummary } from '../frame/forms.ts'
import { badge, type Column, emptyState, nextLink, table } from '../frame/layout.ts'
import { attendanceBadge } from '../parts/attendance.ts'
import { channelBadge, channels, partyName, statusBadge, statuses } from '../parts/booking-words.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { timeOf } from '../parts/slot-words.ts'
import { bookingPath } from '../parts/subject.ts'

type BookingList = {
  bookings: BookingRecord[]
  /** Badges with what the sales of the bookings owe, by booking reference. */
  owed: ReadonlyMap<string, Markup>
  next: string | null
  query: SoldListQuery
  url: string
  products: readonly Product[]
  partners: readonly Partner[]
  /** Today's date in the account's time zone. */
  today: string
  faults: FormFaults
}

export function listView(t: Texts, list: BookingList): Markup {
  const { bookings, next, url, faults } = list
  const download = new URL(url, 'http://here')
  for (const name of ['Cursor', 'Limit', 'done']) download.searchParams.delete(name)
  return html`${faultSummary(faults)}
${filters(t, list)}
<p class="actions no-print"><a class="button" href="/dashboard/sell">${t.say('bookings.new')}</a>
<a class="button secondary" href="/dashboard/sell/held">${t.say('bookings.held')}</a>
<a class="button secondary" href="/dashboard/bookings.csv${download.search}" download>${t.say('bookings.csv')}</a></p>
<div data-live id="bookings">
${
  bookings.length === 0
    ? emptyState(emptyText(t, list))
    : table(t.say('bookings.list'), columns(t, list), bookings)
}
${nextLink(t, url, next)}
</div>`
}

function emptyText(t: Texts, { query, next }: BookingList): string {
  if (next !== null) return t.say('bookings.none-newest')
  return t.say(isFiltered(query) ? 'bookings.none-found' : 'bookings.none')
}

function isFiltered({ Limit, Cursor, ...filters }: SoldListQuery): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

function columns(t: Texts, { today, owed }: BookingList) {
  return [
    {
      head: t.say('word.customer'),
      onCard: 'title',
      cell: ({ BookingReference, Customer }: BookingRecord) =>
        html`<a href="${bookingPath(BookingReference)}">${partyName(t, Customer)} <span class="under hint">${BookingReference}</span></a>`,
    },
    {
      head: t.say('bookings.takes-place'),
      onCard: 'line',
      cell: (booking: BookingRecord) => whenCell(t, booking, today),
    },
    {
      head: t.say('word.product'),
      onCard: 'line',
      cell: ({ ProductName }: BookingRecord) => ProductName,
    },
    {
      head: t.say('word.party'),
      onCard: 'line',
      cell: (booking: BookingRecord) => partyText(t, booking),
    },
    {
      head: t.say('bookings.total'),
      numeric: true,
      onCard: 'side',
      cell: (booking: BookingRecord) => totalText(t, booking),
    },
    {
      head: t.say('word.status'),
      onCard: 'line',
      cell: (booking: BookingRecord) =>
        html`${statusBadge(t, booking.Status)} ${attendanceBadge(t, booking)} ${owed.get(booking.BookingReference) ?? ''}`,
    },
    {
      head: t.say('bookings.sold'),
      onCard: 'hidden',
      cell: ({ Channel, Partner, PaymentReference }: BookingRecord) =>
        html`${Partner ? badge(Partner.Name, 'accent') : channelBadge(t, Channel)} <span class="under hint">${PaymentReference ?? ''}</span>`,
    },
  ] satisfies Column<BookingRecord>[]
}

/** `Fri 27 Nov · 13:00`, with the year if it is not this year. Opening hours are on a second line. */
function whenCell(t: Texts, { Date: date, Time: time, OpeningHours }: BookingRecord, today: string): Markup {
  const openingHours = toPeriods(OpeningHours)
  const day = shortFormats(t).dayNear(date, today)
  return openingHours
    ? html`${day} <span class="under hint">${timeOf(t, { time, openingHours })}</span>`
    : html`<span class="one-line">${day} ·</span> <span class="one-line">${t.clock(time)}</span>`
}

function filters(t: Texts, { query, products, partners, faults }: BookingList): Markup {
  const {
    Search,
    Text,
    From,
    To,
    MadeFrom,
    MadeTo,
    SoldFrom,
    SoldTo,
    Sold,
    NoShow,
    Status = [],
    Channel,
    ProductID,
    PartnerID,
    ToPay,
  } = query
  const any = { value: '', label: t.say('bookings.any') }
  const choices = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }))
  const day = (label: string, name: string, value: string | undefined) =>
    inputField({ label, name, value, faults }, { type: 'date' })
  const isNarrowed = [ProductID, PartnerID, MadeFrom, MadeTo, SoldFrom, SoldTo, Sold, NoShow].some(
    (value) => value !== undefined,
  )
  return html`<form method="get" action="/dashboard/bookings" class="filters no-print" role="search">
${inputField(
  {
    label: t.say('bookings.search'),
    name: 'Search',
    value: Search ?? Text,
    faults,
    hint: t.say('bookings.search.hint'),
  },
  { type: 'search', maxlength: 255 },
)}
<button class="secondary">${t.say('word.show')}</button>
${foldedFields(
  t,
  html`${day(t.say('bookings.takes-place-from'), 'From', From)}
${day(t.say('bookings.takes-place-to'), 'To', To)}
${selectField({ label: t.say('word.status'), name: 'Status', value: Status[0], faults }, [any, ...statuses.map((value) => ({ value, label: t.say(`status.${value}`) }))])}
${selectField({ label: t.say('bookings.payment'), name: 'ToPay', value: ToPay, faults }, [any, { value: 'true', label: t.say('bookings.to-pay') }])}
${selectField({ label: t.say('bookings.sold'), name: 'Channel', value: Channel, faults }, [any, ...channels.map((value) => ({ value, label: t.say(`channel.${value}`) }))])}
<details class="more" id="more-filters"${isNarrowed ? html` open` : ''}><summary>${t.say('bookings.more-filters')}</summary>
<div class="filters">
${selectField({ label: t.say('word.product'), name: 'ProductID', value: ProductID, faults }, [any, ...choices(products)])}
${partners.length > 0 ? selectField({ label: t.say('bookings.partner'), name: 'PartnerID', value: PartnerID, faults }, [any, ...choices(partners)]) : ''}
${day(t.say('bookings.made-from'), 'MadeFrom', MadeFrom)}
${day(t.say('bookings.made-to'), 'MadeTo', MadeTo)}
${day(t.say('bookings.sold-from'), 'SoldFrom', SoldFrom)}
${day(t.say('bookings.sold-to'), 'SoldTo', SoldTo)}
${selectField({ label: t.say('bookings.counted'), name: 'Sold', value: Sold, faults }, [any, { value: 'true', label: t.say('bookings.counted.sold') }])}
${selectField({ label: t.say('bookings.came'), name: 'NoShow', value: NoShow, faults }, [any, { value: 'true', label: t.say('bookings.came.not') }])}
</div></details>`,
  faults,
)}
<a href="/dashboard/bookings">${t.say('bookings.all')}</a>
</form>`
}
