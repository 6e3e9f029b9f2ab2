/** The page of one timeslot. Pure. */

import { openingView } from '../../catalogue/opening-hours.ts'
import type { MovedTimeslot } from '../../catalogue/timeslots/editing/move-queries.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { ownPricesView } from '../../catalogue/units/own-prices.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { ShownPriceList } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import { inWords } from '../frame/fault-words.ts'
import { attributes, type FormFaults, faultSummary, inputField, postForm } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { attendanceBadge } from '../parts/attendance.ts'
import { channelNames, partyName, statusBadge } from '../parts/booking-words.ts'
import { type GivenHours, hoursByLine, hoursFaults, hoursFields, hoursLabels } from '../parts/hours-fields.ts'
import { joinPath, occupancy, sellPath, slotBadges } from '../parts/occupancy.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { type GivenPrices, priceFields, priceLabels } from '../parts/price-fields.ts'
import { priceLine, pricesText } from '../parts/price-words.ts'
import { timeOf } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'
import { movedTo } from './moved-to.ts'
import { calendarPath } from './range.ts'
import { slotWaitlist } from './waitlist-views.ts'

/** A form of the page as it was sent and refused. */
export type RefusedCapacity = { faults: NonNullable<FormFaults>; status: number } & (
  | { form: 'capacity'; given: { Capacity?: number } | undefined }
  | { form: 'prices'; given: { UnitPrices?: GivenPrices } | undefined }
  | { form: 'hours'; given: GivenHours | undefined }
)

type ShownTimeslot = {
  slot: Timeslot
  bookings: readonly BookingRecord[]
  /** The query of the page with more bookings. */
  next: string | null
  entries: readonly WaitlistEntryRow[]
  /** Where it was moved to; null if it was not moved. */
  moved: MovedTimeslot | null
  /** Whether more wait than are shown. */
  isCut: boolean
  /** Whether those that ended are shown as well. */
  all: boolean
  t: Texts
  /** What it sells. */
  list: ShownPriceList | null
  refused: RefusedCapacity | undefined
}

export function timeslotPage(session: Session, shown: ShownTimeslot): Markup {
  const { slot, t } = shown
  const path = pathOf(slot)
  const week = calendarPath({ view: 'week', date: slot.date, productId: null })
  return html`<p class="no-print"><a href="${week}">Calendar of that week</a></p>
<div class="timeslot">
<div>
<section data-live id="occupancy">
<h2>Places</h2>
${occupancy(slot, t)}
${slotBadges(slot, session.user.timeZone, t)}
</section>
<section data-live id="bookings">
<h2>Bookings</h2>
${bookingTable(session, shown)}
${shown.next ? html`<p class="pager no-print"><a rel="next" href="${path}?${shown.next}">Show more</a></p>` : ''}
</section>
<section data-live id="waitlist" class="no-print">
<h2>Waitlist</h2>
${slotWaitlist(session, shown.entries, t)}
${shown.isCut ? html`<p class="hint">Only the first ${t.number(shown.entries.length)} parties are shown.</p>` : ''}
</section>
<p class="no-print">${
    shown.all
      ? html`<a href="${path}">Leave out what has ended</a>`
      : html`<a href="${path}?All=true">Show also what was cancelled or has ended</a>`
  }</p>
</div>
<aside class="no-print" aria-label="Change this timeslot">
${slot.onSale && freeOf(slot) > 0 ? html`<p><a class="button" href="${sellPath(slot)}">Sell places</a></p>` : ''}
${slot.booked > 0 ? html`<p><a class="button secondary" href="${path}/message">Message everybody on it</a></p>` : ''}
${capacityForm(session, shown)}
${hoursForm(session, shown)}
${priceForm(session, shown)}
${saleForm(session, shown)}
${movePanel(slot)}
${closurePanel(slot)}
${
  slot.onSale
    ? html`<p><a class="button secondary" href="${joinPath(slot.id)}">Put somebody on the waitlist</a></p>`
    : ''
}
</aside>
</div>`
}

function pathOf({ id }: Timeslot): string {
  return `/dashboard/calendar/timeslots/${id}`
}

function bookingTable(session: Session, { bookings, all, t }: ShownTimeslot): Markup {
  if (bookings.length === 0) return emptyState(all ? 'No bookings.' : 'No bookings on it now.')
  return table(
    'Bookings',
    [
      {
        head: 'Booking',
        cell: ({ BookingReference }) => bookingLink(BookingReference),
      },
      { head: 'Name', cell: ({ Customer }) => partyName(Customer) },
      { head: 'Party', cell: (booking) => partyText(t, booking) },
      { head: 'Total', cell: (booking) => totalText(t, booking), numeric: true },
      { head: 'Phone', cell: ({ Customer }) => (Customer.Phone ? phoneLink(session, Customer.Phone) : '') },
      { head: 'Sold by', cell: ({ Channel, Partner }) => Partner?.Name ?? channelNames[Channel] },
      {
        head: 'Status',
        cell: (booking) => html`${statusBadge(booking.Status)} ${attendanceBadge(t, booking)}`,
      },
    ],
    bookings,
  )
}

