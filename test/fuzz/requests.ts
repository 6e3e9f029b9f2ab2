/** Requests made from the operations of the OpenAPI document: valid, nearly valid, and hostile ones. */
import fc from 'fast-check'
import { headerText, hostile, type Json, type Schema, spoiled, valid } from './values.ts'

type Parameter = { in: string; name: string; required?: boolean; schema: Schema }
export type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export type Document = { paths: Record<string, Record<string, Operation>> }

/**
 * The sender’s key: with every scope, the same in test mode, of another account, with a single scope, revoked, invalid,
 * or none.
 */
export const callers = [
  'right',
  'test',
  'elsewhere',
  'ota',
  'operator',
  'usage:read',
  'usage:write',
  'revoked',
  'garbage',
  'none',
] as const
export type Caller = (typeof callers)[number]

/** One request, as plain JSON. */
export type FuzzRequest = {
  operation: string
  caller: Caller
  path: Record<string, Json>
  query: [string, Json][]
  headers: Record<string, string>
  /** A body as JSON or as text. Without this field, the request has no body. */
  body?: { json: Json } | { text: string }
}

/** Requests to send at the same time: one in five is of `others`, the rest are of all operations equally. */
export function bursts(document: Document, others: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest[]> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const documented = fc.oneof(...operations.map(requests))
  return fc.array(rarely(documented, others, 4), { minLength: 1, maxLength: 6, size: 'max' })
}

function requests({ operationId, parameters = [], requestBody }: Operation): fc.Arbitrary<FuzzRequest> {
  const within = (where: string) => parameters.filter((parameter) => parameter.in === where)
  const body = requestBody?.content['application/json']?.schema
  const parts = {
    operation: fc.constant(operationId),
    caller: fc.oneof(
      { weight: 20, arbitrary: fc.constant('right' as const) },
      { weight: 4, arbitrary: fc.constant('test' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...callers) },
    ),
    path: fc.record(
      Object.fromEntries(within('path').map(({ name, schema }) => [name, pathPart(schema, name)])),
    ),
    query: fc.tuple(...within('query').map(queryPart), strays).map((given) => given.flat()),
    headers: headers(within('header'), operationId.startsWith('octo')),
  }
  if (!body) return fc.record(parts) as fc.Arbitrary<FuzzRequest>
  return fc.record({ ...parts, body: bodies(body) }) as fc.Arbitrary<FuzzRequest>
}

const rarely = <T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>, weight = 12) =>
  fc.oneof<[fc.WeightedArbitrary<T>, fc.WeightedArbitrary<U>]>(
    { weight, arbitrary: usual },
    { weight: 1, arbitrary: rare },
  )

function pathPart(schema: Schema, name: string): fc.Arbitrary<Json> {
  return rarely(valid(schema, name), fc.oneof(hostile, fc.constantFrom('0', '00', '-1', '1.0', '%2e%2e%2f')))
}

function queryPart({ name, required, schema }: Parameter): fc.Arbitrary<[string, Json][]> {
  const good = valid(schema, name).map((value): [string, Json][] =>
    Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]],
  )
  const bad = fc
    .array(hostile, { maxLength: 2 })
    .map((values) => values.map((one): [string, Json] => [name, one]))
  const given = rarely(good, bad)
  return required ? given : fc.oneof(fc.constant<[string, Json][]>([]), given)
}

/** Unknown parameters. */
const strays = rarely(
  fc.constant<[string, Json][]>([]),
  fc.constantFrom<[string, Json][]>([['__proto__', 'x']], [['a[b]', '1']], [['', '']], [['Limit', 'all']]),
)

/** @param asksForMore whether the request may have the header octo-capabilities. */
function headers(parameters: Parameter[], asksForMore: boolean): fc.Arbitrary<Record<string, string>> {
  const takesKey = parameters.some(({ name }) => name === 'idempotency-key')
  // A few keys are used repeatedly, so that some requests have the key of an earlier one.
  const key = rarely(fc.uuid(), fc.oneof(fc.constantFrom('a', 'b', 'c'), headerText), 4)
  return fc
    .record(
      {
        ...(takesKey && { 'idempotency-key': key }),
        ...(asksForMore && { 'octo-capabilities': capabilities }),
        'content-type': rarely(
          fc.constant('application/json'),
          fc.constantFrom(
            'text/plain',
            'application/x-www-form-urlencoded',
            'application/xml',
            'nonsense',
            '',
          ),
          30,
        ),
        'if-none-match': rarely(fc.constantFrom('*', 'W/"x"', '"'), headerText),
        'request-id': headerText,
        accept: headerText,
        'x-forwarded-for': headerText,
      },
      { requiredKeys: ['content-type'] },
    )
    .map((given) => Object.fromEntries(Object.entries(given).filter(([name]) => worthIt(name, given))))
}

const capabilities = rarely(
  fc
    .subarray(['octo/content', 'octo/notifications', 'octo/pricing', 'octo/questions', 'pricing', ' '])
    .map((some) => some.join(',')),
  headerText,
)

/** Leaves out most headers that have little effect. */
function worthIt(name: string, given: Record<string, unknown>): boolean {
  return (
    ['idempotency-key', 'content-type', 'octo-capabilities'].includes(name) ||
    String(given[name]).length % 5 === 0
  )
}

function bodies(schema: Schema): fc.Arbitrary<FuzzRequest['body']> {
  const good = valid(schema)
  const json = (values: fc.Arbitrary<Json>) => values.map((value) => ({ json: value }))
  return fc.oneof(
    { weight: 20, arbitrary: json(good) },
    { weight: 6, arbitrary: json(spoiled(good)) },
    { weight: 1, arbitrary: json(hostile) },
    { weight: 1, arbitrary: brokenTexts.map((text) => ({ text })) },
  )
}

const brokenTexts = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '{"a":1,}',
    'kayak',
    '\uFEFF{}',
    '{"a":1e400}',
    '{"a":"\\ud800"}',
    '{"a":1}{"a":2}',
  ),
  fc.constantFrom(
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '"x"',
    '[[]]',
  ),
  fc.constantFrom('['.repeat(200_000), '{"a":'.repeat(100_000), `"${'x'.repeat(1_100_000)}"`),
  fc.string({ unit: 'binary', maxLength: 50 }),
)
