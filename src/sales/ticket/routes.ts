/** The operator's routes for tickets. */

import { keyActor } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, readingOne, writing, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { referencePathSchema } from '../booking/desk/schemas.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

const tags = ['Operator: bookings']

export const ticketRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post(
    '/bookings/:BookingReference/tickets',
    {
      schema: {
        operationId: 'makeTickets',
        tags,
        summary: 'Make the tickets of a booking',
        description:
          'One for each unit of a confirmed booking, in the order of its units; one for each person where the product has no units. If the booking already has tickets, the response contains those. Later changes of the booking change them: an amendment adds tickets or voids tickets that are not redeemed, the last ones first, unless its `Leaving` names others; a move keeps them but undoes their redemption; a cancellation voids them.',
        params: referencePathSchema,
        response: {
          200: envelope(Type.Array(schemas.ticketSchema)),
          ...problemResponses(...writing, 'not-found', 'booking-not-changeable'),
        },
      },
    },
    async ({ caller, params }) => {
      const subject = {
        accountId: caller.accountId,
        reference: params.BookingReference,
        actor: keyActor(caller),
      }
      return { data: await service.makeTickets(sql, subject) }
    },
  )

  app.get(
    '/bookings/:BookingReference/tickets',
    {
      schema: {
        operationId: 'listTickets',
        tags,
        summary: 'List the tickets of a booking',
        description: 'Includes void tickets. Empty until tickets are made.',
        params: referencePathSchema,
        response: {
          200: envelope(Type.Array(schemas.ticketSchema)),
          ...problemResponses(...readingOne, 'not-found', 'validation'),
        },
      },
    },
    async ({ caller, params }) => {
      const { accountId } = caller
      return { data: await service.listTickets(sql, { accountId, reference: params.BookingReference }) }
    },
  )

  app.patch(
    '/bookings/:BookingReference/tickets/:TicketID',
    {
      schema: {
        operationId: 'changeTicket',
        tags,
        summary: 'Change whom a ticket is for',
        description:
          'Only the given fields change. The history of the booking stores the names of the changed fields, not their values.',
        params: schemas.bookingTicketPathSchema,
        body: schemas.ticketRequestSchema,
        response: {
          200: envelope(schemas.ticketSchema),
          ...problemResponses(
            ...writing,
            'not-found',
            'ticket-void',
            'booking-not-changeable',
            'customer-erased',
          ),
        },
      },
    },
    async ({ caller, params, body }) => {
      const { BookingReference: reference, TicketID: ticketId } = params
      const subject = { accountId: caller.accountId, reference, actor: keyActor(caller) }
      return { data: await service.describeTicket(sql, subject, { ticketId, request: body }) }
    },
  )

  const redemption = {
    tags,
    params: schemas.ticketPathSchema,
    headers: idempotencyHeaders,
  }
  const refusals = ['not-found', 'ticket-void', 'booking-not-changeable'] as const

  app.post(
    '/tickets/:TicketID/redeem',
    {
      schema: {
        operationId: 'redeemTicket',
        summary: 'Redeem a ticket',
        description:
          'Adds the people of the ticket to those of the party who are checked in. The first redeemed ticket of a booking checks the party in. A second redemption is refused, and `RedeemedAt` says when the first was. Send an `Idempotency-Key` for each scan: a retry with the same key, after a lost response, gets the first response.',
        ...redemption,
        response: {
          200: envelope(schemas.ticketSchema),
          ...problemResponses(...writingOnce, ...refusals, 'ticket-redeemed'),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const subject = { accountId: caller.accountId, ticketId: params.TicketID, actor: keyActor(caller) }
      return sendOnce(reply, 200, await service.redeem(sql, idempotent(request, 'ticket.redeem'), subject))
    },
  )

  app.post(
    '/tickets/:TicketID/undo-redeem',
    {
      schema: {
        operationId: 'undoRedemption',
        summary: 'Undo the redemption of a ticket',
        description:
          'The people of the ticket are no longer checked in; if nobody else of the party is, the booking is no longer checked in. A ticket that is not redeemed stays as it is.',
        ...redemption,
        response: {
          200: envelope(schemas.ticketSchema),
          ...problemResponses(...writingOnce, ...refusals),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const subject = { accountId: caller.accountId, ticketId: params.TicketID, actor: keyActor(caller) }
      const once = idempotent(request, 'ticket.undo-redeem')
      return sendOnce(reply, 200, await service.undoRedemption(sql, once, subject))
    },
  )
}
