/** Schemas of the price, the units and the booking rules of a product. */
import { Type } from '../platform/schema/typebox.ts'

export const priceSchema = Type.Object(
  {
    Amount: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
      errorMessage: 'must be a decimal amount, such as "45.00"',
      description: 'Decimal amount.',
      examples: ['45.00'],
    }),
    Currency: Type.String({
      pattern: '^[A-Z]{3}$',
      errorMessage: 'must be an ISO 4217 code, such as EUR',
      description: 'ISO 4217 code.',
      examples: ['EUR'],
    }),
  },
  { description: 'Price of one person, or of the whole booking if `PricedPer` is `booking`.' },
)

const places = { minimum: 1, maximum: 999 }

const described = {
  MinPlaces: 'The fewest places of a booking.',
  MaxPlaces: 'The most places of a booking.',
  PricedPer: 'What the price is for: each person, or the booking as a whole.',
  TakesTimeslot:
    'Whether a booking takes the whole timeslot, including places added later. Only with `PricedPer` `booking`.',
}

function describeRules({ MinPlaces, MaxPlaces, PricedPer, TakesTimeslot }: typeof described) {
  return {
    MinPlaces: Type.Integer({ ...places, description: MinPlaces, examples: [1] }),
    MaxPlaces: Type.Integer({ ...places, description: MaxPlaces, examples: [10] }),
    PricedPer: Type.Enum(['person', 'booking'], { description: PricedPer, examples: ['person'] }),
    TakesTimeslot: Type.Boolean({ description: TakesTimeslot, examples: [false] }),
  }
}

/** The schemas of the fields of RuleFields, all required. */
export const ruleFields = describeRules(described)

/** @param otherwise the value when a field is left out. */
export function optionalRules(otherwise: typeof described) {
  const describe = (field: keyof typeof described) => `${described[field]} Default: ${otherwise[field]}.`
  return optionally(
    describeRules({
      MinPlaces: describe('MinPlaces'),
      MaxPlaces: describe('MaxPlaces'),
      PricedPer: describe('PricedPer'),
      TakesTimeslot: describe('TakesTimeslot'),
    }),
  )
}

function optionally({ MinPlaces, MaxPlaces, PricedPer, TakesTimeslot }: typeof ruleFields) {
  return {
    MinPlaces: Type.Optional(MinPlaces),
    MaxPlaces: Type.Optional(MaxPlaces),
    PricedPer: Type.Optional(PricedPer),
    TakesTimeslot: Type.Optional(TakesTimeslot),
  }
}

/**
 * The rules in responses. They are optional, because the partners' view leaves out the default rules of a
 * product without units, and because a response stored for an Idempotency-Key may be from an earlier version
 * of the service, which had no rules.
 */
export const ruleViewFields = optionally(ruleFields)

export const unitTypes = [
  'ADULT',
  'YOUTH',
  'CHILD',
  'INFANT',
  'FAMILY',
  'SENIOR',
  'STUDENT',
  'MILITARY',
  'OTHER',
  'PERSON',
] as const

const age = { minimum: 0, maximum: 150 }
const quantity = { minimum: 1, maximum: 999 }

/** The fields of a unit, in all schemas. */
export const unitFields = {
  Name: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Unique within the product, without regard to case.',
    examples: ['Child'],
  }),
  Type: Type.Enum([...unitTypes], {
    description: 'The kind of person that the unit is for.',
    examples: ['CHILD'],
  }),
  Price: Type.Object(priceSchema.properties, {
    description:
      'Price of one ticket of the unit, in the product’s currency. The default unit has the product’s price.',
  }),
  Places: Type.Integer({
    minimum: 0,
    maximum: 99,
    description: 'Places of the timeslot that one ticket of the unit takes.',
    examples: [1],
  }),
  People: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: 'How many people one ticket of the unit admits: for example 4 for a family.',
    examples: [1],
  }),
  MinAge: Type.Integer({ ...age, description: 'Youngest age, in years.', examples: [4] }),
  MaxAge: Type.Integer({ ...age, description: 'Oldest age, in years.', examples: [11] }),
  MinQuantity: Type.Integer({
    ...quantity,
    description: 'The fewest of this unit in a booking that includes it.',
    examples: [1],
  }),
  MaxQuantity: Type.Integer({
    ...quantity,
    description: 'The most of this unit in a booking.',
    examples: [4],
  }),
  Default: Type.Boolean({
    description:
      'Whether a request with `Participants` buys this unit. The default unit takes one place and admits one person.',
    examples: [false],
  }),
}

const unitId = Type.Integer({ minimum: 1, examples: [72] })
const accompaniedBy = 'Units of the product. At least one of these units must be in the same booking.'
const orNull = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Union([schema, Type.Null()])

export const unitSchema = Type.Object(
  {
    UnitID: unitId,
    ...unitFields,
    MinAge: orNull(unitFields.MinAge),
    MaxAge: orNull(unitFields.MaxAge),
    MinQuantity: orNull(unitFields.MinQuantity),
    MaxQuantity: orNull(unitFields.MaxQuantity),
    AccompaniedBy: Type.Array(unitId, { description: accompaniedBy, examples: [[71]] }),
  },
  { title: 'Unit' },
)

/** The optional fields of a unit. */
export const optionalUnitFields = {
  Places: Type.Optional(unitFields.Places),
  People: Type.Optional(unitFields.People),
  MinAge: Type.Optional(unitFields.MinAge),
  MaxAge: Type.Optional(unitFields.MaxAge),
  MinQuantity: Type.Optional(unitFields.MinQuantity),
  MaxQuantity: Type.Optional(unitFields.MaxQuantity),
  Default: Type.Optional(unitFields.Default),
}

export const maxUnits = 50

const unitPriceSchema = Type.Object({
  UnitID: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A unit of the product; 0 is the default unit, or a place of a product without units.',
    examples: [72],
  }),
  Amount: priceSchema.properties.Amount,
})

/** The own prices of a schedule or a timeslot. */
export const unitPricesSchema = Type.Array(unitPriceSchema, {
  maxItems: maxUnits,
  description:
    'The own prices of the timeslot or the schedule, in the product’s currency. A timeslot’s own prices take precedence over those of its schedule, and a schedule’s over those of the product.',
})