function capacityForm(session: Session, { slot, refused }: ShownTimeslot): Markup {
  const own = refused?.form === 'capacity' ? refused : null
  const faults = own?.faults ?? null
  return html`<section class="panel"><h2>Capacity</h2>
${postForm(
  session,
  `${pathOf(slot)}/capacity`,
  html`${faultSummary(faults)}
${inputField(
  {
    label: 'Places in all',
    name: 'Capacity',
    value: own ? own.given?.Capacity : slot.capacity,
    faults,
    hint: 'More places go to those who wait first. Never fewer than are booked and held.',
  },
  { type: 'number', min: 0, max: 1_000_000, required: true },
)}
<button>Change the capacity</button>`,
)}</section>`
}

function priceForm(session: Session, { slot, list, t, refused }: ShownTimeslot): Markup {
  if (!list) return html``
  const own = refused?.form === 'prices' ? refused : null
  const given = own ? own.given?.UnitPrices : ownPricesView(slot.unitPrices)
  const labels = new Map(priceLabels(list))
  const faults = own && inWords(own.faults, labels)
  const hint = 'Of this timeslot alone. What is left empty costs what its schedule or its product says.'
  return html`<section class="panel"><h2>Prices</h2>
<p>${list.units ? `${pricesText(t, list)}.` : priceLine(t, list, [list])}</p>
<details id="prices"${attributes({ open: own !== null })}><summary>Change the prices</summary>
${postForm(
  session,
  `${pathOf(slot)}/prices`,
  html`${faultSummary(faults)}
${priceFields(list, { given, faults, locale: t.locale, hint })}
<button>Change the prices</button>`,
)}</details></section>`
}

/** Of an all-day timeslot alone: one with a start keeps it. */
function hoursForm(session: Session, { slot, t, refused }: ShownTimeslot): Markup {
  const { openingHours } = slot
  if (!openingHours) return html``
  const own = refused?.form === 'hours' ? refused : null
  const faults = own && inWords(hoursFaults(own.faults), new Map([...hoursLabels, ['Time', 'first opening']]))
  const { OpeningHours } = openingView(openingHours)
  const values = hoursByLine(own ? (own.given ?? {}) : { OpeningHours })
  const opens = t.clock(slot.time)
  return html`<section class="panel"><h2>Opening hours</h2>
<p>${timeOf(t, slot)}</p>
<details id="hours"${attributes({ open: own !== null })}><summary>Change the opening hours</summary>
${postForm(
  session,
  `${pathOf(slot)}/hours`,
  html`${faultSummary(faults)}
${hoursFields({ values, faults }, `The first opening stays ${opens}.`)}
<button>Change the opening hours</button>`,
)}</details></section>`
}

/** Of one that is to come and on sale: who is on it is told of, before anything is done. */
function movePanel({ id, status, hasBegun }: Timeslot): Markup {
  if (status === 'closed' || hasBegun) return html``
  return html`<section class="panel"><h2>Date and time</h2>
<p><a class="button secondary" href="/dashboard/calendar/timeslots/${id}/move">Move…</a></p></section>`
}

/** Of a timeslot that a closure would change: a closed one may still have bookings. */
function closurePanel({ id, status, booked, held, waiting }: Timeslot): Markup {
  if (status === 'closed' && booked + held + waiting === 0) return html``
  return html`<section class="panel"><h2>Weather closure</h2>
<p>Cancels or moves every booking, and tells the customers.</p>
<p><a class="button secondary" href="/dashboard/calendar/closures?TimeslotID=${id}">Close with its bookings</a></p></section>`
}

function saleForm(session: Session, { slot, t, moved }: ShownTimeslot): Markup {
  if (slot.status === 'closed')
    return html`<section class="panel"><h2>Off sale</h2>
${moved ? html`<p>This timeslot was ${movedTo(t, moved)}.</p>` : ''}<p>On sale again, its free places go to those who wait first.</p>
${postForm(session, `${pathOf(slot)}/reopen`, html`<button>Put it on sale again</button>`)}</section>`
  const until = t.moment(slot.saleEndsAt, slot.timeZone)
  if (!slot.onSale)
    return html`<section class="panel"><h2>Sale is over</h2><p>Its places were sold until ${until}.</p></section>`
  return html`<section class="panel"><h2>On sale</h2>
<p>Its places are sold until ${until}. Off sale nobody can book it. Its bookings and its waitlist stay.</p>
${postForm(session, `${pathOf(slot)}/close`, html`<button class="secondary">Take it off sale</button>`)}</section>`
}
