/**
 * What the validation of a request refuses, removes and names, compared with a simple walk over schema and
 * value.
 */
import * as fc from 'fast-check'
import t from 'tap'
import { type CompiledSchema, compileClean, fieldName } from '../../../src/platform/schema/cleaning.ts'
import { ajv, type FieldError, validatorCompiler } from '../../../src/platform/schema/validation.ts'
import { bookingRequestSchema } from '../../../src/sales/booking/schemas.ts'

const unstorable = 'must not contain NUL or lone surrogates'
const booking = {
  ActivityID: 's_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10',
  Date: '2030-06-15',
  Time: '10:00',
  Participants: 2,
  Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
}

/** The refused fields, or null if the body is accepted. */
function check(body: unknown, schema: object = bookingRequestSchema): FieldError[] | null {
  const validate = validatorCompiler({
    schema,
    method: 'POST',
    url: '/',
    httpPart: 'body',
  })
  const result = validate(body) as true | { error: { fields: FieldError[] } }
  return result === true ? null : result.error.fields
}

/** A query as the service reads it, and the refused fields. */
function readQuery(schema: object, query: Record<string, unknown>) {
  const validate = validatorCompiler({ schema, method: 'GET', url: '/', httpPart: 'querystring' })
  const result = validate(query) as true | { error: { fields: FieldError[] } }
  return { query, faults: result === true ? [] : result.error.fields.map(({ field }) => field) }
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** The rules in a simple form: walks schema and value together, cleans the value, and returns its errors. */
function cleanPlainly(schema: CompiledSchema, value: unknown, path: string, isBody: boolean): FieldError[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [{ field: path, message: unstorable }]
  if (Array.isArray(value)) {
    const list = schema.anyOf?.find(({ type }) => type === 'array') ?? schema
    const { items, maxItems = Number.POSITIVE_INFINITY } = list
    const faults =
      value.length > maxItems ? [{ field: path, message: `must have at most ${maxItems} items` }] : []
    if (value.length > maxItems) value.length = maxItems
    if (!items) return faults
    return [
      ...faults,
      ...value.flatMap((item, index) => cleanPlainly(items, item, `${path}[${index}]`, isBody)),
    ]
  }
  if (typeof value !== 'object' || value === null) return []
  const fields = value as Record<string, unknown>
  const within = (name: string) => (path ? `${path}.${name}` : name)
  const known = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (fields[name] !== null || schema.required?.includes(name))
      return cleanPlainly(property, fields[name], within(name), isBody)
    delete fields[name]
    return []
  })
  const unknown = Object.keys(fields).filter(
    (name) => isBody && !Object.hasOwn(schema.properties ?? {}, name),
  )
  const isBad = (one: unknown): boolean =>
    typeof one === 'string'
      ? !isStorable(one)
      : typeof one === 'object' && one !== null && Object.values(one).some(isBad)
  return [
    ...known,
    ...unknown
      .filter((name) => isBad(fields[name]))
      .map((name) => ({ field: within(name), message: unstorable })),
  ]
}

const schema: CompiledSchema = {
  type: 'object',
  properties: {
    Name: { type: 'string' },
    Note: { type: 'string' },
    Inner: { type: 'object', properties: { Name: { type: 'string' } }, required: ['Name'] },
    List: { type: 'array', items: { type: 'object', properties: { Name: { type: 'string' } } }, maxItems: 2 },
    Either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 1 }] },
    Any: {},
  },
  required: ['Name', 'Inner'],
}

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('', 'text', 'ß', '\0', 'a\uD800', '\uDC00b', '😀', null, 1, true),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom('Name', 'Note', 'Inner', 'List', 'Either', 'Any', 'Other', '[0]', 'constructor'),
      tie('any'),
    ),
  ),
})).any

const parsed = <T>(body: T): T => JSON.parse(JSON.stringify(body))

t.test(
  'a body is cleaned, and its errors are named, as by a simple walk over schema and value',
  async (t) => {
    const property = fc.property(value, fc.boolean(), (given, isBody) => {
      const [ours, theirs] = [parsed(given), parsed(given)]
      const faults = compileClean(schema, isBody)(ours) ?? []
      const named = faults.map(({ path, message }) => ({ field: fieldName(path), message }))
      t.strictSame(named, cleanPlainly(schema, theirs, '', isBody))
      t.equal(JSON.stringify(ours), JSON.stringify(theirs))
    })
    fc.assert(property, { numRuns: 1000 })
  },
)

t.test(
  'the check that stops at the first error and the check that names all errors accept the same bodies',
  async (t) => {
    const names = ['ActivityID', 'Date', 'Time', 'Participants', 'Customer', 'PaymentReference', 'Answers']
    const property = fc.property(fc.constantFrom(...names), value, (name, given) => {
      const [ours, theirs] = [parsed({ ...booking, [name]: given }), parsed({ ...booking, [name]: given })]
      const faults = cleanPlainly(bookingRequestSchema as CompiledSchema, theirs, '', true)
      t.equal(check(ours) === null, ajv.validate(bookingRequestSchema, theirs) && faults.length === 0)
    })
    fc.assert(property, { numRuns: 500 })
  },
)

