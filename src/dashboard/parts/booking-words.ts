/** Bookings in words: what pages call their states, their channels, and who changed them. Pure. */

import { type OpeningHoursField, toPeriods } from '../../catalogue/opening-hours.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { fullName } from '../../platform/text/full-name.ts'
import type { BookingDetail, BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { badge } from '../frame/layout.ts'
import { dayAndTime } from './slot-words.ts'

export const channelNames = { partner: 'Partner', online: 'Online', pos: 'Point of sale' } as const
const channelKinds = { partner: 'accent', online: 'quiet', pos: 'quiet' } as const

export const statusNames = {
  held: 'Held',
  waitlisted: 'On the waitlist',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  expired: 'Expired',
} as const
const statusKinds = {
  held: 'warn',
  waitlisted: 'warn',
  confirmed: 'good',
  cancelled: 'bad',
  expired: 'quiet',
} as const

export function channelBadge(channel: BookingRecord['Channel']): Markup {
  return badge(channelNames[channel], channelKinds[channel])
}

export function statusBadge(status: BookingRecord['Status']): Markup {
  return badge(statusNames[status], statusKinds[status])
}

type Named = Pick<BookingRecord['Customer'], 'FirstName' | 'LastName'>

/** Empty without a name. */
export function customerName({ FirstName, LastName }: Named): string {
  return fullName(FirstName, LastName)
}

/** The name of a party, also if the customer has no name yet. */
export function partyName(customer: Named): string {
  return customerName(customer) || 'No name yet'
}

/** The title of a booking's page: customer and product, with the reference beside it. */
export function bookingTitle(
  booking: { Customer: Named; ProductName: string; BookingReference: string },
  before = '',
): { title: string; aside: Markup } {
  return {
    title: `${before}${partyName(booking.Customer)}, ${booking.ProductName}`,
    aside: html`<p class="hint">Booking ${booking.BookingReference}</p>`,
  }
}

type BookedTime = { Date: string; Time: string; OpeningHours?: OpeningHoursField }

/** When a booking takes place, in the time zone of its product. */
export function whenOf(t: Texts, { Date: date, Time: time, OpeningHours }: BookedTime): string {
  return dayAndTime(t, { date, time, openingHours: toPeriods(OpeningHours) })
}

type Happening = BookingDetail['History'][number]

export function actorName({ Kind, ID, Name }: Happening['Actor']): string {
  switch (Kind) {
    case 'partner':
      return Name ?? 'A partner'
    case 'key':
      return Name ?? `API key ${ID}`
    case 'user':
      return Name ?? `User ${ID}`
    case 'customer':
      return 'The customer'
    case 'payment':
      return 'The payment provider'
    case 'service':
      return 'This service'
  }
}

export function places(t: Texts, count: number): string {
  return count === 1 ? '1 place' : `${t.number(count)} places`
}
