/** The printed tickets of a booking. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { qrCode } from '../../http/qr-code.ts'
import { markupOf } from '../../http/text-markup.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import { partyWords } from '../../sales/booking/bought-view.ts'
import { startWords } from '../../sales/booking/start-words.ts'
import { sellerLogo } from '../../sales/business-details/customer-page.ts'
import { codeTitle, type SheetCode, type TicketSheet } from '../../sales/ticket/sheet.ts'
import { emptyState } from '../frame/layout.ts'
import { customerName } from '../parts/booking-words.ts'
import { printButton } from '../parts/print-button.ts'
import { bookingPath } from '../parts/subject.ts'

/**
 * The tickets in the language of the account, and hints for staff, which are not printed. If the booking is not
 * confirmed, a sentence replaces the tickets.
 * @param own the texts for staff, in the language of the user.
 */
export function ticketSheet(own: Texts, sheet: TicketSheet): Markup {
  const { booking, codes, description, seller } = sheet
  const t = textsIn(seller.locale)
  const path = bookingPath(booking.BookingReference)
  const back = html`<p class="no-print"><a href="${path}">${own.say('tickets.booking', { reference: booking.BookingReference })}</a></p>`
  if (codes.length === 0) return html`${back}${emptyState(own.say('tickets.unconfirmed'))}`
  const [first] = codes
  return html`${back}
<p class="hint no-print">${own.say('tickets.print-hint')}${
    first?.ticket
      ? ''
      : html` ${markupOf(own, 'tickets.print-each', { make: (words) => html`<a href="${path}#tickets">${words}</a>` })}`
  }</p>
${printButton(own)}
<div lang="${t.locale}"><ul class="tickets">${codes.map((code, index) => html`<li>${paperTicket(t, sheet, code, codeTitle(t, code, index, codes.length))}</li>`)}</ul>
${description ? html`<section aria-labelledby="about"><h2 id="about">${t.say('ticket.about')}</h2><p class="lines">${description}</p></section>` : ''}</div>`
}

function paperTicket(
  t: Texts,
  { booking, seller, durationMinutes }: TicketSheet,
  { code, ticket }: SheetCode,
  title: string,
): Markup {
  const { BookingReference: reference, OpeningHours = [] } = booking
  const who = customerName(ticket?.Contact ?? booking.Customer)
  const party = ticket ? '' : partyWords(booking, t.people)
  const when = t.say('ticket.when', { date: t.date(booking.Date), when: startWords(t, booking) })
  const duration =
    OpeningHours.length > 0 ? '' : t.say('ticket.duration', { duration: t.duration(durationMinutes) })
  const facts = [when, duration, party, who].filter((fact) => fact !== '')
  return html`<article class="ticket">${qrCode(code, t.say('ticket.code', { title }))}
<div>${sellerLogo(seller)}<h2>${booking.ProductName}</h2>
<p><strong>${title}</strong></p>
${facts.map((fact) => html`<p>${fact}</p>\n`)}
<p>${markupOf(t, 'ticket.reference', { reference })}</p>${ticket ? html`<p><code>${code}</code></p>` : ''}${booking.TestMode ? html`<p>${markupOf(t, 'ticket.test')}</p>` : ''}</div></article>`
}
