/** Wire shapes of the waitlist. */

import { testModeFields } from '../../accounts/test-mode-view.ts'
import { activityIdSchema } from '../../catalogue/schemas.ts'
import { openingFields } from '../../catalogue/timeslots/schemas.ts'
import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import {
  bookingRequestSchema,
  boughtFields,
  customerSchema,
  partyFields,
  partyRequired,
} from '../booking/schemas.ts'

const { Date: date, ...requestFields } = bookingRequestSchema.properties

const { Email, ...known } = customerSchema.properties
const waitingCustomerSchema = Type.Object(
  { ...known, Email: Type.Optional(Email) },
  {
    description:
      '`Email` or `Phone` is required. Without `Email`, the service sends no e-mail about an offer: call the customer.',
  },
)

export const joinRequestSchema = Type.Object(
  {
    ActivityID: requestFields.ActivityID,
    Date: date,
    Time: requestFields.Time,
    ...partyFields,
    Customer: waitingCustomerSchema,
    Answers: requestFields.Answers,
  },
  { title: 'WaitlistRequest', ...partyRequired },
)
export type JoinRequest = Static<typeof joinRequestSchema>

export const entryStatusSchema = Type.Enum(['waiting', 'offered', 'taken', 'left', 'expired'], {
  examples: ['waiting'],
})

const time = Type.String({ format: 'date-time', examples: ['2027-05-30T08:15:30.123Z'] })
const text = (example: string) => Type.Union([Type.String(), Type.Null()], { examples: [example] })

export const entrySchema = Type.Object(
  {
    WaitlistID: Type.Integer({ examples: [17] }),
    MultiBookingID: Type.Integer({ description: 'ID of the entry’s own booking.', examples: [4001] }),
    BookingReference: Type.String({ examples: ['7KQ4MXW2PD'] }),
    BasketID: Type.Integer({
      description: 'The basket that is paid after the offer is taken.',
      examples: [5001],
    }),
    Status: entryStatusSchema,
    BookingStatus: Type.String({ examples: ['waitlisted'] }),
    Ahead: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'The number of parties that wait for the same timeslot before this one; null if this one does not wait.',
      examples: [0],
    }),
    OfferUntil: Type.Union([time, Type.Null()], {
      description: 'When the offer ends; null if there is no offer.',
    }),
    TimeslotID: Type.Integer({
      description: 'The present timeslot of the booking, which may have been moved.',
      examples: [901],
    }),
    ActivityID: activityIdSchema,
    ProductName: Type.String({ examples: ['Sunset kayak tour'] }),
    Date: date,
    Time: requestFields.Time,
    ...openingFields,
    ...boughtFields,
    Customer: Type.Object({
      FirstName: text('Ada'),
      LastName: text('Lovelace'),
      Email: text('ada@example.com'),
      Phone: text('+351912345678'),
    }),
    CreatedAt: time,
    OfferedAt: Type.Union([time, Type.Null()]),
    ...testModeFields,
  },
  { title: 'WaitlistEntry' },
)
export type WaitlistEntryView = Static<typeof entrySchema>

export const entryPathSchema = Type.Object({
  WaitlistID: Type.String({
    pattern: '^[1-9]\\d{0,15}$',
    errorMessage: 'must be a positive integer',
    examples: ['17'],
  }),
})

export const entriesQuerySchema = Type.Object({
  TimeslotID: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only entries of the waitlist of this timeslot.',
      examples: [901],
    }),
  ),
  Status: Type.Optional(
    Type.Array(entryStatusSchema, { maxItems: 5, description: 'May be repeated.', examples: [['waiting']] }),
  ),
  ...pageFields,
})
