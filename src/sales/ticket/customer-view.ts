/** The page of a customer's tickets. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { qrCode } from '../../http/qr-code.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { RefundStep } from '../../inventory/refund-terms.ts'
import type { Texts } from '../../languages/texts.ts'
import { fullName } from '../../platform/text/full-name.ts'
import { partyWords } from '../booking/bought-view.ts'
import { startWords } from '../booking/start-words.ts'
import { askLinks } from '../business-details/contact-links.ts'
import type { Reader } from '../business-details/customer-page.ts'
import { sellerFooter } from '../business-details/model.ts'
import type { OwedOfSale } from '../ledger/service.ts'
import { codeTitle, type SheetCode, type TicketSheet } from './sheet.ts'

export type TicketMoney = {
  /** Sentences about the refund of a cancelled booking. */
  refund: readonly string[]
  /** The balance of the sale if it is above 0; otherwise null. */
  owed: OwedOfSale | null
  /** The refund terms of the booking, and the milliseconds until its start; null without terms. */
  terms: { steps: readonly RefundStep[]; msBefore: number } | null
  /**
   * The time until which the booking can be cancelled: at the latest, its start. Null for a partner's
   * booking, and for a booking that is not confirmed.
   */
  cancelBy: Date | null
}

type ShownSheet = { sheet: TicketSheet; money: TicketMoney; path: string }

export function sheetView(reader: Reader, shown: ShownSheet): Markup {
  const { t, query } = reader
  const { sheet, money, path } = shown
  const { booking, codes, seller, description } = sheet
  const link = (words: Markup) => html`<a href="${path}/receipt${query}">${words}</a>`
  return html`${booking.TestMode ? html`<p>${markupOf(t, 'ticket.test')}</p>` : ''}
${owedBanner(reader, shown)}
<div class="sheet"><div class="facts">${factsOf(reader, shown)}</div>
<div class="codes"><p>${statusText(t, booking.Status)}</p>
${money.refund.map((sentence) => html`<p>${sentence}</p>\n`)}
${codes.map((code, index) => codeView(t, booking.BookingReference, { code, index, count: codes.length }))}</div>
<div class="more">${booking.Channel === 'partner' ? '' : html`<p>${markupOf(t, 'ticket.receipt', { link })}</p>`}
${termsView(t, shown)}
${description ? html`<h2>${t.say('ticket.about')}</h2>\n${description.split(/\n{2,}/).map((part) => html`<p>${part}</p>\n`)}` : ''}</div></div>
${sellerFooter(seller)}`
}

function factsOf({ t, query }: Reader, { sheet, path }: ShownSheet): Markup {
  const { booking, seller, durationMinutes } = sheet
  const { BookingReference: reference, Customer, OpeningHours = [], Status } = booking
  const when = t.say('ticket.when', { date: t.date(booking.Date), when: startWords(t, booking) })
  const who = fullName(Customer.FirstName, Customer.LastName)
  const duration = t.say('ticket.duration', { duration: t.duration(durationMinutes) })
  const contact = askLinks(seller)
  const calendar = html`<p><a class="button quiet" href="${path}/calendar.ics${query}">${t.say('ticket.calendar')}</a></p>`
  return html`<p><strong>${when}</strong><br>${partyWords(booking, t.people)}${who ? html`<br>${who}` : ''}<br>
${markupOf(t, 'ticket.booked-with', { reference, seller: seller.name })}</p>
${OpeningHours.length === 0 ? html`<p>${duration}</p>` : ''}
${Status === 'confirmed' ? calendar : ''}
${contact ? html`<p>${markupOf(t, 'ticket.contact', { contact })}</p>` : ''}`
}

/** A banner with the balance of the sale. It links to the receipt, which says how to pay. */
function owedBanner({ t, query }: Reader, { money: { owed }, path }: ShownSheet): Markup {
  if (!owed) return html``
  const { amount, activeBookings: count } = owed
  const key = count > 1 ? 'ticket.owed.together' : 'ticket.owed'
  return html`<p class="banner">${markupOf(t, key, { amount: t.money(amount), count })}
<a href="${path}/receipt${query}">${t.say('ticket.owed.how')}</a></p>`
}

const hourMs = 3_600_000

/**
 * The refunds that the terms promise for a cancellation from now on. Empty after the start, for a booking
 * with the price 0, and while the sale owes money. In the last case, the terms decide how much the operator
 * keeps, not how much is paid back.
 */
function termsView(t: Texts, { sheet, money: { terms, cancelBy, owed } }: ShownSheet): Markup {
  const { startsAt, timeZone, booking } = sheet
  if (!terms || owed || terms.msBefore < 0 || Number(booking.Total?.Amount) === 0) return html``
  const untilOf = (hoursBefore: number) =>
    new Date(
      Math.min(startsAt.getTime() - hoursBefore * hourMs, cancelBy?.getTime() ?? Number.POSITIVE_INFINITY),
    )
  const now = startsAt.getTime() - terms.msBefore
  const steps = terms.steps.filter(
    ({ hoursBefore, basisPoints }, index, { [index - 1]: before }) =>
      basisPoints > 0 &&
      untilOf(hoursBefore).getTime() >= now &&
      // A smaller percentage whose period would end at the same time as that of the larger one is never paid.
      untilOf(hoursBefore).getTime() !== (before && untilOf(before.hoursBefore).getTime()),
  )
  const sentences = steps.map(({ hoursBefore, basisPoints }) => {
    const until = t.instant(untilOf(hoursBefore), timeZone)
    return t.say('ticket.terms.until', { until, percent: `${t.number(basisPoints / 100)} %` })
  })
  const last = t.say(steps.length > 0 ? 'ticket.terms.later' : 'ticket.terms.none')
  return html`<h2>${t.say('ticket.terms')}</h2>
<ul>${[...sentences, last].map((sentence) => html`<li>${sentence}</li>`)}</ul>`
}

function statusText(t: Texts, status: string): string {
  if (status === 'confirmed') return t.say('ticket.show')
  return t.say(status === 'cancelled' ? 'ticket.cancelled' : 'ticket.unconfirmed')
}

/** The label of a ticket is for people, who cannot read out the ID in its code. */
function codeView(
  t: Texts,
  reference: string,
  { code: shown, index, count }: { code: SheetCode; index: number; count: number },
): Markup {
  const { code, ticket } = shown
  const title = codeTitle(t, shown, index, count)
  const who = fullName(ticket?.Contact?.FirstName, ticket?.Contact?.LastName)
  const isUsed = ticket?.Status === 'redeemed'
  return html`<section${isUsed ? html` class="used"` : ''}><h2>${title}</h2>
${who ? html`<p>${who}</p>` : ''}${isUsed ? html`<p>${t.say('ticket.used')}</p>` : ''}
${qrCode(code, t.say('ticket.code', { title }))}
${ticket ? html`<p>${t.say('ticket.label', { reference, index: index + 1, count })}</p>` : ''}</section>`
}
