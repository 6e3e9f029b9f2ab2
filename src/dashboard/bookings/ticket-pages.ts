/**
 * The forms on the page of a booking that make its tickets, redeem a ticket and undo a redemption. Also the
 * page with the tickets to print.
 */
import type { FastifyRequest } from 'fastify'
import { Problem, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { bookingTicketPathSchema } from '../../sales/ticket/schemas.ts'
import * as tickets from '../../sales/ticket/service.ts'
import { readTicketSheet } from '../../sales/ticket/sheet.ts'
import { onceOf } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { subjectOf } from '../parts/subject.ts'
import { changeAndShow } from './detail-pages.ts'
import { ticketSheet } from './print-views.ts'

type AboutTicket = FastifyRequest<{ Params: { BookingReference: string; TicketID: string } }>

export const ticketPages: Routes<EmailPreviewOptions> = (app, options) => {
  const { sql } = options
  const [path, params] = ['/bookings/:BookingReference/tickets', bookingTicketPathSchema]

  app.get(
    `${path}/print`,
    { schema: { hide: true, params: referencePathSchema } },
    async (request, reply) => {
      const { accountId, reference } = subjectOf(request)
      const sheet = await readTicketSheet(sql, accountId, reference)
      const t = textsFor(request)
      const body = ticketSheet(t, sheet)
      const title = t.say('tickets.title-of', { reference })
      return sendDashboard(reply, request.session, { title, body, assets: ['tickets.css'] })
    },
  )

  app.post(path, { schema: { hide: true, params: referencePathSchema } }, (request, reply) =>
    changeAndShow(options, request, reply, 'tickets', async () => {
      await tickets.makeTickets(sql, subjectOf(request))
      return 'tickets-made'
    }),
  )

  app.post(`${path}/:TicketID/redeem`, { schema: { hide: true, params } }, (request, reply) =>
    changeAndShow(options, request, reply, 'tickets', async () => {
      const ticket = await readTicket(sql, request)
      const once = onceOf(request, 'ticket.redeem')
      await tickets.redeem(sql, once, ticket).catch((error) => throwForPeople(error, request))
      return 'ticket-redeemed'
    }),
  )

  app.post(`${path}/:TicketID/undo-redeem`, { schema: { hide: true, params } }, (request, reply) =>
    changeAndShow(options, request, reply, 'tickets', async () => {
      const ticket = await readTicket(sql, request)
      const once = onceOf(request, 'ticket.undo-redeem')
      await tickets.undoRedemption(sql, once, ticket).catch((error) => throwForPeople(error, request))
      return 'redemption-undone'
    }),
  )
}

/**
 * The ticket in the path, with its booking.
 * @throws Problem not-found unless the booking has this ticket.
 */
async function readTicket(sql: Sql, request: AboutTicket) {
  const subject = subjectOf(request)
  const ticketId = request.params.TicketID
  const ofBooking = await tickets.listTickets(sql, subject)
  if (ofBooking.every(({ TicketID }) => TicketID !== ticketId)) throw problems.ticketNotFound()
  return { ...subject, ticketId }
}

/**
 * Throws the error. If the ticket is redeemed or void, the message has the time in the account's time zone
 * and in the user's language.
 */
function throwForPeople(error: unknown, request: AboutTicket): never {
  const at = (time: unknown) => textsFor(request).moment(String(time), request.session.user.timeZone)
  if (error instanceof Problem && error.slug === 'ticket-redeemed')
    throw new Problem(error.slug, `The ticket was already redeemed: ${at(error.extensions.RedeemedAt)}.`)
  if (error instanceof Problem && error.slug === 'ticket-void')
    throw new Problem(error.slug, `The ticket has been void since ${at(error.extensions.VoidedAt)}.`)
  throw error
}
