/** Wire shapes of what an operator asks to be done to a booking. */

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
    description: 'Whether workflows tell the customer by e-mail; true if it is not given.',
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
          '`kept`, which is the default: what the booking has keeps its price. `current`: the whole party costs what the timeslot sells for today; what was taken off the price stays taken off. On another product the units are those of the same names. `current` is refused for a partner’s booking, for a timeslot that sells in another currency, does not sell one of the units, or not to this party, and for one that sells single places where the booking has a whole timeslot.',
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
          'The tickets that become void, also redeemed ones, which are then no longer checked in. Of what is not named, the last tickets that are not redeemed become void.',
        examples: [['0b5e7c2e-7a34-4b0e-9f5e-3c1d2a4b5c6d']],
      }),
    ),
    Participants: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 999 }), {
        maxItems: 999,
        description:
          'Who of the participants leaves, counted from 1 in the order of the answers: their answers are removed. Left out, all answers stay.',
        examples: [[2]],
      }),
    ),
    PeopleHere: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999,
        description: 'How many of those who stay are checked in. Left out, as many as before, up to all.',
        examples: [1],
      }),
    ),
  },
  { title: 'Leaving', description: 'Who leaves, if fewer come.' },
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
          'With `checked-in`: how many of the party are here, counted from nobody. Without it, all of them but `PeopleAbsent`.',
        examples: [2],
      }),
    ),
    PeopleAbsent: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999,
        description:
          'With `checked-in`: how many of the party did not come. Together with `PeopleHere` at most its `Participants`. Without it, as many as before, except those who are here now.',
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
