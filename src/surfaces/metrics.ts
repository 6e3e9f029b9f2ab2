/** The metrics for Prometheus: on the port of the API if METRICS_TOKEN is set, and on METRICS_PORT. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyInstance, type FastifyPluginAsync, fastify } from 'fastify'
import { errorHandler } from '../http/error-handler.ts'
import { Problem, problems } from '../http/problems.ts'
import type { Services } from '../services.ts'

type Measured = { services: Pick<Services, 'config' | 'metrics'> }

/**
 * `GET /metrics`, which requires METRICS_TOKEN if it is set. If a store is down, its metrics are missing, but
 * the request never fails.
 */
export const metricsSurface: FastifyPluginAsync<Measured> = async (app, { services }) => {
  const { registry } = services.metrics
  const { METRICS_TOKEN: token } = services.config
  app.get(
    '/metrics',
    { schema: { hide: true }, config: { alwaysAnswered: true } },
    async ({ headers }, reply) => {
      if (token && !isSame(headers.authorization ?? '', `Bearer ${token}`)) throw tokenRequired()
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
}

/** An application for a port of its own, with `/metrics` and the routes that its maker adds. */
export function buildMetricsApp(services: Measured['services']): FastifyInstance {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler(errorHandler(services.config.PROBLEM_BASE))
  app.setNotFoundHandler(() => {
    throw problems.notFound()
  })
  app.register(metricsSurface, { services })
  return app
}

/** Compares two texts in constant time, by their hashes, which have the same length. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one!, other!)
}

function tokenRequired(): Problem {
  return new Problem('unauthenticated', 'The header Authorization: Bearer <METRICS_TOKEN> is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