t.test('null in an optional field counts as left out', async (t) => {
  const body = { ...booking, PaymentReference: null, Customer: { ...booking.Customer, Phone: null } }
  t.equal(check(body), null)
  t.strictSame(body, booking)
})

t.test('every failing field is named once, for errors of several kinds', async (t) => {
  const body = {
    Date: '2030-02-30',
    Time: '25:00\0',
    Participants: 0,
    Customer: { FirstName: '\uD800', Email: 'ada' },
    Answers: [{ QuestionID: 0, Value: ['fine', '\0'] }],
    'More\0': { Deep: ['\0'] },
  }
  t.strictSame(check(body), [
    { field: 'Time', message: unstorable },
    { field: 'Customer.FirstName', message: unstorable },
    { field: 'Answers[0].Value[1]', message: unstorable },
    { field: 'More\0', message: unstorable },
    { field: 'ActivityID', message: 'is required' },
    { field: 'Date', message: 'must be a calendar date, YYYY-MM-DD' },
    { field: 'Participants', message: 'must be at least 1' },
    { field: 'Customer.LastName', message: 'is required' },
    { field: 'Customer.Email', message: 'must be an e-mail address' },
    { field: 'Answers[0].QuestionID', message: 'must be at least 1' },
  ])
})

t.test('a list that is too long is named once, and its items above the limit are not checked', async (t) => {
  const answer = { QuestionID: 31, Value: 'Yes' }
  const body = { ...booking, Answers: [...Array.from({ length: 1000 }, () => answer), 'no answer', '\0'] }
  t.strictSame(check(body), [{ field: 'Answers', message: 'must have at most 1000 items' }])
})

t.test(
  'when a request has no party, the error names Participants, after the fields that every request needs',
  async (t) => {
    const { Participants, Customer, ...others } = booking
    t.strictSame(check({ ...others, Customer }), [{ field: 'Participants', message: 'is required' }])
    t.same(
      check(others)!.map(({ field }) => field),
      ['Customer', 'Customer.FirstName', 'Customer.LastName', 'Customer.Email', 'Participants'],
    )
    const lines = { type: 'object', properties: { Lines: { type: 'array', items: bookingRequestSchema } } }
    t.strictSame(check({ Lines: [booking, { ...others, Customer }] }, lines), [
      { field: 'Lines[1].Participants', message: 'is required' },
    ])
  },
)

t.test(
  'if one of several fields is required and all are missing, the errors name each field and the choice',
  async (t) => {
    const union = {
      type: 'object',
      anyOf: [
        { properties: { Email: {} }, required: ['Email'] },
        { properties: { Phone: {} }, required: ['Phone'] },
      ],
    }
    t.strictSame(check({}, union), [
      { field: 'Email', message: 'is required' },
      { field: 'Phone', message: 'is required' },
      { field: 'body', message: 'must have one of the allowed forms' },
    ])
    t.equal(check({ Phone: '+351912345678' }, union), null)
  },
)

t.test(
  'a list in a query is separated by commas where the schema says so, and repeated elsewhere',
  async (t) => {
    const properties = { IDs: { type: 'array', items: { type: 'string', pattern: '^[a-z]$' }, maxItems: 3 } }
    const [separated, repeated] = [
      { type: 'object', properties, explode: false },
      { type: 'object', properties },
    ]
    t.same(readQuery(separated, { IDs: 'a,b' }), { query: { IDs: ['a', 'b'] }, faults: [] })
    t.same(readQuery(separated, { IDs: ['a,b', 'c'] }), { query: { IDs: ['a', 'b', 'c'] }, faults: [] })
    t.same(readQuery(separated, { IDs: ',a' }).faults, ['IDs[0]'])
    t.same(readQuery(separated, { IDs: 'a,b,c,d' }).faults, ['IDs'])
    t.same(readQuery(separated, { IDs: '' }), { query: {}, faults: [] })
    t.same(readQuery(repeated, { IDs: ['a', 'b'] }), { query: { IDs: ['a', 'b'] }, faults: [] })
    t.same(readQuery(repeated, { IDs: 'a' }), { query: { IDs: ['a'] }, faults: [] })
    t.same(readQuery(repeated, { IDs: 'a,b' }).faults, ['IDs[0]'])
  },
)

t.test('lists in a query are read as they were written, with commas or repeated', async () => {
  const schema = {
    type: 'object',
    properties: { IDs: { type: 'array', items: { type: 'string' } } },
    explode: false,
  }
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.stringMatching(/^[^,\0]{1,5}$/), { minLength: 1 }), { minLength: 1 }),
      (lists) => {
        const { query } = readQuery(schema, { IDs: lists.map((list) => list.join(',')) })
        return JSON.stringify(query.IDs) === JSON.stringify(lists.flat())
      },
    ),
  )
})
