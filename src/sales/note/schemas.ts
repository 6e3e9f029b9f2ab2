/** Wire shapes of notes on bookings. */
import { Type } from '../../platform/schema/typebox.ts'

export const noteRequestSchema = Type.Object(
  {
    InternalNotes: Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], {
      description: 'The complete notes; null or blank text removes them.',
      examples: ['Comes back each summer.'],
    }),
  },
  { title: 'InternalNotesRequest' },
)
