/**
 * Values made from the JSON Schemas of the OpenAPI document: valid ones, ones with one error, and hostile
 * ones. A value may name something of the service (`Known`), so that a request with a finding is the same on
 * any database.
 */
import fc from 'fast-check'
import { isKnownName, knownNameOf, usuallyGiven } from './names.ts'

/** The part of JSON Schema that the document uses. */
export type Schema = {
  type?: string
  format?: string
  pattern?: string
  enum?: Json[]
  const?: Json
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  trimmedLength?: number
  maxBytes?: number
}
export type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json }

/** A value of the service, by its kind and its position among the known ones, which wraps around. */
export type Known = { $known: string; at: number }

/** Text that has broken programs. As data it is valid. */
const nastyTexts = [
  "Robert'); drop table bookings; --",
  '{{ 7 | times: 7 }}{% include "/etc/passwd" %}',
  '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://evil.test")',
  'Ada\r\nBcc: evil@example.com',
  '../../../etc/passwd',
  '__proto__',
  'constructor',
  '%00%zz',
  '%_\\',
  '\u202Egnirts',
  '👩‍👩‍👧',
  '9007199254740993',
  '\uFEFF',
]
const storable = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(...nastyTexts) },
  { weight: 1, arbitrary: fc.nat(12_000).map((length) => 'ß'.repeat(length)) },
)

/** Text of characters that a header can have. */
export const headerText = fc.string({
  unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
})

/** Values that most schemas do not allow. */
export const hostile: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(undefined, null, true, '', ' ', -1, 0, 1.5, -0, 1e308, 2 ** 31, 2 ** 53, 2 ** 63),
  fc.constantFrom<Json>('\0', '\uD800', '0000-00-00', '2027-02-30', '24:00', '-1', '1e999', 'NaN', '٣'),
  fc.constantFrom<Json>('9999-12-31', '0001-01-01', '+010000-01-01', '9999-12-31T23:59:60Z', '99:99'),
  fc.constantFrom<Json>(...nastyTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.nat(20_000).map((length) => 'x'.repeat(length)),
  fc.nat(3000).map((length) => Array.from({ length }, () => 0)),
  fc.constantFrom<Json>({ $ne: null }, { toString: 1 }, [[]], [null], { length: 9 }),
  fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json),
)

/** Values that the schema of a field allows. */
export function valid(schema: Schema, field = ''): fc.Arbitrary<Json> {
  const name = knownNameOf[field] ?? field
  const made = ofSchema(schema, field)
  // Few questions belong to the product of the request, so most answers would be refused.
  if (field === 'Answers' || field === 'questionAnswers')
    return fc.oneof({ weight: 4, arbitrary: fc.constant<Json>([]) }, { weight: 1, arbitrary: made })
  // A payment's ID is the provider's own.
  const isOthers = name === 'ID' && schema.maxLength !== undefined
  if (schema.type === 'array' || schema.type === 'object' || isOthers || !isKnownName(name)) return made
  const known = fc.record({ $known: fc.constant(name), at: someOfMany }) satisfies fc.Arbitrary<Known>
  return fc.oneof({ weight: 25, arbitrary: known }, { weight: 1, arbitrary: made })
}

// Prefers values that were known first, because they have places to sell.
const someOfMany = fc.oneof(fc.nat(4), fc.nat(60))

function ofSchema(schema: Schema, field: string): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf && !schema.properties)
    return fc.oneof(...schema.anyOf.map((branch) => valid(branch, field)))
  switch (schema.type) {
    case 'object':
      return objects(schema)
    case 'array':
      return lists(schema, field)
    case 'integer':
      return integers(schema)
    case 'number':
      return fc.oneof(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 1e-9, max: 1e12, noNaN: true }).map((value) => Number(value.toPrecision(6))),
        fc.constantFrom(0.1, 1e-20, 999_999_999_999_999),
      )
    case 'string':
      return texts(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json)
  }
}

function lists({ items = {}, minItems = 0, maxItems = 3 }: Schema, field: string): fc.Arbitrary<Json> {
  const most = Math.max(minItems, Math.min(maxItems, 3))
  const some = fc.array(valid(items, field), { minLength: minItems, maxLength: most })
  return minItems === 0 && field !== 'unitItems'
    ? fc.oneof({ weight: 2, arbitrary: fc.constant<Json[]>([]) }, { weight: 1, arbitrary: some })
    : some
}

