/** Makes the variables for templates, and renders templates with them. Pure. */
import type { Texts } from '../../languages/texts.ts'
import { renderLiquid, ShownValue, type ValueWords } from '../../platform/text/liquid.ts'
import { withOffset } from '../../platform/text/local-time.ts'
import { type Price, toMoney } from '../../platform/text/money.ts'
import { boughtView, partyWords } from '../../sales/booking/bought-view.ts'
import { refundView } from '../../sales/booking/money-views.ts'
import type { BookingFacts } from './facts.ts'
import type { Words } from './words.ts'

/** Subject and body of a workflow, in Liquid. */
export type Template = { subject: string; body: string }

/** The data that a template is rendered with. */
export type TemplateContext = {
  t: Texts
  accountName: string
  booking: BookingFacts
  /** The URL of the customer's tickets; empty if no link can be signed. */
  ticketsLink: string
}

/**
 * The variables of a workflow’s Subject and Body, as docs/emails.md lists them. Dates, times and money are
 * written in the format of the locale.
 */
export function variablesOf({ t, accountName, booking, ticketsLink }: TemplateContext) {
  const bought = boughtView(booking)
  // If a partner sold the booking (`sale` is null), the partner pays its customer back, so the e-mail has no
  // refund.
  const refund = booking.sale && BigInt(booking.refundMinor ?? 0) > 0n ? refundView(booking) : null
  const money = (price: Price) => new ShownValue(`${price.Amount} ${price.Currency}`, t.money(price))
  const sum = (minor: bigint) => money(toMoney(minor, booking.currency))
  const day = (date: string) => new ShownValue(date, t.date(date))
  const clock = (time: string) => new ShownValue(time, t.time(time))
  const instant = (at: Date, local: string) => new ShownValue(withOffset(at, local), t.dateTime(local))
  const { movedFrom, partyBefore, sale } = booking
  return {
    account: { name: accountName },
    product: {
      name: booking.productName,
      duration: t.duration(booking.durationMinutes),
      duration_minutes: booking.durationMinutes,
    },
    booking: {
      reference: booking.reference,
      participants: booking.participants,
      units: partyWords(bought, t.people),
      total: money(bought.Total),
      refund: refund ? money(refund) : '',
      all_day: booking.openingHours !== null,
      opening_hours: booking.openingHours ? t.hours(booking.openingHours) : '',
      tickets_url: ticketsLink,
    },
    sale: {
      paid: sale ? sum(sale.paidMinor) : '',
      to_pay: sale?.owedMinor ? sum(sale.owedMinor) : '',
      to_pay_back: sale?.dueMinor ? sum(sale.dueMinor) : '',
      bookings: sale?.bookings ?? 0,
    },
    customer: {
      first_name: booking.firstName ?? '',
      last_name: booking.lastName ?? '',
      email: booking.email ?? '',
      phone: booking.phone ?? '',
    },
    when: whenOf(t, booking),
    date: day(booking.date),
    time: clock(booking.time),
    starts_at: instant(booking.startsAt, booking.localStart),
    ends_at: instant(booking.endsAt, booking.localEnd),
    time_zone: booking.timeZone,
    moved_from: {
      date: movedFrom ? day(movedFrom.date) : '',
      time: movedFrom ? clock(movedFrom.time) : '',
      when: movedFrom ? whenOf(t, movedFrom) : '',
      product: movedFrom?.productName ?? '',
    },
    party_before: {
      participants: partyBefore?.Participants ?? '',
      units: partyBefore ? partyWords(partyBefore, t.people) : '',
    },
  }
}

type StartFacts = Pick<BookingFacts, 'date' | 'time' | 'openingHours'>

function whenOf(t: Texts, { date, time, openingHours }: StartFacts): string {
  if (openingHours) return `${t.date(date)}, ${t.say('when.open', { hours: t.hours(openingHours) })}`
  return t.say('when.at', { date: t.date(date), time: t.time(time) })
}

/** The locale, and the words for true and false, that templates in this language use. */
export function valueWordsOf(t: Texts): ValueWords {
  return { locale: t.locale, yes: t.say('when.yes'), no: t.say('when.no') }
}

/** @throws TemplateError if the subject or the body cannot be rendered. */
export function renderWords(template: Template, addressed: TemplateContext): Words {
  const values = variablesOf(addressed)
  const { t, ticketsLink } = addressed
  const written = valueWordsOf(t)
  const words = {
    subject: renderLiquid(template.subject, values, written),
    text: renderLiquid(template.body, values, written),
  }
  if (!ticketsLink) return words
  return { ...words, action: { url: ticketsLink, label: t.say('email.tickets.button') } }
}
