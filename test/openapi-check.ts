/**
 * Checks every successful request and every response against the OpenAPI document, with separate validators,
 * so that the document and the service cannot differ unnoticed.
 */

import { Readable } from 'node:stream'
import type { ValidateFunction } from 'ajv'
import ajv2020 from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

type MediaTypes = Record<string, { schema?: object }>
type Operation = {
  requestBody?: { content: MediaTypes }
  responses: Record<string, { content?: MediaTypes }>
}
type Document = { paths: Record<string, Record<string, Operation>> }

// Other tests check the schemas themselves.
const ajv = new ajv2020.Ajv2020({
  strict: false,
  allErrors: true,
  validateSchema: false,
  code: { optimize: false },
})
formatsModule.default(ajv)

/**
 * Validators by the text of their schema, because most operations describe the same errors, each in a copy of its own.
 */
const validators = new Map<string, ValidateFunction>()
const validatorOf = new WeakMap<object, ValidateFunction>()

/** The OpenAPI document. All apps of a process share it, and the validators that are made from it. */
let document: Document | undefined

/**
 * Adds the check to an app that is not ready yet. A response that violates the document becomes an error that
 * the test sees.
 */
export function checkAgainstDocument(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    document ??= app.swagger() as unknown as Document
    const { paths } = document
    const path = (request.routeOptions.url ?? '').replace(/:(\w+)/g, '{$1}')
    const operation = paths[path]?.[request.method.toLowerCase()]
    if (!operation) return payload
    const answer = operation.responses[String(reply.statusCode)]
    if (!answer)
      throw new Error(`${request.method} ${path} answers ${reply.statusCode}, which is not documented`)
    const type = String(reply.getHeader('content-type') ?? '').split(';', 1)[0]!
    // A stream is not checked: it can be read only once, by the client.
    if (payload && !(payload instanceof Readable))
      check(`${path} ${reply.statusCode}`, answer.content?.[type]?.schema, JSON.parse(String(payload)))
    const asked = operation.requestBody?.content['application/json']?.schema
    if (reply.statusCode < 300 && asked) check(`${path} request`, asked, request.body)
    return payload
  })
}

function check(what: string, schema: object | undefined, value: unknown): void {
  if (!schema) throw new Error(`${what}: this content type is not documented`)
  const isValid = findValidator(schema)
  if (!isValid(value)) throw new Error(`${what}: ${ajv.errorsText(isValid.errors)}`)
}

function findValidator(schema: object): ValidateFunction {
  const known = validatorOf.get(schema)
  if (known) return known
  const text = JSON.stringify(schema)
  const validator = validators.get(text) ?? ajv.compile(schema)
  validators.set(text, validator)
  validatorOf.set(schema, validator)
  return validator
}
