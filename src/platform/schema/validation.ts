/**
 * Checks requests against their schemas with Ajv. It coerces nothing in a body, names every failing field,
 * and refuses text that the database cannot store (NUL, lone surrogates).
 */
import { Ajv, type ErrorObject, type KeywordDefinition, type Options, str, type ValidateFunction } from 'ajv'
import formatsModule from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { isCalendarDate } from '../text/calendar.ts'
import { countDecimals } from '../text/decimal.ts'
import { type Clean, type CompiledSchema, compileClean, fieldName, type ValueFault } from './cleaning.ts'

/** A failing field: its name in the request (`Customer.Email`, `Answers[0].QuestionID`) and what is wrong. */
export type FieldError = { field: string; message: string }

/** The failing fields of one part of a request. Fastify adds the name of the part (`validationContext`). */
export class InvalidFields extends Error {
  readonly fields: FieldError[]

  constructor(fields: FieldError[]) {
    super('invalid fields')
    this.fields = fields
  }
}

// The most failing fields that one response names. A batch of 1000 usage entries has four fields in each.
const maxErrors = 4000

const formatMessages: Record<string, string> = {
  date: 'must be a calendar date, YYYY-MM-DD',
  'date-time': 'must be an instant with its offset, such as 2027-06-12T09:00:00Z',
  email: 'must be an e-mail address',
}

function createAjv(options: Options): Ajv {
  // A test checks the schemas themselves. Doing it here would cost each process a tenth of its start time.
  const made = new Ajv({ strict: true, strictTypes: false, validateSchema: false, ...options })
  formatsModule.default(made, ['email', 'date-time', 'uri'])
  made.addFormat('date', isCalendarDate)
  // The message for a caller where the pattern alone would not explain the rule.
  made.addKeyword('errorMessage')
  // For a union where one field of several is required: when all are missing, the first one is named.
  made.addKeyword('namesFirst')
  // For a query, as in OpenAPI: false where a list is one parameter, separated by commas.
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
      // A character is one or two UTF-16 units, so only text between the two limits needs counting.
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

/** Reports every error, with the schema and the data that messages use (`verbose`). */
export const ajv = createAjv({ allErrors: true, verbose: true })
/** Stops at the first error, which takes less time for valid requests. */
const quickAjv = createAjv({})

/**
 * Fastify's validator compiler for all parts of a request. Each validator is compiled at its first use, like
 * the serializers of responses.
 */
export const validatorCompiler: FastifySchemaCompiler<CompiledSchema> = ({ schema, httpPart }) => {
  let clean: Clean | undefined
  let isValid: ValidateFunction | undefined
  return (data: unknown) => {
    clean ??= compileClean(schema, httpPart === 'body')
    isValid ??= quickAjv.compile(schema)
    if (httpPart === 'querystring') readQuery(schema, data as Record<string, unknown>)
    const faults = clean(data)
    // clean() changes the data in place. If this function returned a new object for the headers, Fastify
    // would copy the headers each time they are read.
    if (isValid(data) && !faults) return true
    const fields = [...(faults ?? []).map(toFieldError), ...findErrors(schema, data, httpPart)]
    return { error: new InvalidFields(onePerField(fields)) }
  }
}

/**
 * Removes empty parameters, which mean "omitted". Converts an integer parameter to a number if it has only
 * digits. Makes a list parameter an array, and with `explode: false` also splits its text at commas.
 */
function readQuery(schema: CompiledSchema, query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === '') delete query[name]
    else if (schema.properties?.[name]?.type === 'array') {
      const values = [value].flat().filter((one) => one !== '')
      if (values.length === 0) delete query[name]
      else query[name] = schema.explode === false ? values.flatMap((one) => String(one).split(',')) : values
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
  // Required fields are named before fields of a choice.
  const named = errors.filter((error) => isOfChoice(error) && error.schemaPath.endsWith('/0/required'))
  return [...errors.filter((error) => !isOfChoice(error)), ...named].flatMap((error) =>
    describe(error, httpPart),
  )
}

/** Whether the error says that all fields of a union with the keyword `namesFirst` are missing. */
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

/**
 * When an object is missing, its required fields are missing too, and the response names them all at once.
 */
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
  return plainMessage(message ?? 'is not valid')
}

/** Patterns of Ajv's messages, and plain English in their place. */
const plainWords: readonly [RegExp, string][] = [
  [/^must be (?=string$|number$|boolean$)/, '$&a '],
  [/^must be integer$/, 'must be a whole number'],
  [/^must be array$/, 'must be a list'],
  [/^must be object$/, 'must be an object'],
  [/^must be equal to constant$/, 'must be one of the allowed values'],
  [/^must match a schema in anyOf$/, 'must have one of the allowed forms'],
  [
    /^must NOT have duplicate items.* (\d+) and (\d+) .*/,
    'must not repeat an item: [$1] and [$2] are the same',
  ],
  [/(?<=^must )NOT have fewer than/, 'have at least'],
  [/(?<=^must )NOT have more than/, 'have at most'],
  [/(?<=^must be )>=/, 'at least'],
  [/(?<=^must be )<=/, 'at most'],
  [/(?<=^must be )>/, 'above'],
  [/(?<=^must be )</, 'below'],
  [/ properties$/, ' fields'],
  // Ajv writes every number with the plural.
  [/ 1 (character|item|field)s$/, ' 1 $1'],
]

/** A message of Ajv in plain English. Messages of our own keywords are returned unchanged. */
export function plainMessage(message: string): string {
  return plainWords.reduce((text, [pattern, words]) => text.replace(pattern, words), message)
}

function toFieldError({ path, message }: ValueFault): FieldError {
  return { field: fieldName(path), message }
}

function onePerField(fields: FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>()
  for (const field of fields) if (!first.has(field.field)) first.set(field.field, field)
  return [...first.values()].slice(0, maxErrors)
}
