/** Saves the internal notes of a booking, from the form on its page. */
import type { Routes } from '../../http/routes.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { noteRequestSchema } from '../../sales/note/schemas.ts'
import { writeNote } from '../../sales/note/service.ts'
import { onceOf } from '../frame/forms.ts'
import type { EmailPreviewOptions } from '../parts/options.ts'
import { subjectOf } from '../parts/subject.ts'
import { changeAndShow } from './detail-pages.ts'

const noteForm = Type.Object({
  ...noteRequestSchema.properties,
  Version: Type.Optional(Type.String()),
})

export const notePages: Routes<EmailPreviewOptions> = (app, options) => {
  app.post(
    '/bookings/:BookingReference/notes',
    { schema: { hide: true, params: referencePathSchema, body: noteForm }, attachValidation: true },
    (request, reply) =>
      changeAndShow(options, request, reply, 'notes', async () => {
        const { InternalNotes: note, Version: seen } = request.body
        await runOnce(options.sql, onceOf(request, 'booking.notes'), async (tx) => {
          await writeNote(tx, subjectOf(request), { note, seen })
          return {}
        })
        return 'saved'
      }),
  )
}
