/**
 * The metrics for Prometheus. The web process serves them on PORT if METRICS_TOKEN is set, and on
 * METRICS_PORT if that is not 0. A worker process serves them on WORKER_PORT.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyInstance, type FastifyPluginAsync, fastify } from 'fastify'
import { errorHandler } from '../http/error-handler.ts'
import { Problem, problems } from '../http/problems.ts'
import type { Services } from '../services.ts'

type Measured = { services: Pick<Services, 'config' | 'metrics'> }

/**
 * `GET /metrics`, which requires METRICS_TOKEN if it is set. If a store is down, the response has no metrics
 * of this store, but the request does not fail.
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

/**
 * Builds an application with `/metrics` for a separate port. The caller may add routes, and calls `listen`.
 */
export function buildMetricsApp(services: Measured['services']): FastifyInstance {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler(errorHandler(services.config.PROBLEM_BASE))
  app.setNotFoundHandler(() => {
    throw problems.notFound()
  })
  app.register(metricsSurface, { services })
  return app
}

/**
 * Compares two texts in constant time. It compares hashes, because timingSafeEqual() needs values of the same
 * length.
 */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one!, other!)
}

function tokenRequired(): Problem {
  return new Problem('unauthenticated', 'The header Authorization: Bearer <METRICS_TOKEN> is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
