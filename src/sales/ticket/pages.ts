/**
 * What a customer sees who follows the link of their tickets: the codes, as they are now, to show from the screen of a
 * phone or to print. Looking changes nothing.
 */
import { html, type Markup } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import { qrCode } from '../../http/qr-code.ts'
import type { Routes } from '../../http/routes.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { fullName } from '../../platform/text/full-name.ts'
import { partyWords } from '../booking/bought-view.ts'
import { findBooking } from '../booking/desk/queries.ts'
import { startWords } from '../booking/start-words.ts'
import {
  type Reader,
  readerOf,
  sendCustomerPage,
  sendInvalidLink,
} from '../business-details/customer-page.ts'
import { sellerFooter } from '../business-details/model.ts'
import { refundSentences } from '../ledger/refund-words.ts'
import { readLedger } from '../ledger/service.ts'
import { readTicketsLink } from './links.ts'
import { codeTitle, readTicketSheet, type SheetCode, sheetIn, type TicketSheet } from './sheet.ts'

export const customerTicketPages: Routes<{ sql: Sql; secrets: readonly string[] }> = (
  app,
  { sql, secrets },
) => {
  app.get<{ Params: { Token: string } }>(
    '/tickets/:Token',
    { schema: { hide: true } },
    async (request, reply) => {
      const link = readTicketsLink(secrets, request.params.Token)
      const own = link && (await readTicketSheet(sql, link.accountId, link.reference).catch(nullIfGone))
      if (!own) return sendInvalidLink(request, reply)
      const { seller } = own
      const reader = readerOf(request, seller.locale)
      const sheet = await sheetIn(sql, link.accountId, reader.t, own)
      const path = `/tickets/${request.params.Token}`
      const refund = await readRefund(sql, link.accountId, { reader, sheet })
      const body = sheetView(reader, { sheet, refund, path })
      return sendCustomerPage(reply, { title: sheet.booking.ProductName, body, reader, seller, path })
    },
  )
}

/** A test booking is deleted some day. */
function nullIfGone(error: unknown): null {
  if (error instanceof Problem && error.slug === 'not-found') return null
  throw error
}

/** What is paid back of a cancelled booking, in sentences. A partner’s booking is paid to the partner. */
async function readRefund(
  sql: Sql,
  accountId: number,
  { reader: { t }, sheet: { booking, seller } }: { reader: Reader; sheet: TicketSheet },
): Promise<string[]> {
  if (booking.Status !== 'cancelled' || booking.Channel === 'partner') return []
  const found = await findBooking(sql, accountId, booking.BookingReference)
  const ledger = found && (await readLedger(sql, accountId, [found.basketId])).get(found.basketId)
  if (!ledger) return []
  const own = ledger.refunds.filter(({ bookingId }) => bookingId === found.id)
  return refundSentences({ t, seller }, ledger, own)
}

type ShownSheet = { sheet: TicketSheet; refund: readonly string[]; path: string }

function sheetView({ t, query }: Reader, { sheet, refund, path }: ShownSheet): Markup {
  const { booking, codes, seller, description, durationMinutes } = sheet
  const { BookingReference: reference, Customer, Status, OpeningHours = [] } = booking
  const when = t.say('ticket.when', { date: t.date(booking.Date), when: startWords(t, booking) })
  const who = fullName(Customer.FirstName, Customer.LastName)
  const duration = t.say('ticket.duration', { duration: t.duration(durationMinutes) })
  const link = (words: Markup) => html`<a href="${path}/receipt${query}">${words}</a>`
  return html`${booking.TestMode ? html`<p>${markupOf(t, 'ticket.test')}</p>` : ''}
<p><strong>${when}</strong><br>${partyWords(booking, t.people)}${who ? html`<br>${who}` : ''}<br>
${markupOf(t, 'ticket.booked-with', { reference, seller: seller.name })}</p>
${OpeningHours.length === 0 ? html`<p>${duration}</p>` : ''}
<p>${standing(t, Status)}</p>
${refund.map((sentence) => html`<p>${sentence}</p>\n`)}
${codes.map((code, index) => codeView(t, code, index, codes.length))}
${booking.Channel === 'partner' ? '' : html`<p>${markupOf(t, 'ticket.receipt', { link })}</p>`}
${description ? html`<h2>${t.say('ticket.about')}</h2>\n${description.split(/\n{2,}/).map((part) => html`<p>${part}</p>\n`)}` : ''}
${sellerFooter(seller)}`
}

function standing(t: Texts, status: string): string {
  if (status === 'confirmed') return t.say('ticket.show')
  return t.say(status === 'cancelled' ? 'ticket.cancelled' : 'ticket.unconfirmed')
}

function codeView(t: Texts, code: SheetCode, index: number, count: number): Markup {
  const title = codeTitle(t, code, index, count)
  const { FirstName, LastName } = code.ticket?.Contact ?? {}
  const who = fullName(FirstName, LastName)
  const isUsed = code.ticket?.Status === 'redeemed'
  return html`<section><h2>${title}</h2>
${who ? html`<p>${who}</p>` : ''}${isUsed ? html`<p>${t.say('ticket.used')}</p>` : ''}
${qrCode(code.code, t.say('ticket.code', { title }))}
${code.ticket ? html`<p><code>${code.code}</code></p>` : ''}</section>`
}
