/** OCTO's errors, and the mapping of our problems to them: by status, by slug and by failing field. */
import type { FastifyRequest } from 'fastify'
import { handleErrors, type ProblemResponse } from '../http/error-handler.ts'
import { type ProblemSlug, problemTypes } from '../http/problem-types.ts'
import { Problem } from '../http/problems.ts'
import type { FieldError } from '../platform/schema/validation.ts'

export const octoErrorCodes = [
  'INVALID_PRODUCT_ID',
  'INVALID_OPTION_ID',
  'INVALID_UNIT_ID',
  'INVALID_AVAILABILITY_ID',
  'INVALID_BOOKING_UUID',
  'BAD_REQUEST',
  'UNPROCESSABLE_ENTITY',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'INTERNAL_SERVER_ERROR',
] as const
type OctoErrorCode = (typeof octoErrorCodes)[number]

/** The id that an error refers to, under the name of its field: `{ productId: 's_…' }`. Empty for most errors. */
type NamedId = Record<string, string>

/** Thrown to respond with an OCTO error. Logs and metrics name it by the slug of a problem. */
class OctoError extends Problem {
  readonly code: OctoErrorCode
  readonly named: NamedId

  constructor(code: OctoErrorCode, slug: ProblemSlug, message: string, named: NamedId = {}) {
    super(slug, message)
    this.code = code
    this.named = named
  }
}

/**
 * Makes the errors that only the code in src/octo/ throws. `noSubscription` is an ordinary problem, because
 * OCTO defines no code of its own for a missing subscription. The messages are for people.
 */
export const octoErrors = {
  invalidProductId: (productId: string) =>
    new OctoError('INVALID_PRODUCT_ID', 'activity-not-found', 'No product on sale has this productId.', {
      productId,
    }),
  invalidOptionId: (optionId: string) =>
    new OctoError('INVALID_OPTION_ID', 'validation', 'The product has no option with this optionId.', {
      optionId,
    }),
  invalidUnitId: (unitId: string) =>
    new OctoError('INVALID_UNIT_ID', 'validation', 'The option has no unit with this unitId.', { unitId }),
  invalidAvailabilityId: (availabilityId: string) =>
    new OctoError(
      'INVALID_AVAILABILITY_ID',
      'timeslot-unavailable',
      'The option has no timeslot with this availabilityId.',
      { availabilityId },
    ),
  invalidBookingUuid: (uuid: string, message = 'There is no booking with this uuid.') =>
    new OctoError('INVALID_BOOKING_UUID', 'not-found', message, { uuid }),
  noSubscription: () => new Problem('not-found', 'There is no subscription with this id.'),
  badRequest: (message: string) => new OctoError('BAD_REQUEST', 'validation', message),
  /** @param slug the problem that says which rule was broken. */
  unprocessable: (message: string, slug: ProblemSlug = 'booking-not-changeable') =>
    new OctoError('UNPROCESSABLE_ENTITY', slug, message),
}

/** The OCTO error for each status of a problem, unless the slug has its own line below. */
const codesByStatus: Record<number, OctoErrorCode> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'BAD_REQUEST',
  409: 'UNPROCESSABLE_ENTITY',
  413: 'BAD_REQUEST',
  415: 'BAD_REQUEST',
  422: 'BAD_REQUEST',
  429: 'UNPROCESSABLE_ENTITY',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'INTERNAL_SERVER_ERROR',
}

const codesBySlug: Partial<Record<ProblemSlug, OctoErrorCode>> = {
  'invalid-activity-id': 'INVALID_PRODUCT_ID',
  'activity-not-found': 'INVALID_PRODUCT_ID',
  'product-not-found': 'INVALID_PRODUCT_ID',
  'reservation-uuid-reused': 'INVALID_BOOKING_UUID',
  'reservation-over': 'INVALID_BOOKING_UUID',
}

/**
 * The OCTO error for a failed validation, by the failing field. A field that is in neither this table nor the
 * next gets BAD_REQUEST.
 */
