/** The text of the built-in e-mails, except those with a receipt or about a paused webhook endpoint. Pure. */
import type { Texts } from '../../languages/texts.ts'
import { toMoney } from '../../platform/text/money.ts'
import { boughtView, partyWords } from '../../sales/booking/bought-view.ts'
import { askWords } from '../../sales/business-details/model.ts'
import type { Seller } from '../../sales/business-details/service.ts'
import type { ClosureNotice } from '../../sales/closure/model.ts'
import type { BookingFacts } from './facts.ts'
import type { EmailAction } from './look.ts'

export type Words = {
  subject: string
  text: string
  action?: EmailAction
  /** The paragraphs of `text` that list data of the booking. */
  facts?: string[]
  /**
   * Whether no footer is needed: the text names the sender and the contact itself, or its reader does not need them.
   */
  hasOwnFooter?: true
}

/** The language, the sender, and the booking of an e-mail. The customer of the booking is the recipient. */
export type EmailContext = { t: Texts; accountName: string; booking: BookingFacts }

/** @param ticketsLink the URL of the customer's tickets; empty if no link can be signed. */
export function confirmationWords(letter: EmailContext, ticketsLink: string): Words {
  const { t, booking } = letter
  const { reference, productName: product } = booking
  const facts = [summary(letter), ...saleMoney(letter)]
  const words = {
    subject: t.say('email.confirmation.subject', { reference, product }),
    facts,
    text: textOf(letter, [
      t.say('email.confirmation'),
      ...facts,
      ...(ticketsLink ? [`${t.say('email.tickets')}\n${ticketsLink}`] : []),
    ]),
  }
  if (!ticketsLink) return words
  return { ...words, action: { url: ticketsLink, label: t.say('email.tickets.button') } }
}

export function closureWords(letter: EmailContext, closure: ClosureNotice): Words {
  const { t, booking } = letter
  const { productName: product, reference } = booking
  const [moved, date] = [closure.Action === 'moved', t.date(closure.FromDate)]
  const cause = closure.FromAllDay
    ? t.say('email.closure.closed', { product, date })
    : t.say('email.closure.impossible', {
        product,
        when: t.say('when.at', { date, time: t.time(closure.FromTime) }),
      })
  const about = moved ? summary(letter) : t.say('booking.reference', { reference })
  return {
    facts: [about],
    subject: t.say(moved ? 'email.closure.moved.subject' : 'email.closure.cancelled.subject', {
      product,
      date,
    }),
    text: textOf(letter, [
      t.say(moved ? 'email.closure.moved' : 'email.closure.cancelled', { cause }),
      ...(closure.Message ? [closure.Message] : []),
      ...(moved ? [] : refundOfClosure(letter)),
      about,
    ]),
  }
}

/**
 * Says how much the customer gets back for a booking that a closure cancelled. For a partner's booking, it
 * tells the customer to ask the partner, which was paid and pays back. If nothing is paid back, it says so
 * only if the sale has paid money and no active booking; otherwise it is empty.
 */
function refundOfClosure({ t, booking: { sale, refundMinor, currency } }: EmailContext): string[] {
  if (!sale) return [t.say('email.refund.partner')]
  if (BigInt(refundMinor ?? 0) > 0n)
    return [t.say('email.refund', { amount: t.money(toMoney(BigInt(refundMinor!), currency)) })]
  const isKept = refundMinor === '0' && sale.paidMinor > 0n && sale.bookings === 0
  return isKept ? [t.say('email.refund.none')] : []
}

export function offerWords(
  letter: EmailContext,
  { link, localUntil }: { link: string; localUntil: string },
): Words {
  const { t, booking } = letter
  const { productName: product, timeZone: zone } = booking
  const amount = t.money(boughtView(booking).Total)
  const about = `${summary(letter)}\n${t.say('email.offer.price', { amount })}`
  return {
    facts: [about],
    subject: t.say('email.offer.subject', { product, date: t.date(booking.date) }),
    text: textOf(letter, [
      t.say('email.offer'),
      about,
      `${t.say('email.offer.until', { until: t.dateTime(localUntil), zone })}\n${link}`,
    ]),
    action: { url: link, label: t.say('email.offer.button') },
  }
}

type UnpaidLetter = {
  cause: 'declined' | 'expired'
  /** The link to the offer, and the local time at which the hold ends; null if the places are no longer held. */
  held: { link: string; until: string } | null
  seller: Seller
}

export function unpaidWords(letter: EmailContext, { cause, held, seller }: UnpaidLetter): Words {
  const { t, booking } = letter
  const about = { product: booking.productName, date: t.date(booking.date) }
  const facts = [summary(letter)]
  const opening = [t.say(`email.unpaid.${cause}`), ...facts]
  if (held) {
    const { link, until } = held
    return {
      facts,
      subject: t.say('email.unpaid.subject', about),
      text: textOf(letter, [
        ...opening,
        `${t.say('email.unpaid.until', { until: t.dateTime(until), zone: booking.timeZone })}\n${link}`,
      ]),
      action: { url: link, label: t.say('email.unpaid.button') },
    }
  }
  return {
    facts,
    subject: t.say('email.unpaid.over.subject', about),
    text: textOf(letter, [...opening, `${t.say('email.unpaid.over')} ${askWords(t, seller)}`]),
  }
}

export function testWords(t: Texts, seller: string): Words {
  return {
    subject: t.say('email.test.subject', { seller }),
    text: `${t.say('email.test', { seller })}\n`,
  }
}

/** Appends the unsubscribe link to the text. */
export function withUnsubscribe(t: Texts, text: string, url: string): string {
  return `${text.trimEnd()}\n\n${t.say('email.unsubscribe', { url })}\n`
}

/** Says how much was paid and how much is still to be paid. Empty for a partner's sale, and if both are 0. */
function saleMoney({ t, booking: { sale, currency } }: EmailContext): string[] {
  if (!sale || (sale.paidMinor === 0n && sale.owedMinor === 0n)) return []
  const sum = (minor: bigint) => ({ amount: t.money(toMoney(minor, currency)), count: sale.bookings })
  const isShared = sale.bookings > 1
  const paid = t.say(isShared ? 'email.paid.together' : 'email.paid', sum(sale.paidMinor))
  if (sale.owedMinor === 0n) return [paid]
  return [`${paid}\n${t.say(isShared ? 'email.to-pay.together' : 'email.to-pay', sum(sale.owedMinor))}`]
}

function textOf(letter: EmailContext, paragraphs: string[]): string {
  return `${[greetingOf(letter), ...paragraphs, letter.accountName].join('\n\n')}\n`
}

export function greetingOf({ t, booking: { firstName } }: Pick<EmailContext, 't' | 'booking'>): string {
  return firstName ? t.say('email.greeting', { name: firstName }) : t.say('email.greeting.nobody')
}

function summary(letter: EmailContext): string {
  const { t, booking } = letter
  const { productName, reference } = booking
  return [
    productName,
    whenOf(letter),
    partyWords(boughtView(booking), t.people),
    t.say('booking.reference', { reference }),
  ].join('\n')
}

/** The date and start time of a booking. For an all-day booking: the date and the opening hours. */
function whenOf({ t, booking: { date, time, openingHours, timeZone: zone } }: EmailContext): string {
  const day = t.date(date)
  if (openingHours) return t.say('email.when.open', { date: day, hours: t.hours(openingHours), zone })
  return t.say('email.when', { date: day, time: t.time(time), zone })
}
