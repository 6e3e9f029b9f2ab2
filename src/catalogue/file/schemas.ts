/**
 * The schema of a catalogue file, with the field names of the API. Rules that a schema cannot express are in
 * model.ts (such as valid time zones) and, if they depend on existing data, in existing.ts.
 */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { fileRefundTermsSchema } from '../refund-steps.ts'
import { maxUnits, optionalRules, optionalUnitFields, unitFields } from '../sale-schemas.ts'
import { dailyFields, optionalClosedDates, scheduleFields } from '../schedules/schemas.ts'
import { activityIdSchema, optionalCutoffs, priceSchema, productFields, questionFields } from '../schemas.ts'
import { openingHoursSchema, timeslotFields } from '../timeslots/schemas.ts'
import { fileTranslationsSchema } from '../translations/schemas.ts'

// No object accepts unknown fields, so that a misspelt field is an error and is not ignored.
const closed = { additionalProperties: false }

const questionSchema = Type.Object(
  { ...questionFields, Options: Type.Optional(questionFields.Options) },
  {
    ...closed,
    description:
      'A question for the customer before the booking. The import matches questions by Label and Type.',
    if: { properties: { Type: { const: 'select' } }, required: ['Type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, nothing ever awaits this object
    then: { properties: { Options: { type: 'array', minItems: 1 } }, required: ['Options'] },
  },
)

/** The `Name` in the `UnitPrices` of a schedule or timeslot if the product has no units. */
export const defaultUnitName = 'Person'

const unitSchema = Type.Object(
  {
    ...unitFields,
    Name: Type.String({
      ...unitFields.Name,
      description: 'Name of the unit. The import matches units by name, without regard to case.',
    }),
    Price: Type.Object(unitFields.Price.properties, {
      ...closed,
      description:
        'Price of one ticket of the unit, in the product’s currency. The default unit has the product’s Price.',
    }),
    ...optionalUnitFields,
    AccompaniedBy: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: maxUnits,
        description: 'Names of units. At least one of these units must be in the same booking.',
        examples: [['Adult']],
      }),
    ),
  },
  { ...closed, description: 'A unit that the product sells, such as adults or children, with its price.' },
)

const unitPriceSchema = Type.Object(
  {
    Name: Type.String({
      minLength: 1,
      maxLength: 255,
      description: `Name of a unit of the product; \`${defaultUnitName}\` if it has none.`,
      examples: ['Adult'],
    }),
    Amount: priceSchema.properties.Amount,
  },
  { ...closed, description: 'Price of one ticket of the unit, in the product’s currency.' },
)

const unitPrices = Type.Optional(
  Type.Array(unitPriceSchema, {
    maxItems: maxUnits,
    description:
      'Own prices of the schedule or timeslot, which take precedence over the prices of the product. If left out, the own prices stay as they are; a new schedule or timeslot has none.',
  }),
)

const timeslotSchema = Type.Object(
  {
    ...timeslotFields,
    OpeningHours: Type.Optional(
      openingHoursSchema(
        'Opening hours make the timeslot all-day; `Time` is the first opening. With an empty list, `Time` is the start. If left out, the opening hours stay as they are; a new timeslot has none.',
        closed,
      ),
    ),
    UnitPrices: unitPrices,
  },
  {
    ...closed,
    description: 'A single departure. It takes precedence over a schedule with the same date and time.',
  },
)

const scheduleSchema = Type.Object(
  {
    ...scheduleFields,
    ...dailyFields(scheduleFields.Times, closed),
    ClosedDates: optionalClosedDates('the current ones; none for a new schedule'),
    UnitPrices: unitPrices,
  },
  {
    ...closed,
    description:
      'A weekly pattern between two dates. The import matches schedules by dates, weekdays and times; an all-day schedule, by its first opening instead of times.',
  },
)

