/**
 * The shape of a catalogue file: what an operator sells, in the wire's own field names. What a shape cannot
 * say (real time zones, amounts of a currency, what stands in the database) is in model.ts and service.ts.
 */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { optionalRules } from '../sale-schemas.ts'
import { optionalClosedDates, scheduleFields } from '../schedules/schemas.ts'
import {
  activityIdSchema,
  inShopfrontSchema,
  optionalCutoff,
  priceSchema,
  productFields,
  questionFields,
} from '../schemas.ts'
import { timeslotFields } from '../timeslots/schemas.ts'

// A misspelt field would be lost in silence, so no object takes a field that it does not know.
const closed = { additionalProperties: false }

const questionSchema = Type.Object(
  { ...questionFields, Options: Type.Optional(questionFields.Options) },
  {
    ...closed,
    description: 'Something the customer must answer before the booking. Known again by Label and Type.',
    if: { properties: { Type: { const: 'select' } }, required: ['Type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, nothing ever awaits this object
    then: { properties: { Options: { type: 'array', minItems: 1 } }, required: ['Options'] },
  },
)

const timeslotSchema = Type.Object(timeslotFields, {
  ...closed,
  description: 'One departure. It goes before whatever a schedule says of that date and time.',
})

const scheduleSchema = Type.Object(
  { ...scheduleFields, ClosedDates: optionalClosedDates('what they are, none for a new schedule') },
  {
    ...closed,
    description: 'A weekly pattern between two dates. Known again by all but its Capacity and ClosedDates.',
  },
)

const productSchema = Type.Object(
  {
    ...productFields,
    Name: Type.String({
      ...productFields.Name,
      description:
        'What the product is called, and known again by at the next import; capitals do not matter.',
    }),
    Price: Type.Object(priceSchema.properties, { ...closed, description: 'Price of one place.' }),
    InShopfront: inShopfrontSchema,
    CancelCutoffMinutes: optionalCutoff('what it is, 0 for a new product'),
    ...optionalRules({
      MinPlaces: 'what it is, 1 for a new product',
      MaxPlaces: 'what it is, 999 for a new product',
      PricedPer: 'what it is, `person` for a new product',
      TakesTimeslot: 'what it is, false for a new product',
    }),
    ActivityID: Type.Optional(
      Type.String({
        ...activityIdSchema,
        description: 'The id partners know it by; drawn when not given, and never changed once it is there.',
      }),
    ),
    Questions: Type.Array(questionSchema, {
      maxItems: 500,
      description: 'Waiver questions, in their order.',
    }),
    Timeslots: Type.Array(timeslotSchema, { description: 'Single departures.' }),
    Schedules: Type.Array(scheduleSchema, { maxItems: 500, description: 'Departures that repeat.' }),
  },
  { ...closed, description: 'A product, with everything that belongs to it.' },
)

export const catalogueSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'Where an editor finds this schema; not read.' })),
    Products: Type.Array(productSchema, {
      maxItems: 10_000,
      description: 'The products to make or to bring up to date. Others are left alone.',
    }),
  },
  {
    ...closed,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:activity-booking-service:catalogue-file',
    title: 'Catalogue file',
    description: 'What an operator sells, for `catalogue import`.',
  },
)

/**
 * The schema for others: plain JSON Schema, without our own keyword. `catalogue schema` prints it, and
 * docs/catalogue.schema.json is that.
 */
export function publishedSchema(): unknown {
  const plain = (key: string, value: unknown) => (key === 'errorMessage' ? undefined : value)
  return JSON.parse(JSON.stringify(catalogueSchema, plain))
}

export type CatalogueFile = Static<typeof catalogueSchema>
export type FileProduct = Static<typeof productSchema>
export type FileQuestion = Static<typeof questionSchema>
export type FileTimeslot = Static<typeof timeslotSchema>
export type FileSchedule = Static<typeof scheduleSchema>
