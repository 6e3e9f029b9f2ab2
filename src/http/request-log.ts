/**
 * Logs one line for each request at level info, with the request ID of its response. The line has the pattern of the
 * route, and not the address.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bindings, ChildLoggerOptions, Logger } from 'pino'
import { afterResponses } from './after-responses.ts'

/**
 * Adds the header Request-Id to every response, and logs requests if the level of the logger includes info.
 * @param log the logger of the process, which writes the lines.
 */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id)
    done()
  })
  if (!log.isLevelEnabled('info')) return
  afterResponses(app, (request, reply) => logRequest(log, request, reply, reply.statusCode))
}

/** Writes the line of a request. @param status null when there was no response. */
export function logRequest(
  log: Logger,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number | null,
): void {
  const line = {
    reqId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status,
    milliseconds: Math.round(reply.elapsedTime * 100) / 100,
    keyId: request.caller?.keyId,
    accountId: request.caller?.accountId,
  }
  if (request.span) request.span.run(() => log.info(line, 'request'))
  else log.info(line, 'request')
}

/**
 * Fastify's factory of request loggers. It creates the child logger only when the request logs its first line, because
 * most requests log nothing.
 */
export function childOnDemand(
  parent: FastifyBaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
): FastifyBaseLogger {
  return new RequestLogger(parent, bindings, options) as unknown as FastifyBaseLogger
}

class RequestLogger {
  parent: FastifyBaseLogger
  bindings: Bindings
  options: ChildLoggerOptions
  made: FastifyBaseLogger | null = null

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: ChildLoggerOptions) {
    this.parent = parent
    this.bindings = bindings
    this.options = options
  }

  get level() {
    return this.parent.level
  }
}

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const
for (const method of methods) {
  const value = function (this: RequestLogger, ...line: [never]) {
    this.made ??= this.parent.child(this.bindings, this.options)
    return this.made[method](...line)
  }
  Object.defineProperty(RequestLogger.prototype, method, { value })
}
