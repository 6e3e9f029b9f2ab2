/** Schemas of availability. */
import { Type } from '../../platform/schema/typebox.ts'
import { priceSchema } from '../sale-schemas.ts'
import { activityIdSchema } from '../schemas.ts'
import { onSaleUntil, openingFields } from '../timeslots/schemas.ts'
import { maxDaysOfMany, maxProducts } from './model.ts'

export const daySchema = Type.String({
  format: 'date',
  description: 'Calendar date, YYYY-MM-DD.',
  examples: ['2027-06-12'],
})

const placesSchema = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

export const dateEntrySchema = Type.Object(
  {
    Date: daySchema,
    Timeslots: placesSchema('Timeslots of that date with free places.', 3),
    Capacity: placesSchema('All places of those timeslots.', 36),
    Available: placesSchema('Free places on them.', 29),
  },
  { title: 'DateEntry' },
)

export const timeslotEntrySchema = Type.Object(
  {
    Time: Type.String({
      pattern: '^\\d{2}:\\d{2}$',
      description: 'Local start, or first opening.',
      examples: ['10:00'],
    }),
    StartsAt: Type.String({ format: 'date-time', examples: ['2027-06-12T10:00:00+01:00'] }),
    EndsAt: Type.String({ format: 'date-time', examples: ['2027-06-12T12:00:00+01:00'] }),
    ...openingFields,
    OnSaleUntil: onSaleUntil,
    Capacity: placesSchema('All places.', 12),
    Available: placesSchema('Places free.', 9),
    Units: Type.Optional(
      Type.Array(
        Type.Object({
          UnitID: Type.Integer({
            minimum: 0,
            description: 'A unit of the product; 0 is a place of a product without units.',
            examples: [72],
          }),
          Price: Type.Object(priceSchema.properties, {
            description: 'Price of one ticket on this timeslot.',
          }),
        }),
        {
          description:
            'The prices of a product that has units, or whose schedules or timeslots have their own prices.',
        },
      ),
    ),
  },
  { title: 'TimeslotEntry' },
)

/**
 * `explode: false`: the ActivityIDs are one parameter, separated by commas. Repeated parameters are accepted
 * too.
 */
export const manyQuerySchema = Type.Object(
  {
    ActivityIDs: Type.Array(activityIdSchema, {
      minItems: 1,
      maxItems: maxProducts,
      description: `Products of the shopfront, separated by commas: at most ${maxProducts}, each once.`,
      examples: [['s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10']],
    }),
    StartDate: daySchema,
    EndDate: daySchema,
  },
  { explode: false },
)

export const activityDatesSchema = Type.Object(
  {
    ActivityID: activityIdSchema,
    Dates: Type.Array(dateEntrySchema, { description: 'The same as in the list for one product.' }),
  },
  { title: 'ActivityDates' },
)

export const calendarEntrySchema = Type.Object(
  {
    Date: daySchema,
    ...timeslotEntrySchema.properties,
    Available: placesSchema('Free places; 0 when it is full.', 9),
  },
  { title: 'CalendarEntry' },
)

export const calendarQuerySchema = Type.Object({
  StartDate: daySchema,
  EndDate: { ...daySchema, description: `At most ${maxDaysOfMany - 1} days after StartDate.` },
})
