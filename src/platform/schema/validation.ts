/**
 * Checks requests against their schemas with Ajv: nothing in a body is coerced, every failing field is named,
 * and text that the database could not keep as it is (NUL, lone surrogates) is refused everywhere.
 */
import { Ajv, type ErrorObject, type KeywordDefinition, type Options, str, type ValidateFunction } from 'ajv'
import formatsModule from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { isCalendarDate } from '../text/calendar.ts'
import { countDecimals } from '../text/decimal.ts'
import { type Clean, type CompiledSchema, compileClean, fieldName, type ValueFault } from './cleaning.ts'

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

// As many as the largest request there is can have: 1000 entries of four fields.
const mostErrors = 4000

const formatMessages: Record<string, string> = {
  date: 'must be a calendar date, YYYY-MM-DD',
  'date-time': 'must be an instant with its offset, such as 2027-06-12T09:00:00Z',
  email: 'must be an e-mail address',
}

function createAjv(options: Options): Ajv {
  // Schemas are held against JSON Schema's own in a test: here it would cost each process a tenth of its start.
  const made = new Ajv({ strict: true, strictTypes: false, validateSchema: false, ...options })
  formatsModule.default(made, ['email', 'date-time', 'uri'])
  made.addFormat('date', isCalendarDate)
  // What a caller is told where a pattern alone would say it badly.
  made.addKeyword('errorMessage')
  // Of a union of fields of which one has to be there: that the first is named when all are missing.
  made.addKeyword('namesFirst')
  // Of a query, as in OpenAPI: false where a list is one parameter, separated by commas.
  made.addKeyword('explode')
  for (const keyword of keywords) made.addKeyword(keyword)
  return made
}

const keywords: KeywordDefinition[] = [
  {
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
  },
  {
    keyword: 'maxBytes',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
    error: { message: ({ schema }) => str`must have at most ${schema} bytes of UTF-8` },
  },
  {
    keyword: 'maxDecimals',
    type: 'number',
    schemaType: 'number',
    validate: (most: number, value: number) => countDecimals(value) <= most,
    error: { message: ({ schema }) => str`must have at most ${schema} decimals` },
  },
]

/** Names every error, with what its message needs. */
export const ajv = createAjv({ allErrors: true, verbose: true })
/** Stops at the first error, which takes less time for what is valid. */
const quickAjv = createAjv({})

/** Fastify's validator compiler for all parts of a request. Like answers' functions, each is made at its first use. */
export const validatorCompiler: FastifySchemaCompiler<CompiledSchema> = ({ schema, httpPart }) => {
  let clean: Clean | undefined
  let isValid: ValidateFunction | undefined
  return (data: unknown) => {
    clean ??= compileClean(schema, httpPart === 'body')
    isValid ??= quickAjv.compile(schema)
    if (httpPart === 'querystring') readQuery(schema, data as Record<string, unknown>)
    const faults = clean(data)
    // What is changed is changed in place: Fastify copies the headers at each use of them if it is given a value.
    if (isValid(data) && !faults) return true
    const fields = [...(faults ?? []).map(toFieldError), ...findErrors(schema, data, httpPart)]
    return { error: new InvalidFields(onePerField(fields)) }
  }
}

/**
 * An empty parameter counts as not given; one that is meant as an integer is read as one when it looks so, and
 * one that may be repeated is always a list, of a schema that says so also between commas.
 */
function readQuery(schema: CompiledSchema, query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === '') delete query[name]
    else if (schema.properties?.[name]?.type === 'array') {
      const values = [value].flat()
      query[name] = schema.explode === false ? values.flatMap((one) => String(one).split(',')) : values
    } else if (schema.properties?.[name]?.type === 'integer' && /^\d{1,16}$/.test(String(value))) {
      query[name] = Number(value)
    }
  }
}

function findErrors(schema: CompiledSchema, data: unknown, httpPart?: string): FieldError[] {
  ajv.validate(schema, data)
  const errors = ajv.errors ?? []
  const choices = new Set(errors.filter(isChoice).map(({ schemaPath }) => schemaPath))
  if (choices.size === 0) return errors.flatMap((error) => describe(error, httpPart))
  const isOfChoice = ({ schemaPath }: ErrorObject) => choices.has(schemaPath.replace(/\/\d+\/required$/, ''))
  // What a request has to have anyway is named before what it has a choice of.
  const named = errors.filter((error) => isOfChoice(error) && error.schemaPath.endsWith('/0/required'))
  return [...errors.filter((error) => !isOfChoice(error)), ...named].flatMap((error) =>
    describe(error, httpPart),
  )
}

/** Whether it says that none of the fields of a union is there of which the first is named. */
function isChoice({ keyword, parentSchema }: ErrorObject): boolean {
  return keyword === 'anyOf' && parentSchema?.namesFirst === true
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

function toFieldError({ path, message }: ValueFault): FieldError {
  return { field: fieldName(path), message }
}

function onePerField(fields: FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>()
  for (const field of fields) if (!first.has(field.field)) first.set(field.field, field)
  return [...first.values()].slice(0, mostErrors)
}
