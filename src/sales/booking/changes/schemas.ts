/** Wire shapes of the operator's requests to change a booking. */

import { activityIdSchema } from '../../../catalogue/schemas.ts'
import { type Static, Type } from '../../../platform/schema/typebox.ts'
import { refundChoiceSchema } from '../../ledger/refund-schemas.ts'
import { attendanceSchema } from '../desk/schemas.ts'
import {
  answersSchema,
  customerSchema,
  dateSchema,
  partyFields,
  partyRequired,
  timeSchema,
  totalSchema,
} from '../schemas.ts'
import { movePrices } from './pricing-anew.ts'

const tellCustomer = Type.Optional(
  Type.Boolean({
    description: 'Whether workflows send the customer an e-mail about the change; true by default.',
    examples: [true],
  }),
)

export const cancelRequestSchema = Type.Object(
  {
    Override: Type.Optional(
      Type.Boolean({ description: 'Cancel also after the product’s cutoff.', examples: [false] }),
    ),
    Reason: Type.Optional(
      Type.String({
        trimmedLength: 1000,
        description: 'For the booking’s history: 1 to 1000 characters.',
        examples: ['The customer called: a cold.'],
      }),
    ),
    TellCustomer: tellCustomer,
    Refund: Type.Optional(refundChoiceSchema),
  },
  { title: 'CancelRequest' },
)

export const moveRequestSchema = Type.Object(
  {
    Date: dateSchema,
    Time: timeSchema,
    ActivityID: Type.Optional({ ...activityIdSchema, description: 'Another product; by default the same.' }),
    ...partyFields,
    Price: Type.Optional(
      Type.Enum(movePrices, {
        description:
          '`kept`, the default: everything that the booking already has keeps its price. `current`: the whole party has today’s prices of the timeslot, and reductions stay. On another product, units are matched by their names. `current` is refused for a partner’s booking; if the timeslot sells in another currency, does not sell one of the units, or does not allow this party; and if the booking has a whole timeslot and the new one sells single places.',
        examples: ['kept'],
      }),
    ),
    ExpectedTotal: Type.Optional(
      Type.String({
        ...totalSchema.properties.Amount,
        description:
          'The agreed total of the booking after the move, in its currency. If prices have changed and the total would differ, nothing is moved.',
        examples: ['90.00'],
      }),
    ),
    TellCustomer: tellCustomer,
    Refund: Type.Optional(refundChoiceSchema),
  },
  { title: 'MoveRequest' },
)

const ticketId = '^[\\da-fA-F]{8}(-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$'

const leavingSchema = Type.Object(
  {
    TicketIDs: Type.Optional(
      Type.Array(Type.String({ pattern: ticketId, errorMessage: 'must be the ID of a ticket' }), {
        maxItems: 999,
        description:
          'The tickets that become void. They may be redeemed; their people are then no longer checked in. If fewer are named than people leave, the last tickets that are not redeemed become void too.',
        examples: [['0b5e7c2e-7a34-4b0e-9f5e-3c1d2a4b5c6d']],
      }),
    ),
    Participants: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 999 }), {
        maxItems: 999,
        description:
          'The participants who leave, counted from 1 in the order of the answers. Their answers are removed. Without it, all answers stay.',
        examples: [[2]],
      }),
    ),
    PeopleHere: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999,
        description:
          'How many of the remaining people are checked in. Without it: as many as before, less those of redeemed tickets that become void, and at most all.',
        examples: [1],
      }),
    ),
  },
  { title: 'Leaving', description: 'Who leaves, if the party becomes smaller.' },
)
export type LeavingRequest = Static<typeof leavingSchema>

export const amendRequestSchema = Type.Object(
  {
    ...partyFields,
    Leaving: Type.Optional(leavingSchema),
    TellCustomer: tellCustomer,
    Refund: Type.Optional(refundChoiceSchema),
  },
  { title: 'AmendRequest', ...partyRequired },
)

export const attendanceRequestSchema = Type.Object(
  {
    Attendance: attendanceSchema,
    PeopleHere: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999,
        description:
          'With `checked-in`: how many people of the party are here in total. If it is left out: the whole party, less `PeopleAbsent` if the request has it.',
        examples: [2],
      }),
    ),
    PeopleAbsent: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999,
        description:
          'With `checked-in`: how many people of the party did not come. If it is left out, the earlier number stays, but is at most the number of people who are not here. `PeopleHere` and `PeopleAbsent` together must not exceed the booking’s `Participants`.',
        examples: [1],
      }),
    ),
  },
  { title: 'AttendanceRequest' },
)
export type AttendanceRequest = Static<typeof attendanceRequestSchema>

export const descriptionRequestSchema = Type.Object(
  {
    Customer: Type.Optional(Type.Partial(customerSchema)),
    Answers: Type.Optional(answersSchema),
  },
  { title: 'DescriptionRequest' },
)
export type DescriptionRequest = Static<typeof descriptionRequestSchema>
