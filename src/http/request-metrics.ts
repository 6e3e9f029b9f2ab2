/**
 * Measures how long requests take, by route, for Prometheus. A label has the pattern of an address, never the
 * address.
 */
import type { FastifyInstance } from 'fastify'
import type { Histogram } from 'prom-client'
import { afterResponses } from './after-responses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes whose responses stay open as long as a page: their duration says nothing about speed. */
    unmeasured?: boolean
  }
  interface FastifyReply {
    /** Whether a test key requested this failure or delay. Such a response is not measured. */
    isSimulated: boolean
  }
}

export type RequestDurations = Histogram<'method' | 'route' | 'status_code'>

/** The label `route` of requests without a route. */
const unmatched = 'unmatched'

/**
 * Measures responses, including refusals, except simulated ones and those of `unmeasured` routes. Requests that no
 * hook sees, such as unreadable ones, are not measured.
 */
export function measureRequests(app: FastifyInstance, durations: RequestDurations): void {
  app.decorateReply('isSimulated', false)
  afterResponses(app, (request, reply) => {
    const { url: route = unmatched, config } = request.routeOptions
    if (config?.unmeasured || reply.isSimulated) return
    const labels = { method: request.method, route, status_code: reply.statusCode }
    durations.observe(labels, reply.elapsedTime / 1000)
  })
}
