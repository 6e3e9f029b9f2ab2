/**
 * The shape of a catalogue file: what an operator sells, in the wire's own field names. What a shape cannot
 * say (real time zones, amounts of a currency, what stands in the database) is in model.ts and service.ts.
 */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { fileRefundTermsSchema } from '../refund-steps.ts'
import { mostUnits, optionalRules, optionalUnitFields, unitFields } from '../sale-schemas.ts'
import { dailyFields, optionalClosedDates, scheduleFields } from '../schedules/schemas.ts'
import { activityIdSchema, optionalCutoffs, priceSchema, productFields, questionFields } from '../schemas.ts'
import { openingHoursSchema, timeslotFields } from '../timeslots/schemas.ts'

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

/** By this name a file means the place of a person in a product without units. */
export const placeName = 'Person'

const unitSchema = Type.Object(
  {
    ...unitFields,
    Name: Type.String({
      ...unitFields.Name,
      description: 'What the unit is called, and known again by at the next import; capitals do not matter.',
    }),
    Price: Type.Object(unitFields.Price.properties, {
      ...closed,
      description:
        'Price of one, in the product’s currency. That of the default unit is the product’s Price.',
    }),
    ...optionalUnitFields,
    AccompaniedBy: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: mostUnits,
        description: 'Names of units, at least one of which is in the same booking.',
        examples: [['Adult']],
      }),
    ),
  },
  { ...closed, description: 'What the product sells, such as adults and children, each at its price.' },
)

const unitPriceSchema = Type.Object(
  {
    Name: Type.String({
      minLength: 1,
      maxLength: 255,
      description: `Of a unit of the product; \`${placeName}\` where it has none.`,
      examples: ['Adult'],
    }),
    Amount: priceSchema.properties.Amount,
  },
  { ...closed, description: 'Price of one, in the product’s currency.' },
)

const unitPrices = Type.Optional(
  Type.Array(unitPriceSchema, {
    maxItems: mostUnits,
    description: 'Prices of its own, which come before others. Not given: what they are, none if it is new.',
  }),
)

const timeslotSchema = Type.Object(
  {
    ...timeslotFields,
    OpeningHours: Type.Optional(
      openingHoursSchema(
        'They make it all-day; `Time` is the first opening. An empty list: it has a start. Not given: what they are, none if it is new.',
        closed,
      ),
    ),
    UnitPrices: unitPrices,
  },
  {
    ...closed,
    description: 'One departure. It goes before whatever a schedule says of that date and time.',
  },
)

const scheduleSchema = Type.Object(
  {
    ...scheduleFields,
    ...dailyFields(scheduleFields.Times, closed),
    ClosedDates: optionalClosedDates('what they are, none for a new schedule'),
    UnitPrices: unitPrices,
  },
  {
    ...closed,
    description:
      'A weekly pattern between two dates. Known again by its dates, weekdays and times, or first opening.',
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
    Description: Type.Optional(
      Type.String({
        ...productFields.Description,
        description:
          'What customers are told, as plain text. Not given: what it is, empty for a new product.',
      }),
    ),
    Price: Type.Object(priceSchema.properties, { ...closed, description: 'Price of one place.' }),
    InShopfront: Type.Optional(
      Type.Boolean({
        description: 'Whether partners see and sell it. Not given: what it is, false for a new product.',
      }),
    ),
    ...optionalCutoffs('what it is, 0 for a new product'),
    ...optionalRules({
      MinPlaces: 'what it is, 1 for a new product',
      MaxPlaces: 'what it is, 999 for a new product',
      PricedPer: 'what it is, `person` for a new product',
      TakesTimeslot: 'what it is, false for a new product',
    }),
    Units: Type.Optional(
      Type.Array(unitSchema, {
        maxItems: mostUnits,
        description:
          'All that the product sells, in its order; one that is left out is sold no more. An empty list: places, to one person each. Not given: what they are.',
      }),
    ),
    ActivityID: Type.Optional(
      Type.String({
        ...activityIdSchema,
        description: 'The id partners know it by; drawn when not given, and never changed once it is there.',
      }),
    ),
    RefundTerms: Type.Optional(fileRefundTermsSchema),
    Questions: Type.Optional(
      Type.Array(questionSchema, {
        maxItems: 500,
        description:
          'All waiver questions, in their order; one that is left out is dropped. Not given: what they are, none for a new product.',
      }),
    ),
    Timeslots: Type.Optional(
      Type.Array(timeslotSchema, {
        description: 'Single departures to make or to change. Others stay.',
      }),
    ),
    Schedules: Type.Optional(
      Type.Array(scheduleSchema, {
        maxItems: 500,
        description:
          'All departures that repeat; a schedule that is left out ends. Not given: what they are, none for a new product.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'A product, with everything that belongs to it. A field that is not given stays what it is; a new product has its default. The same holds for the ClosedDates and UnitPrices of a schedule, and for the OpeningHours and UnitPrices of a timeslot. What units and questions do not give has its default.',
  },
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
/** As `catalogue export` writes it, with nothing left out. */
export type ExportedProduct = Required<FileProduct>
export type FileUnit = Static<typeof unitSchema>
export type FileUnitPrice = Static<typeof unitPriceSchema>
export type FileQuestion = Static<typeof questionSchema>
export type FileTimeslot = Static<typeof timeslotSchema>
export type FileSchedule = Static<typeof scheduleSchema>
