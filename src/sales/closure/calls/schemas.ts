/** Wire shapes of the calls after closures. */
import { clockTime, dateSchema, timeslotPathSchema } from '../../../catalogue/timeslots/schemas.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { referencePathSchema } from '../../booking/desk/schemas.ts'
import type { ClosureCall } from './model.ts'

export const callPathSchema = Type.Object({
  ...timeslotPathSchema.properties,
  ...referencePathSchema.properties,
})

export const callsQuerySchema = Type.Object({
  ToCall: Type.Optional(
    Type.Enum(['true'], {
      description: '`true`: only customers who must still be called.',
      examples: ['true'],
    }),
  ),
})

export const callRequestSchema = Type.Object(
  { Done: Type.Boolean({ description: 'Whether the customer was informed; `false` undoes that.' }) },
  { title: 'ClosureCallRequest' },
)

const textOrNull = (example: string, description?: string) =>
  Type.Union([Type.String(), Type.Null()], { examples: [example], ...(description && { description }) })
const instant = Type.String({ format: 'date-time' })

export const callSchema = Type.Object(
  {
    TimeslotID: Type.Integer({ examples: [901], description: 'The timeslot that was closed.' }),
    ProductName: Type.String({ examples: ['Kayak tour'] }),
    Date: dateSchema('The local date of the timeslot.', '2027-06-12'),
    Time: Type.String({ ...clockTime, description: 'The local clock time of the timeslot.' }),
    ClosedAt: instant,
    BookingReference: Type.String({ examples: ['7KQ4MXW2PD'] }),
    FirstName: textOrNull('Ada'),
    LastName: textOrNull('Lovelace'),
    Phone: textOrNull('+351912345678'),
    Partner: textOrNull('Tours Online', 'The name of the partner that sold the booking.'),
    Became: Type.Enum(['cancelled', 'moved', 'released'], {
      description: 'What the closure did to the booking. `released`: it was held or waiting, and was ended.',
      examples: ['cancelled'],
    }),
    ByEmail: Type.Enum(['none', 'on-its-way', 'sent', 'failed'], {
      description: 'The state of the e-mail about the closure.',
      examples: ['none'],
    }),
    ToCall: Type.Boolean({
      description:
        'Whether the customer still has to be called: no e-mail informs them, and nobody has called.',
    }),
    DoneAt: Type.Union([instant, Type.Null()], {
      description: 'When a user or an API client recorded that the customer was informed.',
    }),
    DoneBy: textOrNull(
      'ana@example.com',
      'The user who recorded that the customer was informed; null if nobody did, or if an API client did.',
    ),
  },
  { title: 'ClosureCall' },
)
export type ClosureCallView = Static<typeof callSchema>

export function callView(call: ClosureCall): ClosureCallView {
  return {
    TimeslotID: call.timeslotId,
    ProductName: call.productName,
    Date: call.date,
    Time: call.time,
    ClosedAt: call.closedAt.toISOString(),
    BookingReference: call.reference,
    FirstName: call.firstName,
    LastName: call.lastName,
    Phone: call.phone,
    Partner: call.partnerName,
    Became: call.became,
    ByEmail: call.byEmail,
    ToCall: call.isToCall,
    DoneAt: call.doneAt?.toISOString() ?? null,
    DoneBy: call.doneBy,
  }
}
