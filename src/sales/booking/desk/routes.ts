/** The operator's routes that read bookings: the list, and one booking. */

import { problemResponses, reading, readingOne } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, linkNext } from '../../../http/wire.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { Type } from '../../../platform/schema/typebox.ts'
import { listQuerySchema } from './list-query.ts'
import { detailSchema, recordSchema, referencePathSchema } from './schemas.ts'
import { browseBookings, readBooking } from './service.ts'

export const deskRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.get(
    '/bookings',
    {
      schema: {
        operationId: 'listBookings',
        tags: ['Operator: bookings'],
        summary: 'List bookings',
        description:
          'The newest first, each as it is now. Bookings that are made meanwhile do not shift the following pages. Every given filter narrows the list. `Link: rel="next"` leads to the next page.',
        querystring: listQuerySchema,
        response: {
          200: envelope(Type.Array(recordSchema)),
          ...problemResponses(...reading),
        },
      },
    },
    async (request, reply) => {
      const { bookings, next } = await browseBookings(sql, request.caller, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: bookings }
    },
  )

  app.get(
    '/bookings/:BookingReference',
    {
      schema: {
        operationId: 'readBooking',
        tags: ['Operator: bookings'],
        summary: 'Read a booking with its history',
        description: 'All that happened to the booking, by whom and when, and the e-mails about it.',
        params: referencePathSchema,
        response: {
          200: envelope(detailSchema),
          ...problemResponses(...readingOne, 'not-found'),
        },
      },
    },
    async (request) => {
      return { data: await readBooking(sql, request.caller.accountId, request.params.BookingReference) }
    },
  )
}
