/** Wire shapes of closures. */

import { clockTime, dateSchema } from '../../catalogue/timeslots/schemas.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { totalSchema } from '../booking/schemas.ts'
import { closureRefundSchema } from '../ledger/refund-schemas.ts'

const id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description && { description }),
  })
const time = (description: string) => Type.String({ ...clockTime, description })

export const closureRequestSchema = Type.Object(
  {
    TimeslotID: Type.Optional(id(901, 'The one timeslot to close.')),
    Date: Type.Optional(dateSchema('The local day to close.', '2027-06-12')),
    From: Type.Optional(dateSchema('First local day to close.', '2027-06-12')),
    To: Type.Optional(dateSchema('Last local day to close, included.', '2027-06-14')),
    ProductIDs: Type.Optional(
      Type.Array(id(12), { minItems: 1, maxItems: 100, description: 'Only these products. Not given: all.' }),
    ),
    Action: Type.Enum(['cancel', 'move'], {
      description: 'What to do with the confirmed bookings.',
      examples: ['cancel'],
    }),
    MoveTo: Type.Optional(
      Type.Object(
        {
          Date: dateSchema('Local date.', '2027-06-19'),
          Time: Type.Optional(
            time('Local clock time. If it is not given: the clock time of each closed timeslot.'),
          ),
        },
        {
          description:
            'With `move`: the date and time of the timeslot to which the bookings of each product move.',
        },
      ),
    ),
    Message: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'The text for customers in their e-mail.',
        examples: ['The wind is too strong for kayaks.'],
      }),
    ),
    Refund: Type.Optional(closureRefundSchema),
  },
  {
    title: 'ClosureRequest',
    description: 'Requires exactly one of these: `TimeslotID`; `Date`; or `From` together with `To`.',
  },
)
export type ClosureRequest = Static<typeof closureRequestSchema>

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

const counts = {
  Cancelled: count('Confirmed bookings that are cancelled.', 3),
  Moved: count('Confirmed bookings that are moved.', 0),
  Released: count('Held basket lines and offers whose places are released.', 1),
  WaitlistEnded: count('Parties that were removed from the waitlist.', 2),
  Emailed: count('Confirmed bookings whose customers are sent an e-mail.', 3),
  Refunds: Type.Array(totalSchema, {
    description:
      'The refunds of the cancelled bookings, as one sum for each currency. For the operator’s own sales: the amount that was paid, or less if `Refund` says so. For partners’ bookings of products with refund terms: the full price. Each booking shows its own refund. The service does not transfer money.',
    examples: [[{ Amount: '270.00', Currency: 'EUR' }]],
  }),
}

export const closedTimeslotSchema = Type.Object(
  {
    TimeslotID: id(901),
    ProductID: id(12),
    Date: dateSchema('Local date.', '2027-06-12'),
    Time: time('Local clock time.'),
    Result: Type.Enum(['closed', 'already-closed', 'left'], {
      description:
        '`closed`: closed now, with all its bookings. `already-closed`: it was closed before and had no bookings. `left`: nothing changed.',
      examples: ['closed'],
    }),
    ...counts,
    Untold: Type.Array(Type.String({ examples: ['7KQ4MXW2PD'] }), {
      description:
        'References of the bookings whose customers get no e-mail: held and waiting ones, and those without an address.',
    }),
    MovedTo: Type.Union([
      Type.Object({
        TimeslotID: id(950),
        Date: dateSchema('Local date.', '2027-06-19'),
        Time: time('Local clock time.'),
      }),
      Type.Null(),
    ]),
    Reason: Type.Union([Type.Enum(['begun', 'target-unavailable', 'insufficient-capacity']), Type.Null()], {
      description:
        'Why nothing changed. `begun`: the timeslot has begun; an all-day timeslot counts as begun when its last opening period has ended. `target-unavailable`: its bookings have no target, the target is not on sale, or the same request closes it. `insufficient-capacity`: the target has too few places.',
      examples: [null],
    }),
    Available: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'With `insufficient-capacity`: the number of free places of the target.',
      examples: [null],
    }),
  },
  { title: 'ClosedTimeslot' },
)

export const closureSchema = Type.Object(
  {
    Totals: Type.Object({
      Closed: count('Timeslots that are closed.', 1),
      AlreadyClosed: count('Timeslots that were closed before and had no bookings.', 0),
      Left: count('Timeslots that are left as they are.', 0),
      ...counts,
    }),
    Timeslots: Type.Array(closedTimeslotSchema, { description: 'By local date and time.' }),
  },
  { title: 'Closure' },
)
export type ClosureView = Static<typeof closureSchema>
export type ClosedTimeslotView = Static<typeof closedTimeslotSchema>

export const reopenRequestSchema = Type.Object(
  {
    Date: dateSchema('The local day to reopen.', '2027-06-12'),
    ProductID: Type.Optional(id(12, 'Only this product. Not given: all.')),
  },
  { title: 'ReopenRequest' },
)

export const reopenedSchema = Type.Object(
  {
    TimeslotIDs: Type.Array(id(901), {
      description: 'The closed timeslots that are on sale again, by local time.',
    }),
  },
  { title: 'Reopened' },
)
