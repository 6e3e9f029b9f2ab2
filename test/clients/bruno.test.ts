/**
 * The collection for Bruno: each request is in the OpenAPI document. Sent in their order, the requests get
 * their expected statuses.
 */
import { readFile } from 'node:fs/promises'
import ajv2020 from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import type { OpenApiDocument } from '../../tools/openapi-document.ts'
import { build, makeCaller, makeProduct } from '../helper.ts'
import {
  type BrunoRequest,
  evaluate,
  fill,
  readBlocks,
  readPairs,
  readRequests,
  type Variables,
} from './bruno-collection.ts'

const folder = (...parts: string[]) => projectPath('clients', 'bruno', ...parts)
const read = async (...parts: string[]) => readBlocks(await readFile(folder(...parts), 'utf8'))
const environment = await read('environments', 'local.bru')
const ajv = new ajv2020.Ajv2020({ strict: false, allErrors: true })
formatsModule.default(ajv)

t.test('the collection sends the key as a bearer token, and the environment has no key', async (t) => {
  t.equal(JSON.parse(await readFile(folder('bruno.json'), 'utf8')).type, 'collection')
  t.same(readPairs((await read('collection.bru')).get('auth:bearer')), { token: '{{key}}' })
  t.equal(environment.get('vars:secret')?.trim(), 'key')
  t.notOk('key' in readPairs(environment.get('vars')))
})

t.test('the requests of the collection', async (t) => {
  const { app, sql } = await build(t)
  const { accountId, headers } = await makeCaller(sql, { scopes: ['ota', 'usage:read', 'usage:write'] })
  await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const document = app.swagger() as unknown as OpenApiDocument
  const variables: Variables = {
    ...readPairs(environment.get('vars')),
    startDate: '2030-06-01',
    endDate: '2030-06-30',
  }

  const send = async (request: BrunoRequest) => {
    const url = fill(request.url, variables).slice(variables.baseUrl!.length)
    const payload = request.body && fill(request.body, variables)
    const filled = Object.entries(request.headers).map(([name, value]) => [name, fill(value, variables)])
    const response = await app.inject({
      method: request.method.toUpperCase() as 'GET',
      url,
      headers: {
        ...headers,
        ...(payload ? { 'content-type': 'application/json' } : {}),
        ...Object.fromEntries(filled),
      },
      ...(payload ? { payload } : {}),
    })
    for (const [name, expression] of Object.entries(request.variablesFromResponse))
      variables[name] = evaluate(expression, response.json())
    return response
  }

  const statuses = {
    partner: [200, 200, 200, 200, 201, 201, 409, 200, 200, 200],
    usage: [201, 201, 200, 200],
  }
  for (const [flow, expected] of Object.entries(statuses)) {
    const requests = await readRequests(folder(flow))

    t.test(
      `${flow}: each request is an operation of the OpenAPI document, with its query and its body`,
      async (t) => {
        for (const request of requests) t.same(faultsOf(document, request), [], request.file)
      },
    )

    t.test(`${flow}: sent in their order, the requests get the expected statuses`, async (t) => {
      const answers: number[] = []
      for (const request of requests) answers.push((await send(request)).statusCode)
      t.same(answers, expected)
    })
  }
})

/** What differs between a request and the OpenAPI document, or between its URL and its query fields. */
function faultsOf(document: OpenApiDocument, request: BrunoRequest): string[] {
  const [path = '', search = ''] = request.url.replace('{{baseUrl}}', '').split('?')
  const shape = (text: string) => text.replaceAll(/\{+\w+\}+/g, '{}')
  const [, operations] = Object.entries(document.paths).find(([known]) => shape(known) === shape(path)) ?? []
  const operation = operations?.[request.method]
  if (!operation) return [`no ${request.method} ${path}`]
  const known = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const given = Object.keys(request.query)
  const inUrl = Object.fromEntries(new URLSearchParams(search))
  const faults = [
    ...known
      .filter(({ name, required }) => required && !given.includes(name))
      .map(({ name }) => `no ${name}`),
    ...given.filter((name) => !known.some((one) => one.name === name)).map((name) => `unknown ${name}`),
    ...(JSON.stringify(inUrl) === JSON.stringify(request.query) ? [] : ['the URL has another query']),
  ]
  const schema = operation.requestBody?.content['application/json']?.schema
  const example = { activityId: 's_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10', date: '2030-06-15', time: '10:00' }
  if (schema && !request.body) faults.push('no body')
  if (schema && request.body && !ajv.validate(schema, JSON.parse(fill(request.body, example))))
    faults.push(ajv.errorsText())
  return faults
}
