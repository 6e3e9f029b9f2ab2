/**
 * Converts the fields of a form to a body as the schema of the route describes it, so that forms and API
 * requests are validated in the same way. The name of a field is its path: `Customer.Email`,
 * `Lines[0].Participants`.
 */
import type { FastifyInstance } from 'fastify'
import { type FormFields, textsOf } from '../../http/form-fields.ts'

export { type FormFields, textsOf } from '../../http/form-fields.ts'

/** The parts of JSON Schema that this file uses. */
type FormSchema = {
  type?: string
  properties?: Record<string, FormSchema>
  items?: FormSchema
  anyOf?: FormSchema[]
}

/**
 * Replaces the body of each POST by an object with the structure of the schema, if the route has a schema for
 * its body. The fields as sent stay in `formFields`. Fields that the schema does not have, such as the tokens
 * of the form, are dropped.
 */
export function readForms(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body as FormSchema | undefined
    if (!schema || request.method !== 'POST') return
    request.formFields = (request.body ?? {}) as FormFields
    request.body = readForm(schema, request.formFields)
  })
}

/**
 * Reads only the fields of the schema. An empty field is null if the schema allows that; otherwise it is left
 * out. If a number or a boolean cannot be read, its text stays, and validation reports the field. A list exists
 * if any field has its name, so that an empty list (nothing selected) differs from no list.
 */
export function readForm(schema: FormSchema, fields: FormFields): unknown {
  return readValue(schema, fields, '') ?? {}
}

function readValue(schema: FormSchema, fields: FormFields, path: string): unknown {
  // Beside `properties`, `anyOf` only says which fields are required, so it is not read here.
  const branches = schema.properties ? [schema] : (schema.anyOf ?? [schema])
  const branch = branches.find(({ type }) => type !== 'null') ?? schema
  if (branch.properties) return readObject(branch.properties, fields, path)
  if (branch.type === 'array') return readList(branch.items ?? {}, fields, path)
  const [text] = textsOf(fields, path)
  if (text === undefined) return undefined
  if (text === '') return branches.some(({ type }) => type === 'null') ? null : undefined
  return readText(branch, text)
}

function readObject(
  properties: Record<string, FormSchema>,
  fields: FormFields,
  path: string,
): object | undefined {
  const entries = Object.entries(properties)
    .map(([name, inner]) => [name, readValue(inner, fields, path ? `${path}.${name}` : name)] as const)
    .filter(([, value]) => value !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function readList(items: FormSchema, fields: FormFields, path: string): unknown[] | undefined {
  const prefix = `${path}[`
  const indexes = new Set(
    Object.keys(fields)
      .filter((name) => name.startsWith(prefix))
      .map((name) => Number.parseInt(name.slice(prefix.length), 10))
      .filter((index) => index >= 0 && index < maxItems),
  )
  if (indexes.size === 0) {
    const texts = textsOf(fields, path)
    return texts.length > 0
      ? texts.filter((text) => text !== '').map((text) => readText(items, text))
      : undefined
  }
  return [...indexes]
    .sort((a, b) => a - b)
    .map((index) => readValue(items, fields, `${path}[${index}]`))
    .filter((value) => value !== undefined)
}

/** Items with this index or a larger one are ignored. */
const maxItems = 1000

function readText({ type }: FormSchema, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  // Browsers send CR LF for a line end in a form.
  if (type !== 'integer' && type !== 'number') return text.replace(/\r\n?/g, '\n')
  return /^-?\d{1,16}(\.\d{1,10})?$/.test(text.trim()) ? Number(text) : text
}
