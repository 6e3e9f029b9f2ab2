/** The page of one timeslot. Pure. */

import { openingView } from '../../catalogue/opening-hours.ts'
import type { MovedTimeslot } from '../../catalogue/timeslots/editing/move-queries.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { ownPricesView } from '../../catalogue/units/own-prices.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { ShownPriceList } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import type { SentToAll } from '../../messaging/messages/service.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import { inWords } from '../frame/fault-words.ts'
import { inputField } from '../frame/form-fields.ts'
import { attributes, type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { attendanceBadge } from '../parts/attendance.ts'
import { partyName, statusBadge } from '../parts/booking-words.ts'
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
import { sentPart } from './sent-views.ts'
import { slotWaitlist } from './waitlist-views.ts'

/** The refused form of the page, with its sent values and their faults. */
export type RefusedTimeslotForm = { faults: NonNullable<FormFaults>; status: number } & (
  | { form: 'capacity'; given: { Capacity?: number } | undefined }
  | { form: 'prices'; given: { UnitPrices?: GivenPrices } | undefined }
  | { form: 'hours'; given: GivenHours | undefined }
)

type ShownTimeslot = {
  slot: Timeslot
  bookings: readonly BookingRecord[]
  /** Badges with what the sales of the bookings owe, by booking reference. */
  owed: ReadonlyMap<string, Markup>
  /** The query of the page with more bookings. */
  next: string | null
  entries: readonly WaitlistEntryRow[]
  /** The date and time to which the timeslot was moved, with the timeslot there; null if it was not moved. */
  moved: MovedTimeslot | null
  /** Whether the waitlist has more entries than are shown. */
  isCut: boolean
  /** Whether bookings of every status are shown, and also waitlist entries that have left the waitlist. */
  all: boolean
  t: Texts
  /** The messages to the customers of the timeslot, and the e-mails about its closure. */
  sent: readonly SentToAll[]
  /** The prices of the timeslot; null if the timeslot was removed while the data of the page was read. */
  list: ShownPriceList | null
  refused: RefusedTimeslotForm | undefined
}

export function timeslotPage(session: Session, shown: ShownTimeslot): Markup {
  const { slot, sent, t } = shown
  const path = pathOf(slot)
  const week = calendarPath({ view: 'week', date: slot.date, productId: null })
  return html`<p class="no-print"><a href="${week}">${t.say('calendar.of-week')}</a></p>
${slotActions(shown)}
<section data-live id="occupancy" class="places">
<h2>${t.say('calendar.slot.places')}</h2>
${occupancy(slot, t)}
${slotBadges(slot, session.user.timeZone, t)}
</section>
<section data-live id="bookings">
<h2>${t.say('calendar.slot.bookings')}</h2>
${bookingTable(session, shown)}
${shown.next ? html`<p class="pager no-print"><a rel="next" href="${path}?${shown.next}">${t.say('calendar.slot.more')}</a></p>` : ''}
</section>
${sentPart(session, t, sent)}
<section data-live id="waitlist" class="no-print">
<h2>${t.say('calendar.waitlist.title')}</h2>
${slotWaitlist(session, shown.entries, t)}
${shown.isCut ? html`<p class="hint">${t.say('calendar.waitlist.cut', { count: shown.entries.length })}</p>` : ''}
</section>
<p class="no-print">${
    shown.all
      ? html`<a href="${path}">${t.say('calendar.slot.leave-out')}</a>`
      : html`<a href="${path}?All=true">${t.say('calendar.slot.show-all')}</a>`
  }</p>
<aside class="settings no-print" aria-label="${t.say('calendar.slot.change')}">
${capacityForm(session, shown)}
${saleForm(session, shown)}
${hoursForm(session, shown)}
${priceForm(session, shown)}
</aside>`
}

/** Links to the actions for the timeslot that are possible now. The closure is marked as dangerous. */
function slotActions({ slot, t }: ShownTimeslot): Markup {
  const path = pathOf(slot)
  const { status, onSale, hasBegun, booked, held, waiting } = slot
  const link = (href: string, words: string, kind = 'button secondary') =>
    html`<a class="${kind}" href="${href}">${words}</a>\n`
  // A closed timeslot may still have bookings, which a closure cancels or moves. A closure does not change a timeslot
  // that has begun.
  const canClose = !hasBegun && (status === 'open' || booked + held + waiting > 0)
  const closure = `/dashboard/calendar/closures?TimeslotID=${slot.id}`
  return html`<p class="actions slot-actions no-print">
${onSale && freeOf(slot) > 0 ? link(sellPath(slot), t.say('calendar.slot.sell-places'), 'button') : ''}
${onSale ? link(joinPath(slot.id), t.say('calendar.slot.waitlist')) : ''}
${booked > 0 ? link(`${path}/message`, t.say('calendar.slot.message')) : ''}
${link(`/dashboard/today/manifest/${slot.id}`, t.say('today.manifest'))}
${status === 'open' && !hasBegun ? link(`${path}/move`, t.say('calendar.slot.move')) : ''}
${canClose ? link(closure, t.say('calendar.slot.closure'), 'button danger') : ''}</p>`
}

function pathOf({ id }: Timeslot): string {
  return `/dashboard/calendar/timeslots/${id}`
}

function bookingTable(session: Session, { bookings, owed, all, t }: ShownTimeslot): Markup {
  if (bookings.length === 0)
    return emptyState(t.say(all ? 'calendar.slot.no-bookings' : 'calendar.slot.no-bookings-now'))
  return table(
    t.say('calendar.slot.bookings'),
    [
      {
        head: t.say('word.booking'),
        onCard: 'title',
        cell: ({ BookingReference }) => bookingLink(BookingReference),
      },
      { head: t.say('word.name'), onCard: 'name', cell: ({ Customer }) => partyName(t, Customer) },
      { head: t.say('word.party'), onCard: 'line', cell: (booking) => partyText(t, booking) },
      {
        head: t.say('receipt.total'),
        onCard: 'side',
        cell: (booking) => totalText(t, booking),
        numeric: true,
      },
      {
        head: t.say('word.phone'),
        onCard: 'line',
        cell: ({ Customer }) => (Customer.Phone ? phoneLink(session, Customer.Phone) : ''),
      },
      {
        head: t.say('calendar.slot.sold-by'),
        onCard: 'hidden',
        cell: ({ Channel, Partner }) => Partner?.Name ?? t.say(`channel.${Channel}`),
      },
      {
        head: t.say('word.status'),
        onCard: 'line',
        cell: (booking) =>
          html`${statusBadge(t, booking.Status)} ${attendanceBadge(t, booking)} ${owed.get(booking.BookingReference) ?? ''}`,
      },
    ],
    bookings,
  )
}

function capacityForm(session: Session, { slot, t, refused }: ShownTimeslot): Markup {
  const own = refused?.form === 'capacity' ? refused : null
  const faults = own?.faults ?? null
  return html`<section class="panel"><h2>${t.say('calendar.slot.capacity')}</h2>
${postForm(
  session,
  `${pathOf(slot)}/capacity`,
  html`${faultSummary(faults)}
${inputField(
  {
    label: t.say('calendar.capacity'),
    name: 'Capacity',
    value: own ? own.given?.Capacity : slot.capacity,
    faults,
    hint: t.say('calendar.slot.capacity.hint'),
  },
  { type: 'number', min: 0, max: 1_000_000, required: true },
)}
<button>${t.say('calendar.slot.capacity.change')}</button>`,
)}</section>`
}

function priceForm(session: Session, { slot, list, t, refused }: ShownTimeslot): Markup {
  if (!list) return html``
  const own = refused?.form === 'prices' ? refused : null
  const given = own ? own.given?.UnitPrices : ownPricesView(slot.unitPrices)
  const labels = new Map(priceLabels(t, list))
  const faults = own && inWords(own.faults, labels)
  const hint = t.say('calendar.slot.prices.hint')
  return html`<section class="panel"><h2>${t.say('calendar.slot.prices')}</h2>
<p>${list.units ? `${pricesText(t, list)}.` : priceLine(t, list, [list])}</p>
<details id="prices"${attributes({ open: own !== null })}><summary>${t.say('calendar.slot.prices.change')}</summary>
${postForm(
  session,
  `${pathOf(slot)}/prices`,
  html`${faultSummary(faults)}
${priceFields(t, list, { given, faults, hint })}
<button>${t.say('calendar.slot.prices.change')}</button>`,
)}</details></section>`
}

/** The form of the opening hours. Empty for a timeslot with a start time, whose time cannot be changed here. */
function hoursForm(session: Session, { slot, t, refused }: ShownTimeslot): Markup {
  const { openingHours } = slot
  if (!openingHours) return html``
  const own = refused?.form === 'hours' ? refused : null
  const faults =
    own &&
    inWords(
      hoursFaults(t, own.faults),
      new Map([...hoursLabels(t), ['Time', t.say('calendar.slot.first-opening')]]),
    )
  const { OpeningHours } = openingView(openingHours)
  const values = hoursByLine(own ? (own.given ?? {}) : { OpeningHours })
  const opens = t.clock(slot.time)
  return html`<section class="panel"><h2>${t.say('calendar.slot.hours')}</h2>
<p>${timeOf(t, slot)}</p>
<details id="hours"${attributes({ open: own !== null })}><summary>${t.say('calendar.slot.hours.change')}</summary>
${postForm(
  session,
  `${pathOf(slot)}/hours`,
  html`${faultSummary(faults)}
${hoursFields(t, { values, faults }, t.say('calendar.slot.hours.hint', { opens }))}
<button>${t.say('calendar.slot.hours.change')}</button>`,
)}</details></section>`
}

function saleForm(session: Session, { slot, t, moved }: ShownTimeslot): Markup {
  if (slot.status === 'closed')
    return html`<section class="panel"><h2>${t.say('calendar.slot.off-sale')}</h2>
${moved ? html`<p>${movedTo(t, 'calendar.moved', moved)}</p>` : ''}${slot.hasBegun ? '' : reopenForm(session, slot, t)}</section>`
  const until = t.moment(slot.saleEndsAt, slot.timeZone)
  if (!slot.onSale)
    return html`<section class="panel"><h2>${t.say('calendar.slot.over')}</h2><p>${t.say('calendar.slot.over.about', { until })}</p></section>`
  return html`<section class="panel"><h2>${t.say('calendar.slot.on-sale')}</h2>
<p>${t.say('calendar.slot.on-sale.about', { until })}</p>
${postForm(session, `${pathOf(slot)}/close`, html`<button class="secondary">${t.say('calendar.slot.close')}</button>`)}</section>`
}

function reopenForm(session: Session, slot: Timeslot, t: Texts): Markup {
  return html`<p>${t.say('calendar.slot.off-sale.about')}</p>
${postForm(session, `${pathOf(slot)}/reopen`, html`<button>${t.say('calendar.slot.reopen')}</button>`)}`
}
