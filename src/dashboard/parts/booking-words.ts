/**
 * Bookings in words: the names of states, channels, customers and actors, and the time of a booking. Pure.
 */

import { type OpeningHoursField, toPeriods } from '../../catalogue/opening-hours.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { fullName } from '../../platform/text/full-name.ts'
import type { BookingDetail, BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { badge } from '../frame/layout.ts'
import { dayAndTime } from './slot-words.ts'

export const channels = ['partner', 'online', 'pos'] as const
const channelKinds = { partner: 'accent', online: 'quiet', pos: 'quiet' } as const

export const statuses = ['held', 'waitlisted', 'confirmed', 'cancelled', 'expired'] as const
const statusKinds = {
  held: 'warn',
  waitlisted: 'warn',
  confirmed: 'good',
  cancelled: 'bad',
  expired: 'quiet',
} as const

export function channelBadge(t: Texts, channel: BookingRecord['Channel']): Markup {
  return badge(t.say(`channel.${channel}`), channelKinds[channel])
}

export function statusBadge(t: Texts, status: BookingRecord['Status']): Markup {
  return badge(t.say(`status.${status}`), statusKinds[status])
}

type Named = Pick<BookingRecord['Customer'], 'FirstName' | 'LastName'>

/** The full name of a customer. Empty if the customer has no name. */
export function customerName({ FirstName, LastName }: Named): string {
  return fullName(FirstName, LastName)
}

/** The name of the customer, or a text that says that there is no name yet. */
export function partyName(t: Texts, customer: Named): string {
  return customerName(customer) || t.say('party.no-name')
}

/** The title of a booking's page: customer and product, with the reference beside it. */
export function bookingTitle(
  t: Texts,
  booking: { Customer: Named; ProductName: string; BookingReference: string },
  key: 'booking.title' | `booking.title.${'move' | 'amend' | 'cancel' | 'customer'}` = 'booking.title',
): { title: string; aside: Markup } {
  return {
    title: t.say(key, { customer: partyName(t, booking.Customer), product: booking.ProductName }),
    aside: html`<p class="hint">${t.say('booking.title-reference', { reference: booking.BookingReference })}</p>`,
  }
}

type BookedTime = { Date: string; Time: string; OpeningHours?: OpeningHoursField }

/** When a booking takes place, in the time zone of its product. */
export function whenOf(t: Texts, { Date: date, Time: time, OpeningHours }: BookedTime): string {
  return dayAndTime(t, { date, time, openingHours: toPeriods(OpeningHours) })
}

type Happening = BookingDetail['History'][number]

export function actorName(t: Texts, { Kind, ID, Name }: Happening['Actor']): string {
  switch (Kind) {
    case 'partner':
      return Name ?? t.say('actor.partner')
    case 'key':
      return Name ?? t.say('actor.key', { id: ID! })
    case 'user':
      return Name ?? t.say('actor.user', { id: ID! })
    default:
      return t.say(`actor.${Kind}`)
  }
}

export function places(t: Texts, count: number): string {
  return t.say('places', { count })
}
