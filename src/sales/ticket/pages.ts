/**
 * The pages behind the link to a customer's tickets: the present codes, for a phone or to print, and the booking as a
 * calendar file. Opening them changes nothing.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { writeCalendar } from '../../platform/text/icalendar.ts'
import { findCutoff } from '../booking/changes/queries.ts'
import { findBooking } from '../booking/desk/queries.ts'
import {
  type Reader,
  readerOf,
  sendCustomerPage,
  sendInvalidLink,
} from '../business-details/customer-page.ts'
import { listRefundTerms } from '../ledger/refund-queries.ts'
import { refundSentences } from '../ledger/refund-words.ts'
import { owedOf, readLedger } from '../ledger/service.ts'
import { ticketCalendar } from './calendar.ts'
import { sheetView, type TicketMoney } from './customer-view.ts'
import { readTicketsLink } from './links.ts'
import { readTicketSheet, sheetIn, type TicketSheet } from './sheet.ts'

type TicketPageOptions = { sql: Sql; secrets: readonly string[]; publicUrl: string }
type TicketParams = { Params: { Token: string } }

export const customerTicketPages: Routes<TicketPageOptions> = (app, { sql, secrets, publicUrl }) => {
  app.get<TicketParams>('/tickets/:Token', { schema: { hide: true } }, async (request, reply) => {
    const found = await findSheet(request)
    if (!found) return sendInvalidLink(request, reply)
    const { accountId, reader, sheet, path } = found
    const money = await readMoney(sql, accountId, { reader, sheet })
    const body = sheetView(reader, { sheet, money, path })
    const { seller, booking } = sheet
    return sendCustomerPage(reply, { title: booking.ProductName, body, reader, seller, path })
  })

  app.get<TicketParams>(
    '/tickets/:Token/calendar.ics',
    { schema: { hide: true } },
    async (request, reply) => {
      const found = await findSheet(request)
      if (!found) return sendInvalidLink(request, reply)
      const { accountId, reader, sheet, path } = found
      // Only a confirmed or a cancelled booking has a calendar file.
      if (sheet.booking.Status !== 'confirmed' && sheet.booking.Status !== 'cancelled')
        return sendInvalidLink(request, reply)
      const calendar = ticketCalendar(reader.t, accountId, sheet, `${publicUrl}${path}${reader.query}`)
      // With `inline`, a phone offers to add the entry to its calendar instead of saving a file.
      const disposition = `inline; filename="${sheet.booking.BookingReference}.ics"`
      reply.headers({
        'content-disposition': disposition,
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      })
      return reply.type('text/calendar; charset=utf-8').send(writeCalendar(calendar, new Date()))
    },
  )

  /**
   * The ticket sheet that the link opens, in the language of its reader; null for an invalid link or a deleted booking.
   */
  async function findSheet(request: FastifyRequest<TicketParams>) {
    const { Token: token } = request.params
    const link = readTicketsLink(secrets, token)
    const own = link && (await readTicketSheet(sql, link.accountId, link.reference).catch(nullIfGone))
    if (!own) return null
    const { accountId } = link
    const reader = readerOf(request, own.seller.locale)
    const sheet = await sheetIn(sql, accountId, reader.t, own)
    return { accountId, reader, sheet, path: `/tickets/${token}` }
  }
}

/** Ignores a missing booking: old test bookings are deleted. */
function nullIfGone(error: unknown): null {
  if (error instanceof Problem && error.slug === 'not-found') return null
  throw error
}

const noMoney: TicketMoney = { refund: [], owed: null, terms: null, cancelBy: null }

/** The money of a booking. A partner’s booking is paid to the partner, on the partner’s terms. */
async function readMoney(
  sql: Sql,
  accountId: number,
  { reader: { t }, sheet: { booking, seller } }: { reader: Reader; sheet: TicketSheet },
): Promise<TicketMoney> {
  if (booking.Channel === 'partner') return noMoney
  const found = await findBooking(sql, accountId, booking.BookingReference)
  const ledger = found && (await readLedger(sql, accountId, [found.basketId])).get(found.basketId)
  if (!ledger) return noMoney
  if (booking.Status === 'cancelled') {
    const own = ledger.refunds.filter(({ bookingId }) => bookingId === found.id)
    return { ...noMoney, refund: refundSentences({ t, seller }, ledger, own) }
  }
  if (booking.Status !== 'confirmed') return noMoney
  const [terms = null] = await listRefundTerms(sql, accountId, [found.id])
  const { cancelBy } = await findCutoff(sql, accountId, found.timeslotId)
  return { ...noMoney, owed: owedOf(ledger), terms, cancelBy }
}
