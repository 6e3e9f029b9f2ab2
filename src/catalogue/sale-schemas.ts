/** Wire shapes of what a product sells: its price, its units, and the rules of a booking. */
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
  { description: 'Price of one place.' },
)

const places = { minimum: 1, maximum: 999 }

const described = {
  MinPlaces: 'Fewest places of a booking.',
  MaxPlaces: 'Most places of a booking.',
  PricedPer: 'What the price is for: each person, or the booking as a whole.',
  TakesTimeslot:
    'Whether a booking takes the whole timeslot, also places that are added to it. Only with `PricedPer` `booking`.',
}

function describeRules({ MinPlaces, MaxPlaces, PricedPer, TakesTimeslot }: typeof described) {
  return {
    MinPlaces: Type.Integer({ ...places, description: MinPlaces, examples: [1] }),
    MaxPlaces: Type.Integer({ ...places, description: MaxPlaces, examples: [10] }),
    PricedPer: Type.Enum(['person', 'booking'], { description: PricedPer, examples: ['person'] }),
    TakesTimeslot: Type.Boolean({ description: TakesTimeslot, examples: [false] }),
  }
}

/** What limits a booking of a product, and what its price is for. */
export const ruleFields = describeRules(described)

/** @param otherwise what holds when a field is not given. */
export function optionalRules(otherwise: typeof described) {
  const said = (field: keyof typeof described) => `${described[field]} Not given: ${otherwise[field]}.`
  return optionally(
    describeRules({
      MinPlaces: said('MinPlaces'),
      MaxPlaces: said('MaxPlaces'),
      PricedPer: said('PricedPer'),
      TakesTimeslot: said('TakesTimeslot'),
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

/** In responses. One that is kept for an Idempotency-Key may be of the version before, which had none of these. */
export const toldRules = optionally(ruleFields)

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

/** What describes a unit, wherever it is written or read. */
export const unitFields = {
  Name: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Unique within the product, in any case.',
    examples: ['Child'],
  }),
  Type: Type.Enum([...unitTypes], { description: 'What kind of person it is for.', examples: ['CHILD'] }),
  Price: Type.Object(priceSchema.properties, {
    description: 'Price of one, in the product’s currency. That of the default unit is the product’s.',
  }),
  Places: Type.Integer({
    minimum: 0,
    maximum: 99,
    description: 'Places of the timeslot that one takes.',
    examples: [1],
  }),
  People: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: 'How many people one is: a family may be 4.',
    examples: [1],
  }),
  MinAge: Type.Integer({ ...age, description: 'Youngest age, in years.', examples: [4] }),
  MaxAge: Type.Integer({ ...age, description: 'Oldest age, in years.', examples: [11] }),
  MinQuantity: Type.Integer({
    ...quantity,
    description: 'Fewest in a booking that has any.',
    examples: [1],
  }),
  MaxQuantity: Type.Integer({ ...quantity, description: 'Most in a booking.', examples: [4] }),
  Default: Type.Boolean({
    description: 'Whether `Participants` alone buys it. It has one place and is one person.',
    examples: [false],
  }),
}

const unitId = Type.Integer({ minimum: 1, examples: [72] })
const accompaniedBy = 'Units of the product, at least one of which is in the same booking.'
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

/** What of a unit need not be stated. */
export const optionalUnitFields = {
  Places: Type.Optional(unitFields.Places),
  People: Type.Optional(unitFields.People),
  MinAge: Type.Optional(unitFields.MinAge),
  MaxAge: Type.Optional(unitFields.MaxAge),
  MinQuantity: Type.Optional(unitFields.MinQuantity),
  MaxQuantity: Type.Optional(unitFields.MaxQuantity),
  Default: Type.Optional(unitFields.Default),
}

export const mostUnits = 50

const unitPriceSchema = Type.Object({
  UnitID: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A unit of the product; 0 is the default unit, and the place of a person without units.',
    examples: [72],
  }),
  Amount: priceSchema.properties.Amount,
})

/** Prices of its own that a schedule or a timeslot has. */
export const unitPricesSchema = Type.Array(unitPriceSchema, {
  maxItems: mostUnits,
  description:
    'Prices of its own, in the product’s currency. A timeslot’s come before those of its schedule, and these before the product’s.',
})
