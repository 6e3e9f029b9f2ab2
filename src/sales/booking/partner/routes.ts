/**
 * The partners' routes for their own bookings: list, read and cancel. ../routes.ts has the route that books.
 */

import { idempotent, sendOnce } from '../../../http/idempotent-request.ts'
import { problemResponses, reading, readingOne, writingOnce } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../../http/wire.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { Type } from '../../../platform/schema/typebox.ts'
import { referencePathSchema } from '../desk/schemas.ts'
import { linkHeader, ownBookingSchema, ownListQuerySchema } from './schemas.ts'
import { cancelOwnBooking, listOwnBookings, readOwnBooking } from './service.ts'

export const ownBookingRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.get(
    '/marketplace/booking',
    {
      schema: {
        operationId: 'listOwnBookings',
        tags: ['Bookings'],
        summary: 'Find bookings by payment, or follow what changes',
        description:
          'With `PaymentReference`: the bookings of that payment, newest first. Otherwise: each booking once, in its current state, in the order of the latest changes. Start with `UpdatedSince`, and continue with `Link: rel="next"`, which every response has. Keep that address: when a page is empty, request it again later to get the changes since then. A booking that changes again is listed again; none is missed.',
        querystring: ownListQuerySchema,
        response: {
          200: { ...envelope(Type.Array(ownBookingSchema)), headers: linkHeader },
          ...problemResponses(...reading),
        },
      },
    },
    async (request, reply) => {
      const { bookings, next } = await listOwnBookings(sql, request.caller, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: bookings }
    },
  )

  app.get(
    '/marketplace/booking/:BookingReference',
    {
      schema: {
        operationId: 'readOwnBooking',
        tags: ['Bookings'],
        summary: 'Read a booking',
        description: 'Returns the booking as it is now. A partner sees only the bookings that it has made.',
        params: referencePathSchema,
        response: {
          200: envelope(ownBookingSchema),
          ...problemResponses(...readingOne, 'not-found'),
        },
      },
    },
    async (request) => ({ data: await readOwnBooking(sql, request.caller, request.params.BookingReference) }),
  )

  app.post(
    '/marketplace/booking/:BookingReference/cancel',
    {
      schema: {
        operationId: 'cancelOwnBooking',
        tags: ['Bookings'],
        summary: 'Cancel a booking',
        description:
          'The places of the booking have been freed when 200 is sent; the waitlist gets them first. A booking that is already cancelled is returned unchanged. After the product’s cutoff, the response is 409: only the operator can then cancel.',
        params: referencePathSchema,
        headers: idempotencyHeaders,
        response: {
          200: envelope(ownBookingSchema),
          ...problemResponses(...writingOnce, 'not-found', 'booking-not-changeable', 'cutoff-passed'),
        },
      },
    },
    async (request, reply) => {
      const { BookingReference: reference } = request.params
      const once = idempotent(request, 'partner-booking.cancel')
      return sendOnce(reply, 200, await cancelOwnBooking(sql, once, request.caller, reference))
    },
  )
}
