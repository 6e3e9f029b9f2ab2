/** The operator's interface: keys of scope `operator`, under /api/v2/operator. */
import type { FastifyPluginAsync } from 'fastify'
import { changeRoutes } from '../bookings/changes/routes.ts'
import { deskRoutes } from '../bookings/desk/routes.ts'
import type { Services } from '../services.ts'
import { type Authenticate, protect } from './authentication.ts'

export const operatorSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services, authenticate },
) => {
  const { sql, config } = services
  protect(app, authenticate, 'operator')
  app.register(deskRoutes, { sql, publicUrl: config.PUBLIC_URL })
  app.register(changeRoutes, { sql })
}
