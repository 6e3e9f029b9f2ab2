/**
 * Converts thrown errors to problems, and sends them as `application/problem+json` (RFC 9457). Surfaces with another
 * format, such as OCTO, give handleErrors() a function that writes it.
 */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isOutOfReach, isRetryable, isTestCatalogue } from '../platform/postgres/errors.ts'
import { describeError } from '../platform/process/logging.ts'
import { InvalidFields } from '../platform/schema/validation.ts'
import { type ProblemSlug, problemTypes } from './problem-types.ts'
import { Problem, problems } from './problems.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The problem that refused the request, if one did. */
    refusal: ProblemSlug | null
  }
}

type Part = 'body' | 'querystring' | 'headers'

/** The response for a problem on a surface. */
export type ProblemResponse = { status: number; type: string; body: object }

/** Fastify's error handler, for errors of routes, hooks and of Fastify itself. */
export function errorHandler(problemBase: string) {
  return handleErrors((problem, { url }) => ({
    status: problemTypes[problem.slug].status,
    type: 'application/problem+json',
    body: problemBody(problem, problemBase, url.split('?', 1)[0]!),
  }))
}

/** Makes the error handler of a surface. @param toAnswer writes a problem in the format of the surface. */
export function handleErrors(toAnswer: (problem: Problem, request: FastifyRequest) => ProblemResponse) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = toProblem(error, request)
    if (!reply.isSimulated) logFailure(error, problem, request)
    reply.refusal = problem.slug
    const { status, type, body } = toAnswer(problem, request)
    return reply.code(status).headers(problem.headers).type(type).serializer(JSON.stringify).send(body)
  }
}

/**
 * Logs a problem with a status of 500 or more: an internal failure with the whole error, which the caller
 * does not get, and other problems only with a reason.
 */
export function logFailure(error: Error, { slug }: Problem, request: FastifyRequest): void {
  if (slug === 'internal') request.log.error({ err: error }, 'request failed')
  else if (problemTypes[slug].status >= 500)
    request.log.warn({ reason: describeError(error).message }, 'request not served')
}

function problemBody({ slug, message, extensions }: Problem, problemBase: string, instance: string) {
  const { status, title } = problemTypes[slug]
  return { type: `${problemBase}/${slug}`, title, status, detail: message, instance, ...extensions }
}

/** The problem that the caller gets for an error. */
export function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error instanceof InvalidFields) return invalidFields(error, request)
  if (isTestCatalogue(error)) return problems.testModeCatalogue()
  // The store may be reachable again soon, and a conflict of transactions may not repeat. An error with a
  // status comes from Fastify, and not from a store, even if its code is that of a lost connection: then the
  // client disconnected before it had sent the whole body.
  if (error.statusCode === undefined && (isOutOfReach(error) || isRetryable(error)))
    return problems.unavailable()
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(
        'unsupported-media-type',
        'The body must be application/json, or a form in a request for a page.',
      )
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload-too-large', 'The body is larger than this operation accepts.')
    default:
  }
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem('malformed-request', `The request could not be read: ${error.message}.`)
  }
  return new Problem(
    'internal',
    'The service failed unexpectedly. Its log has the cause under this Request-Id.',
  )
}

/**
 * A bad path parameter is a problem of its own. One problem names all other invalid fields, of every part of
 * the request.
 */
function invalidFields(
  error: InvalidFields & { validationContext?: string },
  request: FastifyRequest,
): Problem {
  if (error.validationContext === 'params') {
    const detail = error.fields.map(({ field, message }) => `${field} ${message}`).join('; ')
    const aboutActivity = error.fields.some(({ field }) => field === 'ActivityID')
    return new Problem(aboutActivity ? 'invalid-activity-id' : 'malformed-request', `${detail}.`)
  }
  const later: Part[] = error.validationContext === 'body' ? ['querystring', 'headers'] : ['headers']
  const others = later.flatMap((part) => checkPart(request, part))
  return problems.validation(
    error.validationContext === 'headers' ? error.fields : [...error.fields, ...others],
  )
}

function checkPart(request: FastifyRequest, part: Part) {
  const data = part === 'headers' ? request.headers : request.query
  // Fastify returns what our validator returns, which is more than the boolean of its type.
  const result: unknown = request.getValidationFunction(part)?.(data)
  return hasError(result) && result.error instanceof InvalidFields ? result.error.fields : []
}

function hasError(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'error' in result
}

/** Responds on a connection if Node cannot parse a request, or if the request did not arrive in time. */
export function clientErrorHandler(log: Logger, problemBase: string, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)

  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A browser opens connections before it needs them. It would take any data on such a connection as the
    // response to its first request.
    if (error.code === 'ECONNRESET' || socket.bytesRead === 0 || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    const problem = new Problem(
      'malformed-request',
      clientErrorDetails[error.code ?? ''] ?? 'Not a valid HTTP request.',
    )
    const { status } = problemTypes[problem.slug]
    const body = JSON.stringify(problemBody(problem, problemBase, '/'))
    log.info({ reqId: requestId, code: error.code }, 'unreadable request')
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nRequest-Id: ${requestId}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`,
    )
    // Otherwise, data from a client that keeps its side open would collect in memory.
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}

const lingerMs = 1000

const clientErrorDetails: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The address and headers are larger than 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}

/**
 * Responds to a request whose address Fastify's router cannot read. No hook runs for it, so the headers are set here.
 */
export function frameworkErrors(problemBase: string, headers: Record<string, string>) {
  const handle = errorHandler(problemBase)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void handle(error, request, reply.headers({ ...headers, 'request-id': request.id }))
  }
}
