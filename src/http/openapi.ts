/** Makes the OpenAPI 3.1 document from the schemas that validate requests, with problem responses. */
import type { SwaggerOptions } from '@fastify/swagger'
import { type TSchema, Type } from '../platform/schema/typebox.ts'
import { type ProblemSlug, problemTypes } from './problem-types.ts'
import { alternativesSearch } from './problems.ts'

const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'Absolute URI that names the problem and opens a page about it.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong with this request.' }),
    instance: Type.String({ description: 'The request’s path.' }),
  },
  { title: 'Problem', description: 'Problem detail (RFC 9457).' },
)

const extensionSchemas: Partial<Record<ProblemSlug, Record<string, TSchema>>> = {
  'capacity-below-booked': { Booked: Type.Integer({ minimum: 0 }), Held: Type.Integer({ minimum: 0 }) },
  'timeslot-exists': { TimeslotID: Type.Integer({ minimum: 1 }) },
  'timeslot-not-movable': { Reason: Type.String() },
  validation: {
    errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
      description: 'Every failing field.',
    }),
  },
  'insufficient-capacity': {
    Available: Type.Integer({ minimum: 0 }),
    Alternatives: alternativesSchema(),
    Line: lineSchema(),
  },
  'offer-over': { Status: Type.String() },
  'timeslot-unavailable': {
    Alternatives: alternativesSchema(),
    Line: lineSchema(),
  },
  'basket-not-open': { Status: Type.String() },
  'nothing-to-pay': { Status: Type.String() },
  'till-closed': { ClosedAt: Type.String({ format: 'date-time' }) },
  'promotion-not-applicable': { Reason: Type.String() },
  'no-refund-due': {
    Status: Type.String(),
    Payments: Type.Array(Type.String(), { description: 'Those that are not due.' }),
  },
  'refund-not-due': { Status: Type.String() },
  'booking-not-changeable': { Status: Type.String() },
  'total-differs': { Total: Type.Object({ Amount: Type.String(), Currency: Type.String() }) },
  'ticket-redeemed': { RedeemedAt: Type.String({ format: 'date-time' }) },
  'ticket-void': { VoidedAt: Type.String({ format: 'date-time' }) },
  'quantity-below-redeemed': {
    Units: Type.Array(
      Type.Object({
        UnitID: Type.Integer({ minimum: 0 }),
        Quantity: Type.Integer({ minimum: 0 }),
        Redeemed: Type.Integer({ minimum: 1 }),
      }),
    ),
  },
  'cutoff-passed': { CancelBy: Type.String({ format: 'date-time' }) },
  'threshold-exists': { ThresholdID: Type.Integer({ minimum: 1 }) },
  'account-limit-reached': { Limit: Type.Integer({ minimum: 1 }) },
  'email-not-failed': { Status: Type.String() },
}

function lineSchema() {
  return Type.Integer({ minimum: 0, description: 'Index in `Lines`, from 0, if there are several.' })
}

function alternativesSchema() {
  const { days, timeslots } = alternativesSearch
  return Type.Array(
    Type.Object({ Date: Type.String(), Time: Type.String(), Available: Type.Integer({ minimum: 1 }) }),
    {
      maxItems: 5,
      description: `The next timeslots of the activity that would fit, among its next ${timeslots} within ${days} days.`,
    },
  )
}

const exampleExtensions: Partial<Record<ProblemSlug, object>> = {
  'capacity-below-booked': { Booked: 7, Held: 2 },
  'timeslot-exists': { TimeslotID: 901 },
  'timeslot-not-movable': { Reason: 'booked' },
  validation: { errors: [{ field: 'Date', message: 'must be a calendar date, YYYY-MM-DD' }] },
  'insufficient-capacity': {
    Available: 1,
    Alternatives: [{ Date: '2027-06-12', Time: '14:00', Available: 8 }],
  },
  'offer-over': { Status: 'expired' },
  'timeslot-unavailable': { Alternatives: [{ Date: '2027-06-12', Time: '14:00', Available: 8 }] },
  'basket-not-open': { Status: 'expired' },
  'nothing-to-pay': { Status: 'completed' },
  'till-closed': { ClosedAt: '2027-06-12T18:05:00.000Z' },
  'promotion-not-applicable': { Reason: 'used-up' },
  'no-refund-due': { Status: 'completed', Payments: ['evt_0193'] },
  'refund-not-due': { Status: 'done' },
  'booking-not-changeable': { Status: 'cancelled' },
  'total-differs': { Total: { Amount: '120.00', Currency: 'EUR' } },
  'ticket-redeemed': { RedeemedAt: '2027-06-12T09:05:00.000Z' },
  'ticket-void': { VoidedAt: '2027-06-11T09:00:00.000Z' },
  'quantity-below-redeemed': { Units: [{ UnitID: 0, Quantity: 2, Redeemed: 3 }] },
  'cutoff-passed': { CancelBy: '2027-06-11T09:00:00.000Z' },
  'threshold-exists': { ThresholdID: 12 },
  'account-limit-reached': { Limit: 100 },
  'email-not-failed': { Status: 'sent' },
}

