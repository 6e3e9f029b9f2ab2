/** The partners' route that books places. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isTestAccount } from '../../accounts/model.ts'
import { problemResponses, writingOnce } from '../../http/openapi.ts'
import { isAwaited } from '../../http/respond-within.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../http/wire.ts'
import { bookingRequestSchema, bookingSchema } from './schemas.ts'
import type { BookingService } from './service.ts'

/**
 * Simulates the failure that a test booking requests, before the booking is made.
 * @returns a function to call instead of sending the response, or null.
 * @throws the requested Problem.
 */
export type Simulate = (request: FastifyRequest, reply: FastifyReply) => Promise<(() => FastifyReply) | null>

export const bookingRoutes: Routes<{ bookings: BookingService; simulate: Simulate }> = (
  app,
  { bookings, simulate },
) => {
  app.post(
    '/marketplace/booking',
    {
      config: { takesNoTurn: true },
      schema: {
        operationId: 'createBooking',
        tags: ['Bookings'],
        summary: 'Book places on a timeslot',
        description:
          'The booking is committed when 201 is sent, and capacity is never exceeded. Send an `Idempotency-Key`, so that a retry after a lost response cannot book twice. On 409, offer the customer one of `Alternatives`. With a test key, special values of `Customer.Email` cause each response that your client has to handle: see “Going live”.',
        headers: idempotencyHeaders,
        body: bookingRequestSchema,
        response: {
          201: envelope(bookingSchema),
          ...problemResponses(...writingOnce, 'insufficient-capacity', 'timeslot-unavailable'),
        },
      },
    },
    async (request, reply) => {
      const dropResponse = isTestAccount(request.caller.accountId) && (await simulate(request, reply))
      const { booking, replayed } = await bookings.book({
        caller: request.caller,
        request: request.body,
        idempotencyKey: request.headers['idempotency-key'],
        isAwaited: () => isAwaited(request),
      })
      if (replayed) reply.header('idempotency-replayed', 'true')
      else if (dropResponse) return dropResponse()
      return reply.code(201).send({ data: booking })
    },
  )
}
