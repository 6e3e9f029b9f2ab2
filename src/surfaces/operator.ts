/** The operator's interface: keys of scope `operator`, under /api/v2/operator. */
import type { FastifyPluginAsync } from 'fastify'
import type { Services } from '../services.ts'
import { waitlistRoutes } from '../waitlist/routes.ts'
import { type Authenticate, protect } from './authentication.ts'

export const operatorSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services: { sql, config }, authenticate },
) => {
  protect(app, authenticate, 'operator')
  app.register(waitlistRoutes, { sql, publicUrl: config.PUBLIC_URL })
}