const productSchema = Type.Object(
  {
    ...productFields,
    Name: Type.String({
      ...productFields.Name,
      description: 'Name of the product. The import matches products by name, without regard to case.',
    }),
    Description: Type.Optional(
      Type.String({
        ...productFields.Description,
        description:
          'Description for customers, as plain text. Default: the current text; empty for a new product.',
      }),
    ),
    Price: Type.Object(priceSchema.properties, {
      ...closed,
      description: 'Price of one person, or of the whole booking if `PricedPer` is `booking`.',
    }),
    InShopfront: Type.Optional(
      Type.Boolean({
        description:
          'Whether partners see and sell the product. If left out, the value does not change; false for a new product.',
      }),
    ),
    ...optionalCutoffs('the current value; 0 for a new product'),
    ...optionalRules({
      MinPlaces: 'the current value; 1 for a new product',
      MaxPlaces: 'the current value; 999 for a new product',
      PricedPer: 'the current value; `person` for a new product',
      TakesTimeslot: 'the current value; false for a new product',
    }),
    Units: Type.Optional(
      Type.Array(unitSchema, {
        maxItems: maxUnits,
        description:
          'All units that the product sells, in their order. A unit that is left out is no longer sold. With an empty list, the product sells places at its `Price`. If the field is left out, the units stay as they are.',
      }),
    ),
    ActivityID: Type.Optional(
      Type.String({
        ...activityIdSchema,
        description:
          'The id that partners use, which never changes. If left out, a new product gets a new id.',
      }),
    ),
    RefundTerms: Type.Optional(fileRefundTermsSchema),
    Questions: Type.Optional(
      Type.Array(questionSchema, {
        maxItems: 500,
        description:
          'All waiver questions, in their order. A question that is left out is deleted. If the field is left out, the questions stay as they are; a new product has none.',
      }),
    ),
    Translations: Type.Optional(fileTranslationsSchema),
    Timeslots: Type.Optional(
      Type.Array(timeslotSchema, {
        description: 'Single departures to make or to change. Other departures stay as they are.',
      }),
    ),
    Schedules: Type.Optional(
      Type.Array(scheduleSchema, {
        maxItems: 500,
        description:
          'All repeating departures. A schedule that is left out is deleted, but its timeslots stay. If the field is left out, the schedules stay as they are; a new product has none.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'A product, with everything that belongs to it. A field that is left out stays as it is; a new product gets the default. The same is true for the ClosedDates and UnitPrices of a schedule, and for the OpeningHours and UnitPrices of a timeslot. Fields that units and questions leave out get their defaults.',
  },
)

export const catalogueSchema = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({ description: 'Address of this schema, for editors. The import ignores it.' }),
    ),
    Products: Type.Array(productSchema, {
      maxItems: 10_000,
      description: 'The products to make or to update. Other products stay as they are.',
    }),
  },
  {
    ...closed,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:activity-booking-service:catalogue-file',
    title: 'Catalogue file',
    description: 'The catalogue of an operator, for `catalogue import`.',
  },
)

/**
 * The schema for publication: plain JSON Schema, without the keyword `errorMessage`. The command
 * `catalogue schema` prints it, and docs/catalogue.schema.json contains it.
 */
export function publishedSchema(): unknown {
  const plain = (key: string, value: unknown) => (key === 'errorMessage' ? undefined : value)
  return JSON.parse(JSON.stringify(catalogueSchema, plain))
}

export type CatalogueFile = Static<typeof catalogueSchema>
export type FileProduct = Static<typeof productSchema>
/** A product as `catalogue export` writes it, with all fields. */
export type ExportedProduct = Required<FileProduct>
export type FileUnit = Static<typeof unitSchema>
export type FileUnitPrice = Static<typeof unitPriceSchema>
export type FileQuestion = Static<typeof questionSchema>
export type FileTranslation = NonNullable<FileProduct['Translations']>[number]
export type FileTimeslot = Static<typeof timeslotSchema>
export type FileSchedule = Static<typeof scheduleSchema>
