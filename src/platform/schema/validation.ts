/**
 * Checks requests against their schemas with Ajv: nothing in a body is coerced, every failing field is named,
 * and text that the database could not keep as it is (NUL, lone surrogates) is refused everywhere.
 */
import { Ajv, type ErrorObject, str, type ValidateFunction } from 'ajv'
import formatsModule from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { isCalendarDate } from '../text/calendar.ts'
import { countDecimals } from '../text/decimal.ts'

/** One failing field: its name as on the wire (`Customer.Email`, `Answers[0].QuestionID`) and what is wrong. */
export type FieldError = { field: string; message: string }

/** What failed in one part of a request. Fastify adds which part (`validationContext`). */
export class InvalidFields extends Error {
  readonly fields: FieldError[]

  constructor(fields: FieldError[]) {
    super('invalid fields')
    this.fields = fields
  }
}

/** The little of JSON Schema that is read here before Ajv does the rest. */
type CompiledSchema = {
  type?: string
  properties?: Record<string, CompiledSchema>
  required?: string[]
  items?: CompiledSchema
  maxItems?: number
  anyOf?: CompiledSchema[]
}

// As many as the largest request there is can have: 1000 entries of four fields.
const mostErrors = 4000

const formatMessages: Record<string, string> = {
  date: 'must be a calendar date, YYYY-MM-DD',
  'date-time': 'must be an instant with its offset, such as 2027-06-12T09:00:00Z',
  email: 'must be an e-mail address',
}

export const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false })
formatsModule.default(ajv, ['email', 'date-time', 'uri'])
ajv.addFormat('date', isCalendarDate)
// What a caller is told where a pattern alone would say it badly.
ajv.addKeyword('errorMessage')
ajv.addKeyword({
  keyword: 'trimmedLength',
  type: 'string',
  schemaType: 'number',
  validate: (most: number, text: string) => {
    const trimmed = text.trim()
    // A character is one unit or two, so only a text between the bounds is taken apart to be counted.
    if (trimmed.length <= most) return trimmed !== ''
    return trimmed.length <= 2 * most && [...trimmed].length <= most
  },
  error: { message: ({ schema }) => str`must have 1 to ${schema} characters` },
})
ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'string',
  schemaType: 'number',
  validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
  error: { message: ({ schema }) => str`must have at most ${schema} bytes of UTF-8` },
})
ajv.addKeyword({
  keyword: 'maxDecimals',
  type: 'number',
  schemaType: 'number',
  validate: (most: number, value: number) => countDecimals(value) <= most,
  error: { message: ({ schema }) => str`must have at most ${schema} decimals` },
})

/** Fastify's validator compiler for all parts of a request. Like answers' functions, each is made at its first use. */
export const validatorCompiler: FastifySchemaCompiler<CompiledSchema> = ({ schema, httpPart }) => {
  let validate: ValidateFunction | undefined
  return (data: unknown) => {
    validate ??= ajv.compile(schema)
    if (httpPart === 'querystring') readQuery(schema, data as Record<string, unknown>)
    const faults: FieldError[] = []
    clean(schema, data, '', faults, httpPart === 'body')
    if (validate(data) && faults.length === 0) return { value: data }
    const fields = [...faults, ...(validate.errors ?? []).flatMap((error) => describe(error, httpPart))]
    return { error: new InvalidFields(onePerField(fields)) }
  }
}

/**
 * An empty parameter counts as not given; one that is meant as an integer is read as one when it looks so, and
 * one that may be repeated is always a list.
 */
function readQuery(schema: CompiledSchema, query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === '') delete query[name]
    else if (schema.properties?.[name]?.type === 'array') query[name] = [value].flat()
    else if (schema.properties?.[name]?.type === 'integer' && /^\d{1,16}$/.test(String(value))) {
      query[name] = Number(value)
    }
  }
}

/**
 * Drops null from optional fields, where it means "omitted", and finds what Ajv should not be asked about: text
 * that cannot be stored, and lists past their bound, whose items (cut off here) would give an error each.
 */
function clean(
  schema: CompiledSchema,
  value: unknown,
  path: string,
  faults: FieldError[],
  inBody: boolean,
): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) faults.push({ field: path, message: unstorable })
  } else if (Array.isArray(value)) {
    const { items, maxItems = Number.POSITIVE_INFINITY } = branchFor(schema, 'array')
    if (value.length > maxItems) {
      faults.push({ field: path, message: `must have at most ${maxItems} items` })
      value.length = maxItems
    }
    if (items)
      for (const [index, item] of value.entries()) clean(items, item, `${path}[${index}]`, faults, inBody)
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>
    const known = schema.properties ?? {}
    const within = (name: string) => (path ? `${path}.${name}` : name)
    for (const name in known) {
      if (fields[name] === null && !schema.required?.includes(name)) delete fields[name]
      else clean(known[name]!, fields[name], within(name), faults, inBody)
    }
    for (const name of inBody ? Object.keys(fields) : []) {
      if (!Object.hasOwn(known, name) && !isAllStorable(fields[name]))
        faults.push({ field: within(name), message: unstorable })
    }
  }
}

const unstorable = 'must not contain NUL or lone surrogates'

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Whether all text of a value that no schema bounds is storable; it may be nested as deep as a body is long. */
function isAllStorable(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string' && !isStorable(one)) return false
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) left.push(inner)
  }
  return true
}

function branchFor(schema: CompiledSchema, type: string): CompiledSchema {
  return schema.anyOf?.find((branch) => branch.type === type) ?? schema
}

function describe(error: ErrorObject, httpPart = 'body'): FieldError[] {
  const path = error.instancePath
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  if (error.keyword === 'required') {
    const { missingProperty } = error.params as { missingProperty: string }
    const schema = error.parentSchema as CompiledSchema
    return missing(
      schema.properties?.[missingProperty] ?? {},
      path ? `${path}.${missingProperty}` : missingProperty,
    )
  }
  const field = httpPart === 'headers' ? path.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()) : path
  return [{ field: field || httpPart, message: messageOf(error) }]
}

/** A missing object lacks all its required fields as well, and a caller wants to know them at once. */
function missing(schema: CompiledSchema, field: string): FieldError[] {
  const inner = (schema.required ?? []).flatMap((name) =>
    missing(schema.properties?.[name] ?? {}, `${field}.${name}`),
  )
  return [{ field, message: 'is required' }, ...inner]
}

function messageOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  if (keyword === 'pattern' && parentSchema?.errorMessage) return parentSchema.errorMessage
  if (keyword === 'format') return formatMessages[(params as { format: string }).format] ?? String(message)
  if (keyword === 'enum')
    return `must be one of ${(params as { allowedValues: string[] }).allowedValues.join(', ')}`
  return message ?? 'is not valid'
}

function onePerField(fields: FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>()
  for (const field of fields) if (!first.has(field.field)) first.set(field.field, field)
  return [...first.values()].slice(0, mostErrors)
}
