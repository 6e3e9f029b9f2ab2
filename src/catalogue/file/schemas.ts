/**
 * The schema of a catalogue file, with the field names of the API. Rules that a schema cannot express are in
 * model.ts (such as valid time zones) and, where they depend on existing data, in existing.ts.
 */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { fileRefundTermsSchema } from '../refund-steps.ts'
import { maxUnits, optionalRules, optionalUnitFields, unitFields } from '../sale-schemas.ts'
import { dailyFields, optionalClosedDates, scheduleFields } from '../schedules/schemas.ts'
import { activityIdSchema, optionalCutoffs, priceSchema, productFields, questionFields } from '../schemas.ts'
import { openingHoursSchema, timeslotFields } from '../timeslots/schemas.ts'
import { fileTranslationsSchema } from '../translations/schemas.ts'

// No object accepts unknown fields, so that a misspelt field is not lost silently.
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

/** The name with which a file refers to the place of a person, in a product without units. */
export const defaultUnitName = 'Person'

const unitSchema = Type.Object(
  {
    ...unitFields,
    Name: Type.String({
      ...unitFields.Name,
      description: 'Name of the unit. The import matches units by name, in any case.',
    }),
    Price: Type.Object(unitFields.Price.properties, {
      ...closed,
      description: 'Price of one, in the product’s currency. The default unit has the product’s Price.',
    }),
    ...optionalUnitFields,
    AccompaniedBy: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: maxUnits,
        description: 'Names of units, of which at least one must be in the same booking.',
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
      description: `Name of a unit of the product; \`${defaultUnitName}\` if it has none.`,
      examples: ['Adult'],
    }),
    Amount: priceSchema.properties.Amount,
  },
  { ...closed, description: 'Price of one, in the product’s currency.' },
)

const unitPrices = Type.Optional(
  Type.Array(unitPriceSchema, {
    maxItems: maxUnits,
    description:
      'Its own prices, which take precedence over others. If left out, they stay as they are; a new one has none.',
  }),
)

const timeslotSchema = Type.Object(
  {
    ...timeslotFields,
    OpeningHours: Type.Optional(
      openingHoursSchema(
        'They make the timeslot all-day; `Time` is the first opening. With an empty list, `Time` is its start. If left out, the opening hours stay as they are; a new timeslot has none.',
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
      'A weekly pattern between two dates. The import matches schedules by dates, weekdays and times, or first opening.',
  },
)

const productSchema = Type.Object(
  {
    ...productFields,
    Name: Type.String({
      ...productFields.Name,
      description: 'Name of the product. The import matches products by name, in any case.',
    }),
    Description: Type.Optional(
      Type.String({
        ...productFields.Description,
        description:
          'Description for customers, as plain text. Default: the current text; empty for a new product.',
      }),
    ),
    Price: Type.Object(priceSchema.properties, { ...closed, description: 'Price of one place.' }),
    InShopfront: Type.Optional(
      Type.Boolean({
        description:
          'Whether partners see and sell it. If left out, it stays as it is; false for a new product.',
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
          'All units that the product sells, in their order. A unit that is left out is no longer sold. With an empty list, the product sells places to one person each. If the field is left out, the units stay as they are.',
      }),
    ),
    ActivityID: Type.Optional(
      Type.String({
        ...activityIdSchema,
        description: 'The id that partners use. If left out, a new product gets one. It never changes.',
      }),
    ),
    RefundTerms: Type.Optional(fileRefundTermsSchema),
    Questions: Type.Optional(
      Type.Array(questionSchema, {
        maxItems: 500,
        description:
          'All waiver questions, in their order. A question that is left out is deleted. If the field is left out, they stay as they are; a new product has none.',
      }),
    ),
    Translations: Type.Optional(fileTranslationsSchema),
    Timeslots: Type.Optional(
      Type.Array(timeslotSchema, {
        description: 'Single departures to make or to change. Others stay.',
      }),
    ),
    Schedules: Type.Optional(
      Type.Array(scheduleSchema, {
        maxItems: 500,
        description:
          'All repeating departures. A schedule that is left out ends. If the field is left out, they stay as they are; a new product has none.',
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
      description: 'The products to make or to update. Others stay as they are.',
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
 * The schema for publication: plain JSON Schema, without our own keyword. `catalogue schema` prints it, and
 * docs/catalogue.schema.json has it.
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
