/** What developers read: the OpenAPI document, the page made of it, and a page for each problem type. */
import t from 'tap'
import { eventTypes } from '../../src/events/types.ts'
import { problemTypes } from '../../src/http/problem-types.ts'
import { build } from '../helper.ts'

type Operation = {
  operationId?: string
  tags: string[]
  summary?: string
  description?: string
  parameters?: { name: string; description?: string; example?: unknown; schema: { examples?: unknown[] } }[]
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> }
  responses: Record<string, { description: string; content?: Record<string, object> }>
}

t.test('the document is OpenAPI 3.1 and describes every operation and each of its problems', async (t) => {
  const { app } = await build(t)
  const document = (await app.inject('/openapi.json')).json()
  t.equal(document.openapi, '3.1.0')
  for (const path of [
    '/api/v2/ota/core/questions/{ActivityID}',
    '/api/v2/ota/marketplace/availability',
    '/api/v2/ota/marketplace/availability/{ActivityID}/calendar',
    '/api/v2/ota/marketplace/availability/{ActivityID}/dates',
    '/api/v2/ota/marketplace/availability/{ActivityID}/timeslots',
    '/api/v2/ota/marketplace/booking',
    '/api/v2/ota/marketplace/products',
    '/api/v2/ota/marketplace/questions/{ActivityID}',
    '/api/v2/ota/marketplace/resolve-product',
    '/api/v2/usage/meters',
  ])
    t.ok(document.paths[path], `${path} is in it`)
  const paths: Record<string, Record<string, Operation>> = document.paths
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { operationId, tags, summary, description, parameters = [], responses } of operations) {
    t.ok(summary && description, `${operationId} is described`)
    for (const { name, schema, example } of parameters) {
      t.ok(example !== undefined || schema.examples, `${operationId} has an example of ${name}`)
    }
    for (const [status, { content }] of Object.entries(responses)) {
      const type = tags.includes('OCTO') ? 'application/json' : 'application/problem+json'
      if (Number(status) >= 400) t.ok(content?.[type], `${operationId} ${status} is a problem`)
    }
  }
})

t.test(
  'the document has every type of event that webhooks send, with its body and its headers',
  async (t) => {
    const { app } = await build(t)
    const { webhooks } = (await app.inject('/openapi.json')).json()
    t.same(
      Object.keys(webhooks).sort(),
      [...Object.keys(eventTypes), 'availability.changed', 'webhook.test'].sort(),
    )
    for (const [type, { post }] of Object.entries<{ post: Operation }>(webhooks)) {
      t.match(post.requestBody!.content['application/json']!.schema, {
        required: ['type', 'timestamp', 'data'],
        properties: { type: { const: type } },
      })
      t.same(
        post.parameters!.map(({ name }) => name),
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      )
    }
  },
)

t.test('the reference page and all it loads come from the service itself', async (t) => {
  const { app } = await build(t)
  const page = await app.inject('/docs/')
  t.equal(page.statusCode, 200)
  const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source!)
  t.ok(sources.length > 3)
  for (const source of sources) {
    t.notMatch(source, /^(https?:)?\/\//)
    t.equal((await app.inject(new URL(source, 'http://x/docs/').pathname)).statusCode, 200, source)
  }
})

t.test('the type of every problem opens a page about it', async (t) => {
  const { app } = await build(t)
  for (const [slug, { title }] of Object.entries(problemTypes)) {
    const page = await app.inject(`/problems/${slug}`)
    t.equal(page.statusCode, 200)
    t.match(page.headers['content-type'], /text\/html/)
    t.match(page.body, title)
  }
  for (const unknown of ['nothing', 'toString', '__proto__']) {
    t.equal((await app.inject(`/problems/${unknown}`)).statusCode, 404)
  }
})
