/** How long requests take, by route, in Prometheus' words. A label never holds an address, only its pattern. */
import type { FastifyInstance } from 'fastify'
import type { Histogram } from 'prom-client'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For answers that last as long as somebody looks: their duration says nothing. */
    unmeasured?: boolean
  }
}

export type RequestDurations = Histogram<'method' | 'route' | 'status_code'>

/** The `route` of requests for which there is none. */
const unmatched = 'unmatched'

/** Observes every answer, refusals included. */
export function measureRequests(app: FastifyInstance, durations: RequestDurations): void {
  // Asked for by its labels, the library checks and joins them each time.
  const children = new Map<string, Histogram.Internal<string>>()
  app.addHook('onResponse', (request, reply, done) => {
    const { url = unmatched, config } = request.routeOptions
    if (!config?.unmeasured) childFor(request.method, url, reply.statusCode).observe(reply.elapsedTime / 1000)
    done()
  })

  function childFor(method: string, route: string, status: number) {
    const name = `${method} ${route} ${status}`
    const known = children.get(name)
    if (known) return known
    const child = durations.labels(method, route, String(status))
    children.set(name, child)
    return child
  }
}
