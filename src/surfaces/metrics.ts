/** What Prometheus scrapes: beside the API for whoever has the token, or on a port of its own. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyInstance, type FastifyPluginAsync, fastify } from 'fastify'
import { errorHandler } from '../http/error-handler.ts'
import { Problem, problems } from '../http/problems.ts'
import type { Services } from '../services.ts'

type Measured = { services: Pick<Services, 'config' | 'metrics'> }

/** `GET /metrics`, which asks for METRICS_TOKEN if that is set. A store that is away makes it shorter, never fail. */
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

/** An application for a port of its own, with `/metrics` and whatever its maker adds. */
export function buildMetricsApp(services: Measured['services']): FastifyInstance {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler(errorHandler(services.config.PROBLEM_BASE))
  app.setNotFoundHandler(() => {
    throw problems.notFound()
  })
  app.register(metricsSurface, { services })
  return app
}

/** Takes as long for any two texts: their hashes are compared, which are of one length. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one!, other!)
}

function tokenRequired(): Problem {
  return new Problem('unauthenticated', 'The header Authorization: Bearer <METRICS_TOKEN> is required.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
