/** Wire shapes of tickets. */

import { testModeFields } from '../../accounts/test-mode-view.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import {
  customerSchema,
  dateSchema,
  instantSchema,
  orNull,
  referenceSchema,
  timeSchema,
} from '../booking/schemas.ts'

const textSchema = (example: string) => orNull(Type.String({ examples: [example] }))
const ticketIdExample = '3f2b8a64-0c1d-4e5f-8a9b-7c6d5e4f3a2b'

export const ticketSchema = Type.Object(
  {
    TicketID: Type.String({
      description: 'The text of the code that a scanner reads. Print it unchanged.',
      examples: [ticketIdExample],
    }),
    Number: Type.Integer({
      minimum: 1,
      description: 'The number of the ticket within its booking.',
      examples: [1],
    }),
    BookingReference: referenceSchema,
    ProductName: Type.String({ examples: ['Sunset kayak tour'] }),
    Date: dateSchema,
    Time: timeSchema,
    Unit: Type.Object(
      {
        UnitID: Type.Integer({ minimum: 0, examples: [0] }),
        Name: Type.String({ examples: ['Person'] }),
        Type: Type.String({ examples: ['PERSON'] }),
      },
      { description: 'The unit that the ticket admits. `UnitID` is 0 for a product without units.' },
    ),
    Contact: orNull(
      Type.Object(
        {
          FirstName: textSchema('Grace'),
          LastName: textSchema('Hopper'),
          Email: textSchema('grace@example.com'),
          Phone: textSchema('+351912345678'),
        },
        { description: 'The holder of the ticket; null if unknown.' },
      ),
    ),
    ResellerReference: textSchema('OTA-TICKET-1'),
    Status: Type.Enum(['valid', 'redeemed', 'void'], { examples: ['valid'] }),
    RedeemedAt: Type.Union([instantSchema, Type.Null()], {
      description: 'When the ticket was redeemed. A redeemed ticket that becomes void keeps this time.',
      examples: [null],
    }),
    VoidedAt: Type.Union([instantSchema, Type.Null()], { examples: [null] }),
    ...testModeFields,
  },
  { title: 'Ticket' },
)
export type TicketView = Static<typeof ticketSchema>

const ticketIdSchema = Type.String({ maxLength: 100, examples: [ticketIdExample] })

export const ticketPathSchema = Type.Object({ TicketID: ticketIdSchema })

export const bookingTicketPathSchema = Type.Object({
  BookingReference: Type.String({ maxLength: 100, examples: ['7KQ4MXW2PD'] }),
  TicketID: ticketIdSchema,
})

export const ticketRequestSchema = Type.Object(
  {
    Contact: Type.Optional(
      Type.Partial(customerSchema, {
        description: 'Replaces the whole contact; an empty object removes it.',
      }),
    ),
    ResellerReference: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'The reseller’s reference of the ticket; an empty text removes it.',
        examples: ['OTA-TICKET-1'],
      }),
    ),
  },
  { title: 'TicketRequest' },
)
export type TicketRequest = Static<typeof ticketRequestSchema>
