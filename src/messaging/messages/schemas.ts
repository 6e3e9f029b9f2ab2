/** Schemas of messages to all bookings of a timeslot. */
import { type Static, Type } from '../../platform/schema/typebox.ts'

export const messageRequestSchema = Type.Object(
  {
    Subject: Type.String({
      trimmedLength: 500,
      description: 'A template as in workflows. The result is sent as one line of at most 255 characters.',
      examples: ['We meet at pier 3 today'],
    }),
    Body: Type.String({
      minLength: 1,
      maxBytes: 64 * 1024,
      description: 'A template as in workflows, for plain text.',
      examples: ['Dear {{ customer.first_name }},\n\nplease come to pier 3 at {{ time }}.'],
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
      description: 'The number of confirmed bookings whose customer gets the e-mail.',
      examples: [5],
    }),
    Untold: Type.Array(Type.String({ examples: ['7KQ4MXW2PD'] }), {
      description:
        'References of the confirmed bookings whose customer gets no e-mail, because there is no address or a reseller notifies its customers itself. Of a timeslot with more than 2,000 confirmed bookings, only the first 2,000 by name are considered.',
    }),
  },
  { title: 'Message' },
)
export type MessageView = Static<typeof messageSchema>
