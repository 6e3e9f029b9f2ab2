/** Bookings in words: what pages call their states, their channels, and what happened to them. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import { toExactMinorUnits } from '../../platform/text/money.ts'
import type { BookingDetail, BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { Formats } from '../frame/formats.ts'
import { badge } from '../frame/layout.ts'

export const channelNames = { partner: 'Partner', online: 'Online', pos: 'Point of sale' } as const
const channelKinds = { partner: 'accent', online: 'good', pos: 'warn' } as const

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

export function attendanceBadge(attendance: BookingRecord['Attendance']): Markup {
  if (attendance === null) return html``
  return attendance === 'checked-in' ? badge('Checked in', 'good') : badge('No-show', 'bad')
}

type Named = Pick<BookingRecord['Customer'], 'FirstName' | 'LastName'>

/** Empty while nobody has said a name. */
export function customerName({ FirstName, LastName }: Named): string {
  return [FirstName, LastName].filter(Boolean).join(' ')
}

/** By what a party is called, also while nobody has said a name. */
export function partyName(customer: Named): string {
  return customerName(customer) || 'No name yet'
}

/** What a booking costs. */
export function totalPrice(formats: Formats, { Total }: BookingRecord): string {
  return money(formats, Total!)
}

/** An amount as the wire writes it, so many times. */
export function money(formats: Formats, price: { Amount: string; Currency: string }, times = 1): string {
  const { Amount, Currency } = price
  return formats.money(Number(toExactMinorUnits(Amount, Currency) ?? 0) * times, Currency)
}

/** When a booking takes place, on the clock of its product. */
export function whenOf(formats: Formats, { Date: date, Time: time }: { Date: string; Time: string }): string {
  return `${formats.day(date)}, ${formats.time(time)}`
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

const actionNames: Record<string, string> = {
  held: 'Places held',
  waitlisted: 'Put on the waitlist',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  expired: 'Time ran out',
  removed: 'Removed from its basket',
  offered: 'Places offered from the waitlist',
  'offer-taken': 'Offer taken',
  moved: 'Moved',
  amended: 'Party changed',
  reduced: 'Price reduced',
  'checked-in': 'Checked in',
  'no-show': 'Marked as no-show',
  'attendance-cleared': 'Attendance taken back',
  'tickets-made': 'Tickets made',
  'ticket-redeemed': 'Ticket redeemed',
  'redemption-undone': 'Redemption taken back',
  'ticket-changed': 'Ticket changed',
  'confirmation-resent': 'Confirmation sent again',
  'customer-changed': 'Customer changed',
  'customer-erased': 'Customer erased',
}

export function actionName({ Action }: Happening): string {
  return actionNames[Action] ?? Action
}

type BookedSlot = { Date: string; Time: string }
type Details = {
  From?: BookedSlot | number
  To?: BookedSlot | number
  Reason?: string
  Override?: boolean
  Fields?: string[]
  Participants?: number
  Ticket?: number
  Tickets?: number
}

/** What a history tells besides what happened: from where to where, why, which fields. */
export function detailsText(formats: Formats, { Details }: Happening): string {
  const { From, To, Reason, Override, Fields, Participants, Ticket, Tickets } = Details as Details
  const place = (where: BookedSlot | number) =>
    typeof where === 'number' ? formats.number(where) : whenOf(formats, where)
  const parts = [
    From !== undefined && To !== undefined ? `${place(From)} → ${place(To)}` : '',
    Participants === undefined ? '' : people(formats, Participants),
    Ticket === undefined ? '' : `ticket ${formats.number(Ticket)}`,
    Tickets === undefined ? '' : formats.number(Tickets),
    Reason ?? '',
    Override ? 'after the cutoff' : '',
    Fields?.join(', ') ?? '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

export function people(formats: Formats, count: number): string {
  return count === 1 ? '1 person' : `${formats.number(count)} people`
}

export function places(formats: Formats, count: number): string {
  return count === 1 ? '1 place' : `${formats.number(count)} places`
}