const headersByStatus: Record<number, Record<string, TSchema>> = {
  401: { 'WWW-Authenticate': Type.String() },
  429: {
    'Retry-After': Type.String({ description: 'Seconds.' }),
    'RateLimit-Policy': Type.String({ description: 'The limit of the key: `q` requests in `w` seconds.' }),
    RateLimit: Type.String({ description: 'What is left: `r` requests for the next `t` seconds.' }),
  },
  503: { 'Retry-After': Type.String({ description: 'Seconds.' }) },
}

/** The problems that every operation may return, besides its own. */
const everywhere: ProblemSlug[] = ['malformed-request', 'internal']

/** The problems of operations with a key: reading by path alone, reading with a query, and writing. */
export const readingOne = ['unauthenticated', 'forbidden', 'rate-limited', 'unavailable'] as const
export const reading = [...readingOne, 'validation'] as const
export const writing = [...reading, 'payload-too-large', 'unsupported-media-type'] as const
export const writingOnce = [...writing, 'idempotency-key-reused'] as const

/** The same for operations that change the catalogue, which test keys cannot do. */
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

// By status and problems: most routes have the same.
const described = new Map<string, ReturnType<typeof describeProblems>>()

function problemResponse(status: number, slugs: ProblemSlug[]) {
  const key = `${status} ${slugs.join(' ')}`
  const known = described.get(key) ?? describeProblems(status, slugs)
  described.set(key, known)
  return known
}

function describeProblems(status: number, slugs: ProblemSlug[]) {
  const extensions = Object.assign({}, ...slugs.map((slug) => extensionSchemas[slug]))
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
    ...exampleExtensions[slug],
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
          'Lists an operator’s activities, checks availability, books places and meters usage. Every success is `{"data": …}`; every error is a problem detail (RFC 9457) as `application/problem+json`. Every response has a `Request-Id`. Where requests are limited, responses to a key have `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers).',
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
        { name: 'Questions', description: 'What customers must answer before they are booked.' },
        { name: 'Bookings', description: 'Selling places.' },
        { name: 'Waitlist', description: 'Who waits for a full timeslot, and what they are offered.' },
        { name: 'Baskets', description: 'Holding places for a customer or at the till, and selling them.' },
        {
          name: 'Promotions',
          description: 'Codes that reduce baskets.',
        },
        { name: 'Tills', description: 'The cash that users of the dashboard take, and their counts.' },
        { name: 'Payments', description: 'What a payment provider tells.' },
        {
          name: 'Operator: partners',
          description: 'Partners that sell for the operator, and the terms agreed with them.',
        },
        { name: 'Operator: bookings', description: 'Reads and changes bookings.' },
        {
          name: 'Catalogue',
          description: 'What the operator sells: products, questions, schedules, timeslots.',
        },
        { name: 'Closures', description: 'Closing timeslots for the weather, with every booking on them.' },
        {
          name: 'Workflows',
          description: 'E-mails that are sent automatically when something happens to a booking.',
        },
        { name: 'E-mails', description: 'What was sent, waits to be sent, or could not be.' },
        {
          name: 'Webhooks',
          description:
            'Events that are sent to you as they happen, signed by the Standard Webhooks specification.',
        },
        { name: 'OCTO', description: 'The same products and places for resellers that speak OCTO.' },
        { name: 'Reports', description: 'What was sold, added up, and what partners owe.' },
        { name: 'Usage', description: 'Metering: recording what was used, and adding it up.' },
        { name: 'Health', description: 'For balancers and supervisors.' },
      ],
    },
  }
}
