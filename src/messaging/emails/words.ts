/** The text of e-mails: the variables of workflows, and the built-in texts. Pure. */

import { hoursText } from '../../catalogue/opening-hours.ts'
import { renderLiquid } from '../../platform/text/liquid.ts'
import { longDate, withOffset } from '../../platform/text/local-time.ts'
import { toMoney } from '../../platform/text/money.ts'
import { boughtView, partyWords } from '../../sales/booking/bought-view.ts'
import { refundView } from '../../sales/booking/money-views.ts'
import type { ClosureNotice } from '../../sales/closure/model.ts'
import type { BookingFacts } from './facts.ts'

export type Words = { subject: string; text: string }
/** Subject and body of a workflow, in Liquid. */
export type Template = { subject: string; body: string }

/**
 * The variables of a workflow’s Subject and Body, as docs/emails.md lists them.
 * @param ticketsLink to the customer's tickets; empty where no link can be signed.
 */
export function variablesOf(accountName: string, booking: BookingFacts, ticketsLink: string) {
  const bought = boughtView(booking)
  const { Total } = bought
  const refund = BigInt(booking.refundMinor ?? 0) > 0n ? refundView(booking) : null
  return {
    account: { name: accountName },
    product: { name: booking.productName, duration_minutes: booking.durationMinutes },
    booking: {
      reference: booking.reference,
      participants: booking.participants,
      units: partyWords(bought),
      total: `${Total.Amount} ${Total.Currency}`,
      refund: refund ? `${refund.Amount} ${refund.Currency}` : '',
      all_day: booking.openingHours !== null,
      opening_hours: hoursText(booking.openingHours ?? []),
      tickets_url: ticketsLink,
    },
    sale: {
      paid: booking.sale ? textOf(booking.sale.paidMinor, booking) : '',
      to_pay: booking.sale?.owedMinor ? textOf(booking.sale.owedMinor, booking) : '',
    },
    customer: {
      first_name: booking.firstName ?? '',
      last_name: booking.lastName ?? '',
      email: booking.email ?? '',
      phone: booking.phone ?? '',
    },
    date: booking.date,
    time: booking.time,
    starts_at: withOffset(booking.startsAt, booking.localStart),
    ends_at: withOffset(booking.endsAt, booking.localEnd),
    time_zone: booking.timeZone,
    moved_from: { date: booking.movedFrom?.date ?? '', time: booking.movedFrom?.time ?? '' },
  }
}

/** @throws TemplateError when one of the two cannot be rendered. */
export function renderWords(
  template: Template,
  accountName: string,
  booking: BookingFacts,
  ticketsLink: string,
): Words {
  const values = variablesOf(accountName, booking, ticketsLink)
  return { subject: renderLiquid(template.subject, values), text: renderLiquid(template.body, values) }
}

export function confirmationWords(accountName: string, booking: BookingFacts, ticketsLink: string): Words {
  const tickets = ticketsLink ? [`Your tickets, to show at the start:\n${ticketsLink}`] : []
  return {
    subject: `Booking ${booking.reference}: ${booking.productName}`,
    text: letter(accountName, booking, [
      'your booking is confirmed.',
      summary(booking),
      ...saleMoney(booking),
      ...tickets,
    ]),
  }
}

export function closureWords(accountName: string, booking: BookingFacts, closure: ClosureNotice): Words {
  const moved = closure.Action === 'moved'
  const day = longDate(closure.FromDate)
  const cause = closure.FromAllDay
    ? `${booking.productName} is closed on ${day}`
    : `${booking.productName} on ${day} at ${closure.FromTime} cannot take place`
  const happened = moved
    ? `${cause}. We have moved your booking:`
    : `${cause}, and your booking is cancelled.`
  const rest = moved ? summary(booking) : `Booking reference: ${booking.reference}`
  return {
    subject: `${moved ? 'Moved' : 'Cancelled'}: ${booking.productName} on ${day}`,
    text: letter(accountName, booking, [
      happened,
      ...(closure.Message ? [closure.Message] : []),
      ...(moved ? [] : refundOfClosure(booking)),
      rest,
    ]),
  }
}

/**
 * What the customer gets back for a booking that a closure cancelled. For a partner's booking, the partner
 * was paid and pays back.
 */
function refundOfClosure({ sale, refundMinor, currency }: BookingFacts): string[] {
  if (!sale) return ['For a refund, please ask the company that you booked with.']
  if (BigInt(refundMinor ?? 0) > 0n) return [`We pay back ${textOf(BigInt(refundMinor!), { currency })}.`]
  const isKept = refundMinor === '0' && sale.paidMinor > 0n && sale.bookings === 0
  return isKept ? ['Your payment is not refunded.'] : []
}

export function offerWords(
  accountName: string,
  booking: BookingFacts,
  offer: { link: string; localUntil: string },
): Words {
  const until = `${longDate(offer.localUntil.slice(0, 10))} at ${offer.localUntil.slice(11)}`
  return {
    subject: `Places have become free: ${booking.productName} on ${longDate(booking.date)}`,
    text: letter(accountName, booking, [
      'you are on the waitlist, and places have become free.',
      `${summary(booking)}\nPrice: ${money(booking)}`,
      `We hold them for you until ${until} (${booking.timeZone}). Take them, see how to pay, or leave them to the next, here:\n${offer.link}`,
    ]),
  }
}

export function testWords(accountName: string): Words {
  return {
    subject: `Test e-mail of ${accountName}`,
    text: `This is a test. It shows that e-mails of ${accountName} arrive.\n`,
  }
}

/** Adds how to unsubscribe. */
export function withUnsubscribe(text: string, url: string): string {
  return `${text.trimEnd()}\n\nTo get no more e-mails like this one: ${url}\n`
}

function money(booking: BookingFacts): string {
  const { Amount, Currency } = boughtView(booking).Total
  return `${Amount} ${Currency}`
}

/** What was paid, and what is still to be paid. */
function saleMoney({ sale, currency }: BookingFacts): string[] {
  if (!sale || (sale.paidMinor === 0n && sale.owedMinor === 0n)) return []
  const of = sale.bookings > 1 ? ` (for your ${sale.bookings} bookings together)` : ''
  const paid = `Paid: ${textOf(sale.paidMinor, { currency })}${of}`
  return [
    sale.owedMinor > 0n ? `${paid}\nStill to be paid: ${textOf(sale.owedMinor, { currency })}${of}` : paid,
  ]
}

function textOf(minor: bigint, { currency }: { currency: string }): string {
  const { Amount, Currency } = toMoney(minor, currency)
  return `${Amount} ${Currency}`
}

function letter(accountName: string, booking: BookingFacts, paragraphs: string[]): string {
  return `${[greetingOf(booking), ...paragraphs, accountName].join('\n\n')}\n`
}

export function greetingOf({ firstName }: BookingFacts): string {
  return firstName ? `Dear ${firstName},` : 'Good day,'
}

function summary(booking: BookingFacts): string {
  return [
    booking.productName,
    whenOf(booking),
    partyWords(boughtView(booking)),
    `Booking reference: ${booking.reference}`,
  ].join('\n')
}

/** For an all-day booking, the opening hours, during which its customer may arrive. */
function whenOf({ date, time, openingHours, timeZone }: BookingFacts): string {
  const hours = openingHours ? `, open ${hoursText(openingHours)}` : ` at ${time}`
  return `${longDate(date)}${hours} (${timeZone})`
}
