/** The printed tickets of a booking. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { qrCode } from '../../http/qr-code.ts'
import { codeTitle, type SheetCode, type TicketSheet } from '../../sales/ticket/sheet.ts'
import type { Formats } from '../frame/formats.ts'
import { emptyState } from '../frame/layout.ts'
import { customerName, whenOf } from '../parts/booking-words.ts'
import { partyText } from '../parts/party-words.ts'
import { printButton } from '../parts/print-button.ts'
import { bookingPath } from '../parts/subject.ts'

export function ticketSheet(formats: Formats, sheet: TicketSheet): Markup {
  const { booking, codes, description } = sheet
  const path = bookingPath(booking.BookingReference)
  const back = html`<p class="no-print"><a href="${path}">Booking ${booking.BookingReference}</a></p>`
  if (codes.length === 0)
    return html`${back}${emptyState('The booking is not confirmed, so it has no tickets.')}`
  const [first] = codes
  return html`${back}
<p class="hint no-print">Print this page, or let people show their e-mail: the link to their tickets is in the confirmation.${
    first?.ticket ? '' : html` For one ticket each, <a href="${path}#tickets">make the tickets</a> first.`
  }</p>
${printButton()}
<ul class="tickets">${codes.map((code, index) => html`<li>${paperTicket(formats, sheet, code, codeTitle(code, index, codes.length))}</li>`)}</ul>
${description ? html`<section aria-labelledby="about"><h2 id="about">About it</h2><p class="lines">${description}</p></section>` : ''}`
}

function paperTicket(
  formats: Formats,
  { booking, seller }: TicketSheet,
  { code, ticket }: SheetCode,
  title: string,
): Markup {
  const who = customerName(ticket?.Contact ?? booking.Customer)
  const party = ticket ? '' : partyText(formats, booking)
  const facts = [whenOf(formats, booking), party, who, seller.name].filter((fact) => fact !== '')
  return html`<article class="ticket">${qrCode(code, `QR code: ${title}`)}
<div><h2>${booking.ProductName}</h2>
<p><strong>${title}</strong></p>
${facts.map((fact) => html`<p>${fact}</p>\n`)}
<p>Reference <strong>${booking.BookingReference}</strong></p>${ticket ? html`<p><code>${code}</code></p>` : ''}${booking.TestMode ? html`<p><strong>Test booking: it admits nobody.</strong></p>` : ''}</div></article>`
}
