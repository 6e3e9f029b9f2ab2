/** Notes on the operator's bookings. */
import { keyActor } from '../../events/actor.ts'
import { problemResponses, writing } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { recordSchema, referencePathSchema } from '../booking/desk/schemas.ts'
import { getBooking } from '../booking/desk/service.ts'
import { noteRequestSchema } from './schemas.ts'
import { writeNote } from './service.ts'

export const noteRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.put(
    '/bookings/:BookingReference/internal-notes',
    {
      schema: {
        operationId: 'writeInternalNotes',
        tags: ['Operator: bookings'],
        summary: 'Replace the internal notes on a booking',
        description:
          'Only the operator’s users and API keys can read the notes. The notes can be written in any status of the booking. They are replaced as a whole; null removes them. Partners, customers and webhooks never receive them.',
        params: referencePathSchema,
        body: noteRequestSchema,
        response: {
          200: envelope(recordSchema),
          ...problemResponses(...writing, 'not-found', 'customer-erased'),
        },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const reference = request.params.BookingReference
      const subject = { accountId, reference, actor: keyActor(request.caller) }
      const data = await runAgain(sql, async (tx) => {
        await writeNote(tx, subject, { note: request.body.InternalNotes })
        return getBooking(tx, accountId, reference)
      })
      return { data }
    },
  )
}
