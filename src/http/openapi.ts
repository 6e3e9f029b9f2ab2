/** Makes the OpenAPI 3.1 document from the schemas that validate requests, with problem responses. */
import type { SwaggerOptions } from '@fastify/swagger'
import { type TSchema, Type } from '../platform/schema/typebox.ts'
import { problemExtensions } from './problem-extensions.ts'
import { type ProblemSlug, problemTypes } from './problem-types.ts'

const problemSchema = Type.Object(
  {
    type: Type.String({
      description: 'Absolute URI that identifies the problem, and the address of a page about it.',
    }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong with this request.' }),
    instance: Type.String({ description: 'The request’s path.' }),
  },
  { title: 'Problem', description: 'Problem detail (RFC 9457).' },
)

const headersByStatus: Record<number, Record<string, TSchema>> = {
  401: { 'WWW-Authenticate': Type.String() },
  429: {
    'Retry-After': Type.String({ description: 'Seconds.' }),
    'RateLimit-Policy': Type.String({ description: 'The limit of the key: `q` requests in `w` seconds.' }),
    RateLimit: Type.String({ description: 'The remaining limit: `r` requests for the next `t` seconds.' }),
  },
  503: { 'Retry-After': Type.String({ description: 'Seconds.' }) },
}

/** The problems that every operation may return, besides its own. */
const everywhere: ProblemSlug[] = ['malformed-request', 'internal']

/**
 * The problems of operations with an API key: reading by path, reading with a query, writing, and writing
 * with an Idempotency-Key.
 */
export const readingOne = ['unauthenticated', 'forbidden', 'rate-limited', 'unavailable'] as const
export const reading = [...readingOne, 'validation'] as const
export const writing = [...reading, 'payload-too-large', 'unsupported-media-type'] as const
export const writingOnce = [...writing, 'idempotency-key-reused'] as const

/** The same for operations that change the catalogue. Test keys may not change it. */
export const changing = [...writing, 'test-mode-catalogue'] as const
export const changingOnce = [...writingOnce, 'test-mode-catalogue'] as const

/** The `response` entries of a route that may return these problems, by status. */
export function problemResponses(...slugs: ProblemSlug[]): Record<number, object> {
  const byStatus = new Map<number, ProblemSlug[]>()
  for (const slug of [...everywhere, ...slugs]) {
    const { status } = problemTypes[slug]
    byStatus.set(status, [...(byStatus.get(status) ?? []), slug])
  }
  return Object.fromEntries([...byStatus].map(([status, kinds]) => [status, problemResponse(status, kinds)]))
}

// A cache by status and slugs, because most routes have the same ones.
const described = new Map<string, ReturnType<typeof describeProblems>>()

function problemResponse(status: number, slugs: ProblemSlug[]) {
  const key = `${status} ${slugs.join(' ')}`
  const known = described.get(key) ?? describeProblems(status, slugs)
  described.set(key, known)
  return known
}

function describeProblems(status: number, slugs: ProblemSlug[]) {
  const extensions = Object.assign({}, ...slugs.map((slug) => problemExtensions[slug]?.schema))
  const optional = Object.fromEntries(
    Object.entries<TSchema>(extensions).map(([name, schema]) => [name, Type.Optional(schema)]),
  )
  return {
    description: slugs.map((slug) => `\`${slug}\`: ${problemTypes[slug].meaning}`).join('\n\n'),
    headers: headersByStatus[status] ?? {},
    content: {
      'application/problem+json': {
        schema: Type.Object({ ...problemSchema.properties, ...optional }, { title: 'Problem' }),
        examples: Object.fromEntries(slugs.map((slug) => [slug, { value: exampleOf(slug) }])),
      },
    },
  }
}

function exampleOf(slug: ProblemSlug) {
  const { status, title, meaning } = problemTypes[slug]
  return {
    type: `https://booking.example/problems/${slug}`,
    title,
    status,
    detail: meaning,
    instance: '/api/v2/…',
    ...problemExtensions[slug]?.example,
  }
}

/**
 * Options of @fastify/swagger.
 * @param webhooks the events that the service sends, as the document describes them.
 */
export function openApiOptions(publicUrl: string, version: string, webhooks: object): SwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      // Part of OpenAPI 3.1: the library writes it, but its types do not have it.
      ...({ webhooks } as object),
      info: {
        title: 'Activity Booking Service',
        version,
        description:
          'Lists an operator’s activities, checks availability, books places and meters usage. Outside OCTO, which has its own formats, every success is `{"data": …}`, and every error is a problem detail (RFC 9457) as `application/problem+json`. Every response has a `Request-Id`. Where requests are limited, responses to a key have `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers).',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key from the operator, in `Authorization: Bearer …`.',
          },
          paymentSignature: {
            type: 'apiKey',
            in: 'header',
            name: 'Payment-Signature',
            description:
              '`t=<Unix seconds>,v1=<hex>`: the HMAC-SHA256 of `t`, a full stop and the body, under a secret of the account. `v1` may be given several times.',
          },
        },
      },
      tags: [
        { name: 'Products', description: 'What the operator sells.' },
        { name: 'Availability', description: 'Which timeslots have free places.' },
        { name: 'Questions', description: 'The questions that customers answer for a booking.' },
        { name: 'Bookings', description: 'Selling places.' },
        { name: 'Waitlist', description: 'Parties that wait for a full timeslot, and their offers.' },
        { name: 'Baskets', description: 'Holding places for a customer or at the till, and selling them.' },
        {
          name: 'Promotions',
          description: 'Codes that reduce the price of a basket.',
        },
        { name: 'Tills', description: 'The cash that users of the dashboard take, and their counts.' },
        { name: 'Payments', description: 'Events from a payment provider.' },
        {
          name: 'Operator: partners',
          description: 'Partners that sell for the operator, and the terms agreed with them.',
        },
        { name: 'Operator: bookings', description: 'Reads and changes bookings.' },
        {
          name: 'Catalogue',
          description: 'What the operator sells: products, questions, schedules, timeslots.',
        },
        {
          name: 'Closures',
          description: 'Closing timeslots, for example because of the weather, with all their bookings.',
        },
        {
          name: 'Workflows',
          description:
            'E-mails that are sent automatically when a booking changes, and before or after its timeslot.',
        },
        { name: 'E-mails', description: 'E-mails that were sent, are queued, or failed.' },
        {
          name: 'Webhooks',
          description:
            'Events that the service sends to you when they happen, signed as in the Standard Webhooks specification.',
        },
        { name: 'OCTO', description: 'The same products and places, for resellers that use OCTO.' },
        { name: 'Reports', description: 'Totals of sales, and the amounts that partners owe.' },
        { name: 'Usage', description: 'Metering: recording usage, and its totals.' },
        { name: 'Health', description: 'For load balancers and supervisors.' },
      ],
    },
  }
}