/** Uuids of new objects; a few of them belong to existing ones. */
const newUuids = fc.oneof(
  { weight: 8, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.record({ $known: fc.constant('bookingUuid'), at: someOfMany }) },
)

/**
 * If the schema has branches (`anyOf`), most objects have the fields of one branch, and the others those of
 * all.
 */
function objects({ properties = {}, required = [], anyOf = [] }: Schema): fc.Arbitrary<Json> {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, name === 'uuid' ? newUuids : valid(field, name)] as const,
  )
  const make = (omitted: readonly string[], needed: readonly string[]) =>
    fc.record<Record<string, Json>, string>(
      Object.fromEntries(fields.filter(([name]) => !omitted.includes(name))),
      { requiredKeys: [...required, ...needed] },
    )
  const branches = anyOf.map((branch) => branch.required ?? [])
  const [first, ...others] = branches.map((branch) =>
    make(
      branches.flat().filter((name) => !branch.includes(name)),
      branch,
    ),
  )
  const wanted = Object.keys(properties).filter((name) => usuallyGiven.includes(name))
  if (!first)
    return fc.oneof({ weight: 3, arbitrary: make([], wanted) }, { weight: 1, arbitrary: make([], []) })
  const both = make([], branches.flat())
  return fc.oneof({ weight: 3, arbitrary: fc.oneof(first, ...others) }, both, both.map(counted))
}

/** A party whose Participants are the sum of its units, as if each unit were one person. */
function counted(party: Record<string, Json>): Json {
  const units = party.Units as { Quantity: number }[] | undefined
  return units ? { ...party, Participants: units.reduce((sum, { Quantity }) => sum + Quantity, 0) } : party
}

function integers({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: minimum, max: Math.min(minimum + 8, maximum) }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
    { weight: 1, arbitrary: fc.maxSafeInteger().map((value) => clamp(value, minimum, maximum)) },
  )
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

function texts({ format, pattern, minLength = 0, ...schema }: Schema): fc.Arbitrary<string> {
  if (format === 'date') return dates
  if (format === 'date-time') return dates.map((date) => `${date}T09:30:00+02:00`)
  if (format === 'email')
    return fc.oneof(
      { weight: 8, arbitrary: fc.emailAddress() },
      { weight: 1, arbitrary: fc.constantFrom(...simulatedRefusals) },
    )
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  const { trimmedLength, maxLength = trimmedLength ?? 10_000 } = schema
  const short = (text: string) => [...text].slice(0, maxLength).join('').toWellFormed()
  const least = trimmedLength ? 1 : minLength
  return storable.map((text) => (text.trim().length < least ? 'x'.repeat(least) : short(text)))
}

/** Addresses that are refused with a test key: three simulated refusals, and an address that simulates nothing. */
const simulatedRefusals = ['sold-out', 'timeslot-closed', 'product-gone', 'soldout'].map(
  (name) => `${name}@simulated.test`,
)

const dates = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 400 }).map((days) => isoDay(Date.now() / 864e5 + days)) },
  { weight: 1, arbitrary: fc.integer({ min: -719_162, max: 2_932_896 }).map(isoDay) },
)

function isoDay(days: number): string {
  return new Date(days * 864e5).toISOString().slice(0, 10)
}

/** Values with something hostile in the place of one of their parts, or without that part. */
export function spoiled(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.tuple(values, fc.nat(1000), hostile).map(([value, at, wrong]) => {
    const places = placesOf(value)
    return replace(value, places[at % places.length]!, wrong)
  })
}

type Place = (string | number)[]

function placesOf(value: Json, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || '$known' in value) return [place]
  return [place, ...Object.entries(value).flatMap(([name, part]) => placesOf(part, [...place, name]))]
}

function replace(value: Json, [name, ...rest]: Place, wrong: Json): Json {
  if (name === undefined) return wrong
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, Json>
  copy[name] = replace(copy[name], rest, wrong)
  return copy
}
