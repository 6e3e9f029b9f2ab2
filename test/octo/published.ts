/**
 * The published schemas of OCTO (package @octocloud/types). A checked response has all required
 * fields, including those of the requested capabilities, and only fields of these schemas.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import formatsModule from 'ajv-formats'
import type { Test } from 'tap'
import { parse } from 'yaml'

type PublishedSchema = {
  $ref?: string
  allOf?: PublishedSchema[]
  type?: string
  nullable?: boolean
  properties?: Record<string, PublishedSchema> | undefined
  required?: string[]
  items?: PublishedSchema
  enum?: unknown[]
  format?: string
  minItems?: number
  'x-capability-data'?: { capability: string; required: boolean }
}

const main = createRequire(import.meta.url).resolve('@octocloud/types')
const file = new URL('../src/openapi.yaml', `file://${main}`)
const published: Record<string, PublishedSchema> = parse(readFileSync(file, 'utf8')).components.schemas

// The document lacks this capability, which is published only at docs.octo.travel.
published.CapabilityId!.enum!.push('octo/notifications')

const text = { type: 'string' }
const ofQuestions = { capability: 'octo/questions', required: true }
// The document names the capability octo/questions without a schema. The following schemas are from version
// 1.5.44 of the package.
const question: PublishedSchema = {
  type: 'object',
  properties: {
    id: text,
    title: text,
    shortDescription: { ...text, nullable: true },
    required: { type: 'boolean' },
    inputType: {
      ...text,
      enum: [
        'date',
        'datetime-local',
        'email',
        'file',
        'number',
        'tel',
        'text',
        'time',
        'url',
        'select',
        'textarea',
      ],
    },
    selectOptions: {
      type: 'array',
      items: { type: 'object', properties: { label: text, value: text }, required: ['label', 'value'] },
    },
    coverImageUrl: { ...text, nullable: true },
  },
  required: ['id', 'title', 'shortDescription', 'required', 'inputType', 'selectOptions', 'coverImageUrl'],
}
const questionAnswer: PublishedSchema = {
  type: 'object',
  properties: { questionId: text, question, value: { ...text, nullable: true } },
  required: ['questionId', 'question', 'value'],
}
const questions = { type: 'array', items: question, 'x-capability-data': ofQuestions }
const questionAnswers = { type: 'array', items: questionAnswer, 'x-capability-data': ofQuestions }
const added: Record<string, PublishedSchema['properties']> = {
  Product: { questions },
  Option: { questions },
  Unit: { questions },
  Booking: { questionAnswers },
  UnitItem: { questionAnswers },
}

const ajv = new Ajv({ allErrors: true, strict: false })
formatsModule.default(ajv)
const validators = new Map<string, ValidateFunction>()

/** Checks a response, or each item of a list, against the published schema with this name. */
export function checkPublished(
  t: Test,
  name: string,
  answer: unknown,
  { capabilities = [] }: { capabilities?: readonly string[] } = {},
): void {
  const key = `${name} ${capabilities.join()}`
  const validate = validators.get(key) ?? ajv.compile(toSchema(published[name]!, capabilities, name))
  validators.set(key, validate)
  for (const one of [answer].flat()) {
    const faults = validate(one) ? [] : validate.errors!
    t.same(
      faults.map(({ instancePath, message, params }) => ({ instancePath, message, params })),
      [],
      name,
    )
  }
}

/** Converts to a self-contained JSON Schema that refuses unknown fields. */
function toSchema(schema: PublishedSchema, capabilities: readonly string[], name = ''): object {
  const { type, properties, required = [], items, ...rest } = gather(schema, name)
  const base: Record<string, unknown> = { ...(type && { type }), ...pick(rest) }
  if (items) base.items = toSchema(items, capabilities)
  if (properties) {
    const known = Object.entries(properties).filter(([, { 'x-capability-data': of }]) => {
      return !of || capabilities.includes(of.capability)
    })
    base.properties = Object.fromEntries(known.map(([key, inner]) => [key, toSchema(inner, capabilities)]))
    const ofCapabilities = known.filter(([, inner]) => inner['x-capability-data']?.required)
    base.required = [...required, ...ofCapabilities.map(([key]) => key)]
    base.additionalProperties = false
  }
  return rest.nullable ? { anyOf: [{ type: 'null' }, base] } : base
}

/** Merges a schema with the schemas that it refers to. */
function gather({ $ref, allOf = [], ...own }: PublishedSchema, name = ''): PublishedSchema {
  const all: PublishedSchema = {}
  const others = [...($ref ? [{ $ref }] : []), ...allOf].map((other) => {
    const referred = other.$ref?.split('/').at(-1)
    return referred ? gather(published[referred]!, referred) : gather(other)
  })
  const properties: Record<string, PublishedSchema> = {}
  const required: string[] = []
  for (const one of [...others, { ...own, properties: { ...own.properties, ...added[name] } }]) {
    Object.assign(properties, one.properties)
    required.push(...(one.required ?? []))
    Object.assign(all, one)
  }
  const hasProperties = Object.keys(properties).length > 0
  return { ...all, properties: hasProperties ? properties : undefined, required }
}

function pick({ enum: values, format, minItems }: PublishedSchema) {
  return { ...(values && { enum: values }), ...(format && { format }), ...(minItems && { minItems }) }
}
