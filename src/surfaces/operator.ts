/** The operator's interface: keys of scope `operator`, under /api/v2/operator. */
import type { FastifyPluginAsync } from 'fastify'
import { changeRoutes } from '../bookings/changes/routes.ts'
import { deskRoutes } from '../bookings/desk/routes.ts'
import { productRoutes } from '../catalogue/product-routes.ts'
import { closureRoutes } from '../closures/routes.ts'
import { emailRoutes } from '../emails/routes.ts'
import { basketRoutes } from '../orders/routes.ts'
import { tillRoutes } from '../orders/till-routes.ts'
import { scheduleRoutes } from '../schedules/routes.ts'
import type { Services } from '../services.ts'
import { timeslotRoutes } from '../timeslots/routes.ts'
import { waitlistRoutes } from '../waitlist/routes.ts'
import { workflowRoutes } from '../workflows/routes.ts'
import { type Authenticate, protect } from './authentication.ts'
import { countBookings } from './count-calls.ts'
import { wakeAfterChanges } from './wake-ups.ts'

export const operatorSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services, authenticate },
) => {
  const { sql, config, queue, metrics } = services
  const publicUrl = config.PUBLIC_URL
  protect(app, authenticate, 'operator')
  wakeAfterChanges(app, queue)
  countBookings(app, metrics.bookingOperations)
  app.register(deskRoutes, { sql, publicUrl })
  app.register(changeRoutes, { sql })
  app.register(basketRoutes, { sql, publicUrl })
  app.register(tillRoutes, { sql })
  app.register(waitlistRoutes, { sql, publicUrl })
  const catalogue = { sql, publicUrl, horizonDays: config.SCHEDULE_HORIZON_DAYS }
  app.register(productRoutes, catalogue)
  app.register(scheduleRoutes, catalogue)
  app.register(timeslotRoutes, catalogue)
  app.register(closureRoutes, { sql })
  app.register(emailRoutes, { sql, publicUrl })
  app.register(workflowRoutes, { sql, publicUrl })
}
