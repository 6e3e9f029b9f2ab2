/**
 * The capabilities of OCTO: which ones a reseller may request in the header `Octo-Capabilities`, and which are in
 * force.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Routes } from '../http/routes.ts'
import { type Static, Type } from '../platform/schema/typebox.ts'
import { octoResponses } from './responses.ts'

const capabilityDocs = {
  content: 'Titles, descriptions, features and durations.',
  notifications: 'Subscriptions to changes of products, availability and bookings.',
  pricing: 'Prices of products, availability and bookings, in minor units of their currency.',
  questions: 'The questions of a product, and the answers to them.',
} as const

/** The capabilities in force for a request. */
export type Capabilities = Record<keyof typeof capabilityDocs, boolean>

const names = Object.keys(capabilityDocs) as (keyof Capabilities)[]
/** The language of the service's own texts, such as error messages. */
const serviceLanguage = 'en'

/** The capabilities that a request names, with or without `octo/` before each. Unknown names are ignored. */
export function capabilitiesOf({ headers }: Pick<FastifyRequest, 'headers'>): Capabilities {
  const asked = [headers['octo-capabilities'] ?? ''].flat().join(',').toLowerCase().split(',')
  const given = new Set(asked.map((name) => name.trim().replace(/^octo\//, '')))
  return {
    content: given.has('content'),
    notifications: given.has('notifications'),
    pricing: given.has('pricing'),
    questions: given.has('questions'),
  }
}

const headersSchema = Type.Object({
  'octo-capabilities': Type.Optional(
    Type.String({
      description: 'Capabilities, separated by commas. The response header lists those in force.',
      examples: ['octo/pricing, octo/content'],
    }),
  ),
})

/**
 * Adds the header `Octo-Capabilities`, which lists the capabilities in force, to every response of the scope, also to
 * errors. Call it before other hooks and routes.
 */
export function addCapabilityHeaders(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, headers: headersSchema }
  })
  app.addHook('onRequest', (request, reply, done) => {
    const capabilities = capabilitiesOf(request)
    const inForce = names.filter((name) => capabilities[name]).map((name) => `octo/${name}`)
    reply.header('octo-capabilities', inForce.join(', '))
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (capabilitiesOf(request).content && !reply.hasHeader('content-language')) {
      const language = reply.statusCode < 400 ? request.caller.language : serviceLanguage
      reply.headers({ 'content-language': language, 'available-languages': language })
    }
    done()
  })
}

const capabilitySchema = Type.Object(
  {
    id: Type.String({ examples: ['octo/pricing'] }),
    revision: Type.Integer({ examples: [1] }),
    required: Type.Boolean({ description: 'Whether every request must name it.' }),
    dependencies: Type.Array(Type.String(), { description: 'Capabilities that it requires.' }),
    docs: Type.String({ description: 'What it adds to requests and responses.' }),
  },
  { title: 'OctoCapability' },
)

export const capabilityRoutes: Routes<object> = (app) => {
  const capabilities: Static<typeof capabilitySchema>[] = names.map((name) => {
    return { id: `octo/${name}`, revision: 1, required: false, dependencies: [], docs: capabilityDocs[name] }
  })
  app.get(
    '/capabilities',
    {
      schema: {
        operationId: 'octoListCapabilities',
        tags: ['OCTO'],
        summary: 'List the capabilities that a reseller can ask for',
        description: 'Fields of a capability are in a response only if `Octo-Capabilities` names it.',
        response: { 200: Type.Array(capabilitySchema), ...octoResponses },
      },
    },
    async () => capabilities,
  )
}
