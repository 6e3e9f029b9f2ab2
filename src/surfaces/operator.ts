/** The operator's interface: keys of scope `operator`, under /api/v2/operator. */
import type { FastifyPluginAsync } from 'fastify'
import { productRoutes } from '../catalogue/product-routes.ts'
import { closureRoutes } from '../closures/routes.ts'
import { scheduleRoutes } from '../schedules/routes.ts'
import type { Services } from '../services.ts'
import { timeslotRoutes } from '../timeslots/routes.ts'
import { type Authenticate, protect } from './authentication.ts'

export const operatorSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services: { sql, config }, authenticate },
) => {
  protect(app, authenticate, 'operator')
  const catalogue = { sql, publicUrl: config.PUBLIC_URL, horizonDays: config.SCHEDULE_HORIZON_DAYS }
  app.register(productRoutes, catalogue)
  app.register(scheduleRoutes, catalogue)
  app.register(timeslotRoutes, catalogue)
  app.register(closureRoutes, { sql })
}
