/** The meter usage interface, under /api/v2/usage: keys of scope `usage:write` record, `usage:read` add up. */
import type { FastifyPluginAsync } from 'fastify'
import type { Services } from '../services.ts'
import { createRecording } from '../usage/recording.ts'
import { usageReadRoutes, usageWriteRoutes } from '../usage/routes.ts'
import { type Authenticate, protect } from './authentication.ts'

export const usageSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services, authenticate },
) => {
  const { sql, queue, log, config } = services
  const recording = createRecording({ sql, queue, log })
  app.addHook('onClose', () => recording.drain())
  app.register(async (scope) => {
    protect(scope, authenticate, 'usage:write')
    scope.register(usageWriteRoutes, { recording, sql, queue })
  })
  app.register(async (scope) => {
    protect(scope, authenticate, 'usage:read')
    scope.register(usageReadRoutes, { sql, queue, publicUrl: config.PUBLIC_URL })
  })
}
