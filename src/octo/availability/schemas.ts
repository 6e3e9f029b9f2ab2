/** Wire shapes of OCTO's availability and its calendar. */
import { maxUnits } from '../../catalogue/sale-schemas.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { defaultOption } from '../model.ts'
import { pricingSchema, unitPricingSchema } from '../pricing.ts'

export const maxIds = 100

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2027-06-12'] }))

const askedFields = {
  productId: Type.String({ maxLength: 100, examples: ['s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10'] }),
  optionId: Type.Enum([defaultOption], { examples: [defaultOption] }),
  localDateStart: day('The first date, local to the product.'),
  localDateEnd: day('The last date, within a year of the first.'),
  units: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String({ maxLength: 100, examples: ['72'] }),
        quantity: Type.Integer({ minimum: 0, maximum: 999, examples: [2] }),
      }),
      { maxItems: maxUnits, description: 'The party for which there must be room.' },
    ),
  ),
  currency: Type.Optional(
    Type.String({ maxLength: 10, description: 'The currency of the product.', examples: ['EUR'] }),
  ),
}

export const availabilityBodySchema = Type.Object({
  ...askedFields,
  localDate: day('One date, instead of the first and the last.'),
  availabilityIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 100, examples: ['2027-06-12T10:00:00+01:00'] }), {
      minItems: 1,
      maxItems: maxIds,
      description: 'Only these timeslots, instead of dates.',
    }),
  ),
})
export type AvailabilityBody = Static<typeof availabilityBodySchema>

export const octoCalendarBodySchema = Type.Object(askedFields)
export type OctoCalendarBody = Static<typeof octoCalendarBodySchema>

const count = (description: string) => Type.Integer({ minimum: 0, description })

const shared = {
  available: Type.Boolean({
    description:
      'Whether the requested units can be booked. Without units in the request: whether at least one place is on sale.',
  }),
  status: Type.Enum(['AVAILABLE', 'LIMITED', 'SOLD_OUT', 'CLOSED'], {
    description: 'LIMITED: less than half of the places are free. CLOSED: not on sale.',
  }),
  openingHours: Type.Array(
    Type.Object({
      from: Type.String({ examples: ['09:00'] }),
      to: Type.String({ examples: ['17:00'] }),
    }),
    { description: 'Local times; empty if customers must come at the start.' },
  ),
}

export const octoAvailabilitySchema = Type.Object(
  {
    id: Type.String({ description: 'The local start.', examples: ['2027-06-12T10:00:00+01:00'] }),
    localDateTimeStart: Type.String({ examples: ['2027-06-12T10:00:00+01:00'] }),
    localDateTimeEnd: Type.String({ examples: ['2027-06-12T12:00:00+01:00'] }),
    utcCutoffAt: Type.String({
      format: 'date-time',
      description: 'The latest time at which a booking can be made.',
      examples: ['2027-06-12T09:00:00Z'],
    }),
    allDay: Type.Boolean(),
    ...shared,
    vacancies: count('Places that can be booked.'),
    capacity: count('All places.'),
    maxUnits: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The maximum number of units in a booking.',
    }),
    unitPricing: Type.Optional(
      Type.Array(unitPricingSchema, {
        description:
          'With `octo/pricing`: the price of each unit; empty if the price is for a whole booking.',
      }),
    ),
    pricing: Type.Optional(pricingSchema),
    title: Type.Optional(Type.Null()),
    shortDescription: Type.Optional(Type.String()),
  },
  { title: 'OctoAvailability' },
)
export type OctoAvailability = Static<typeof octoAvailabilitySchema>

export const octoCalendarDaySchema = Type.Object(
  {
    localDate: Type.String({ format: 'date', examples: ['2027-06-12'] }),
    ...shared,
    vacancies: count('Places that can be booked on the timeslot of the day with the most free places.'),
    capacity: count('All places of the day.'),
    unitPricingFrom: Type.Optional(
      Type.Array(unitPricingSchema, { description: 'With `octo/pricing`: the lowest price of each unit.' }),
    ),
    pricingFrom: Type.Optional(pricingSchema),
  },
  { title: 'OctoCalendarDay' },
)
export type OctoCalendarDay = Static<typeof octoCalendarDaySchema>
