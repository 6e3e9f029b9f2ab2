/**
 * Spans of requests, which continue the trace of a caller that sends a `traceparent`. A span has the pattern
 * of the address, never the address, and neither header nor body.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isTracing, startSpan, type TracedSpan } from '../platform/tracing/tracing.ts'
import { whenOver } from './when-over.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when the request is not traced. */
    span: TracedSpan | null
  }
}

/**
 * Traces all requests, except health checks, requests for /metrics, and those that stay open as long as a
 * page.
 */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  if (!isTracing()) return
  app.addHook('onRequest', (request, reply, done) => {
    const { alwaysAnswered, unmeasured } = request.routeOptions.config
    const span = alwaysAnswered || unmeasured ? null : begin(request)
    if (!span) return done()
    request.span = span
    whenOver(reply, () => end(span, request, reply))
    span.run(done)
  })
  // Makes the span active again: the body arrives in events of the connection, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) request.span.run(done)
    else done()
  })
}

function begin({ method, routeOptions, headers, protocol }: FastifyRequest): TracedSpan | null {
  const route = routeOptions.url
  const { traceparent } = headers
  return startSpan(route ? `${method} ${route}` : method, {
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: {
      'http.request.method': method,
      'url.scheme': protocol,
      ...(route && { 'http.route': route }),
    },
  })
}

function end(span: TracedSpan, { caller }: FastifyRequest, { statusCode, raw }: FastifyReply): void {
  if (caller) span.set({ 'account.id': caller.accountId })
  if (!raw.headersSent) span.fail('disconnected')
  else {
    span.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span.fail(String(statusCode))
  }
  span.end()
}
