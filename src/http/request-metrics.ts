/** How long requests take, by route, in Prometheus' words. A label never holds an address, only its pattern. */
import type { FastifyInstance } from 'fastify'
import type { Histogram } from 'prom-client'
import { afterAnswers } from './after-answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For answers that last as long as somebody looks: their duration says nothing. */
    unmeasured?: boolean
  }
  interface FastifyReply {
    /** A failure or a delay that a test key asked for: it says nothing about the service. */
    isSimulated: boolean
  }
}

export type RequestDurations = Histogram<'method' | 'route' | 'status_code'>

/** The `route` of requests for which there is none. */
const unmatched = 'unmatched'

/** Observes every answer, refusals included, but for those that were simulated. */
export function measureRequests(app: FastifyInstance, durations: RequestDurations): void {
  app.decorateReply('isSimulated', false)
  afterAnswers(app, (request, reply) => {
    const { url: route = unmatched, config } = request.routeOptions
    if (config?.unmeasured || reply.isSimulated) return
    const labels = { method: request.method, route, status_code: reply.statusCode }
    durations.observe(labels, reply.elapsedTime / 1000)
  })
}
