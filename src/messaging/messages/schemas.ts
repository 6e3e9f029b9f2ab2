/** Wire shapes of messages to everybody on a timeslot. */
import { type Static, Type } from '../../platform/schema/typebox.ts'

export const messageRequestSchema = Type.Object(
  {
    Subject: Type.String({
      trimmedLength: 500,
      description: 'A template as of workflows; comes to one line.',
      examples: ['We meet at pier 3 today'],
    }),
    Body: Type.String({
      minLength: 1,
      maxBytes: 64 * 1024,
      description: 'A template as of workflows that comes to plain text.',
      examples: ['Hello {{ customer.first_name }},\n\nplease come to pier 3 at {{ time }}.'],
    }),
  },
  { title: 'MessageRequest' },
)
export type MessageRequest = Static<typeof messageRequestSchema>

export const messageSchema = Type.Object(
  {
    TimeslotID: Type.Integer({ examples: [901] }),
    Emailed: Type.Integer({
      minimum: 0,
      description: 'Confirmed bookings whose customers are sent the e-mail.',
      examples: [5],
    }),
    Untold: Type.Array(Type.String({ examples: ['7KQ4MXW2PD'] }), {
      description:
        'References of the other confirmed bookings: without an address, or of a reseller that writes to its customers itself. Those among the first 2,000 by name.',
    }),
  },
  { title: 'Message' },
)
export type MessageView = Static<typeof messageSchema>