const codesByField: Record<string, OctoErrorCode> = {
  productId: 'INVALID_PRODUCT_ID',
  optionId: 'INVALID_OPTION_ID',
  availabilityId: 'INVALID_AVAILABILITY_ID',
  uuid: 'INVALID_BOOKING_UUID',
}

/** The OCTO error for a failed validation, by the field names that src/sales/ uses. */
const codesBySalesField: [RegExp, OctoErrorCode][] = [
  [/^ActivityID$/, 'INVALID_PRODUCT_ID'],
  [/^Units\[\d+\]\.UnitID$/, 'INVALID_UNIT_ID'],
  [/^(Units|Participants)\b/, 'UNPROCESSABLE_ENTITY'],
]

/** Statuses that stay as they are. OCTO answers every other client error with 400. */
const unchangedStatuses = new Set([404, 405, 429, 500, 503])

/** The error handler of all OCTO routes. */
export const octoErrorHandler = handleErrors(toOctoAnswer)

function toOctoAnswer(problem: Problem, request: FastifyRequest): ProblemResponse {
  const { code, named } = problem instanceof OctoError ? problem : translate(problem, request)
  const { status } = problemTypes[problem.slug]
  // OCTO answers errors about an id or a booking with 400, although the problem may have another status on other
  // routes.
  const isKept =
    unchangedStatuses.has(status) && !(problem instanceof OctoError) && !code.startsWith('INVALID_')
  return {
    status: isKept ? status : 400,
    type: 'application/json; charset=utf-8',
    body: { error: code, errorMessage: messageOf(problem, code), ...named },
  }
}

function translate(problem: Problem, request: FastifyRequest): { code: OctoErrorCode; named: NamedId } {
  // In OCTO, UNAUTHORIZED means that there is no key. A key that is not valid is FORBIDDEN.
  if (problem.slug === 'unauthenticated' && /^Bearer +\S/i.test(request.headers.authorization ?? ''))
    return { code: 'FORBIDDEN', named: {} }
  for (const { field } of (problem.extensions.errors ?? []) as FieldError[]) {
    const code = codesByField[field]
    if (code) return { code, named: { [field]: textOf(request, field) } }
    const ofSales = codesBySalesField.find(([pattern]) => pattern.test(field))?.[1]
    if (ofSales) return { code: ofSales, named: namedBy(ofSales, request) }
  }
  const isBooking = problem.slug === 'not-found' && uuidOf(request) !== undefined
  const code = isBooking
    ? 'INVALID_BOOKING_UUID'
    : (codesBySlug[problem.slug] ?? codesByStatus[problemTypes[problem.slug].status]!)
  return { code, named: namedBy(code, request) }
}

function messageOf({ slug, message }: Problem, code: OctoErrorCode): string {
  if (slug === 'not-found' && code === 'INVALID_BOOKING_UUID') return 'There is no booking with this uuid.'
  return inOctoWords(message)
}

/** Replaces the field names that src/sales/ uses for the party by `unitItems`. */
function inOctoWords(message: string): string {
  return message.replace(/\bUnits\[\d+\]\.Quantity\b|\b(Units|Participants)(?= must )/g, 'unitItems')
}

/** The id in the request that an error refers to. */
function namedBy(code: OctoErrorCode, request: FastifyRequest): NamedId {
  if (code === 'INVALID_PRODUCT_ID') return { productId: textOf(request, 'productId') }
  if (code === 'INVALID_UNIT_ID') return { unitId: textOf(request, 'unitId') }
  if (code === 'INVALID_BOOKING_UUID') return { uuid: uuidOf(request) ?? textOf(request, 'uuid') }
  return {}
}

/** The uuid in the path of a request about a booking; undefined for other requests. */
function uuidOf({ params }: FastifyRequest): string | undefined {
  return (params as { uuid?: string } | null)?.uuid
}

// Longer text cannot be one of our ids.
const maxIdLength = 200

/** The text in a field of the body; empty if there is none. */
function textOf({ body }: FastifyRequest, field: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[field]
  return typeof value === 'string' ? value.slice(0, maxIdLength) : ''
}
