/**
 * What a customer sees who follows the link of their tickets: the codes, as they are now, to show from the screen of a
 * phone or to print. Looking changes nothing.
 */
import { hoursText, toPeriods } from '../../catalogue/opening-hours.ts'
import { html, type Markup, sendPage } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import { qrCode } from '../../http/qr-code.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { fullName } from '../../platform/text/full-name.ts'
import { longDate } from '../../platform/text/local-time.ts'
import { partyWords } from '../booking/bought-view.ts'
import { sellerFooter } from '../business-details/model.ts'
import { readTicketsLink } from './links.ts'
import { codeTitle, readTicketSheet, type SheetCode, type TicketSheet } from './sheet.ts'

export const customerTicketPages: Routes<{ sql: Sql; secrets: readonly string[] }> = (
  app,
  { sql, secrets },
) => {
  app.get<{ Params: { Token: string } }>(
    '/tickets/:Token',
    { schema: { hide: true } },
    async ({ params }, reply) => {
      const link = readTicketsLink(secrets, params.Token)
      const sheet = link && (await readTicketSheet(sql, link.accountId, link.reference).catch(nullIfGone))
      if (sheet) return sendPage(reply, 200, sheet.booking.ProductName, sheetView(sheet, params.Token))
      const body = html`<p>Please use the complete link from your e-mail.</p>`
      return sendPage(reply, 404, 'This link is not valid', body)
    },
  )
}

/** A test booking is deleted some day. */
function nullIfGone(error: unknown): null {
  if (error instanceof Problem && error.slug === 'not-found') return null
  throw error
}

function sheetView({ booking, codes, seller, description }: TicketSheet, token: string): Markup {
  const { Date: date, Time: time, OpeningHours, Customer, Status } = booking
  const hours = toPeriods(OpeningHours)
  const when = hours ? `open ${hoursText(hours)}` : `at ${time}`
  const who = fullName(Customer.FirstName, Customer.LastName)
  return html`${booking.TestMode ? html`<p><strong>A test booking: it admits nobody.</strong></p>` : ''}
<p><strong>${longDate(date)}, ${when}</strong><br>${partyWords(booking)}${who ? html`<br>${who}` : ''}<br>
Reference <strong>${booking.BookingReference}</strong>, booked with ${seller.name}</p>
${standing(Status)}
${codes.map((code, index) => codeView(code, index, codes.length))}
${booking.Channel === 'partner' ? '' : html`<p><a href="/tickets/${token}/receipt">Your receipt</a>: what you paid, and what is still to be paid.</p>`}
${description ? html`<h2>About it</h2>\n${description.split(/\n{2,}/).map((part) => html`<p>${part}</p>\n`)}` : ''}
${sellerFooter(seller)}`
}

function standing(status: string): Markup {
  if (status === 'confirmed') return html`<p>Show this at the start, on your phone or on paper.</p>`
  if (status === 'cancelled') return html`<p>This booking is cancelled: there are no tickets.</p>`
  return html`<p>This booking is not confirmed: there are no tickets yet.</p>`
}

function codeView(code: SheetCode, index: number, count: number): Markup {
  const title = codeTitle(code, index, count)
  const { FirstName, LastName } = code.ticket?.Contact ?? {}
  const who = fullName(FirstName, LastName)
  const isUsed = code.ticket?.Status === 'redeemed'
  return html`<section><h2>${title}</h2>
${who ? html`<p>${who}</p>` : ''}${isUsed ? html`<p>Used already.</p>` : ''}
${qrCode(code.code, `QR code: ${title}`)}
${code.ticket ? html`<p><code>${code.code}</code></p>` : ''}</section>`
}
