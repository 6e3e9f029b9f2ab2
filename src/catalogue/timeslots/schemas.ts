/** Schemas of timeslots: in a catalogue file, in the operator's requests, and in its responses. */

import { pageFields } from '../../http/wire.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { unitPricesSchema } from '../sale-schemas.ts'
import { idInPathSchema } from '../schemas.ts'

export const clockTime = {
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  errorMessage: 'must be a clock time, HH:MM',
  examples: ['10:00'],
}

/**
 * @param rest text that is added to the description.
 * @param options JSON Schema options for the object of each period.
 */
export function openingHoursSchema(rest: string, options: { additionalProperties?: boolean } = {}) {
  return Type.Array(
    Type.Object(
      {
        Opens: Type.String(clockTime),
        Closes: Type.String({
          ...clockTime,
          description:
            'If the closing is at or before the opening, it is on the next day; `00:00` is midnight.',
          examples: ['17:00'],
        }),
      },
      options,
    ),
    {
      maxItems: 10,
      description: `Local opening hours, in order. ${rest}`,
      examples: [[{ Opens: '09:00', Closes: '17:00' }]],
    },
  )
}

export const dateSchema = (description: string, example = '2026-05-01') =>
  Type.String({ format: 'date', description, examples: [example] })

export const capacitySchema = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description:
    'Places that can be sold. The capacity of a timeslot is never lower than its booked and held places.',
  examples: [12],
})

/** The fields of a single timeslot, in all schemas. */
export const timeslotFields = {
  // Years below 1000 are refused, because the code that reads PostgreSQL's dates would read a year below 100
  // as a year of this century.
  Date: Type.String({
    ...dateSchema('Local date, from the year 1000 on.'),
    pattern: '^(?!0\\d{3}-)',
    errorMessage: 'must be from the year 1000 on',
  }),
  Time: Type.String({
    ...clockTime,
    description: 'Local clock time. If a clock change makes the time occur twice, it is the first one.',
  }),
  Capacity: capacitySchema,
}

/** Opening hours in a response. `AllDay` is true if there are opening hours. */
export const openingFields = {
  AllDay: Type.Optional(
    Type.Boolean({ description: 'Whether it has opening hours instead of a start.', examples: [false] }),
  ),
  OpeningHours: Type.Optional(openingHoursSchema('Empty unless it is all-day.')),
}

const id = (example: number) => Type.Integer({ minimum: 1, examples: [example] })
const places = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

/** Places are sold before this instant. */
export const onSaleUntil = Type.Optional(
  Type.String({
    format: 'date-time',
    description:
      'Until when the timeslot is on sale: its start, or its last closing, less the booking cut-off.',
    examples: ['2027-06-12T09:00:00+01:00'],
  }),
)

export const statusSchema = Type.Enum(['open', 'closed'], { examples: ['open'] })

export const timeslotSchema = Type.Object(
  {
    ID: id(901),
    ProductID: id(12),
    ProductName: Type.String({ examples: ['Sunset kayak tour'] }),
    ScheduleID: Type.Union([id(4), Type.Null()], {
      description:
        'The schedule of the timeslot; null if it belongs to none, for example because it was made by hand.',
    }),
    ...timeslotFields,
    StartsAt: Type.String({ format: 'date-time', examples: ['2027-06-12T10:00:00+01:00'] }),
    EndsAt: Type.String({ format: 'date-time', examples: ['2027-06-12T12:00:00+01:00'] }),
    ...openingFields,
    OnSaleUntil: onSaleUntil,
    Status: statusSchema,
    Booked: places('Places of confirmed bookings.', 7),
    Held: places('Places held for baskets and offers that may still be paid.', 2),
    Available: places('Places that can be sold now: 0 when it is closed or no longer on sale.', 3),
    Waiting: places('Parties on its waitlist.', 0),
    Edited: Type.Boolean({
      description: 'Whether it was changed by hand. Then changes of its schedule do not apply to it.',
    }),
    // Optional, because a response stored for an Idempotency-Key may be from the previous version of the
    // service, which did not have this field.
    UnitPrices: Type.Optional(unitPricesSchema),
  },
  { title: 'Timeslot' },
)
export type TimeslotView = Static<typeof timeslotSchema>

export const timeslotsQuerySchema = Type.Object({
  From: Type.Optional(dateSchema('First local date.', '2027-06-12')),
  To: Type.Optional(dateSchema('Last local date, included.', '2027-06-18')),
  ProductID: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })),
  Status: Type.Optional(statusSchema),
  ...pageFields,
})

export const newTimeslotSchema = Type.Object(
  {
    ...timeslotFields,
    OpeningHours: Type.Optional(
      openingHoursSchema(
        'Opening hours make the timeslot all-day; `Time` is the first opening. If left out, `Time` is the start.',
      ),
    ),
    UnitPrices: Type.Optional(unitPricesSchema),
  },
  { title: 'NewTimeslot' },
)
export type NewTimeslotRequest = Static<typeof newTimeslotSchema>

export const timeslotChangeSchema = Type.Partial(
  Type.Object({
    Capacity: capacitySchema,
    OpeningHours: openingHoursSchema(
      'The first opening must not change. With an empty list, the timeslot has a start instead.',
    ),
    UnitPrices: unitPricesSchema,
  }),
  {
    title: 'TimeslotChange',
    description: 'Fields that are left out stay as they are; at least one is required.',
  },
)
export type TimeslotChangeRequest = Static<typeof timeslotChangeSchema>

export const timeslotMoveSchema = Type.Object(
  {
    Date: timeslotFields.Date,
    Time: Type.Optional(
      Type.String({ ...clockTime, description: 'Local clock time. If left out, the time does not change.' }),
    ),
  },
  { title: 'TimeslotMove' },
)
export type TimeslotMoveRequest = Static<typeof timeslotMoveSchema>

/** The path parameter of the routes of one timeslot. */
export const timeslotPathSchema = Type.Object({ TimeslotID: idInPathSchema })
