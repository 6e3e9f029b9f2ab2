/** The partner interface: OTAs with a key of scope `ota`, under /api/v2/ota. */
import type { FastifyPluginAsync } from 'fastify'
import { availabilityRoutes } from '../catalogue/availability/routes.ts'
import { createAvailability } from '../catalogue/availability/service.ts'
import { catalogueRoutes } from '../catalogue/products/routes.ts'
import { logRequest } from '../http/request-log.ts'
import { createCallCounter } from '../reports/scorecards/service.ts'
import { ownBookingRoutes } from '../sales/booking/partner/routes.ts'
import { bookingRoutes, type Simulate } from '../sales/booking/routes.ts'
import type { BookingRequest } from '../sales/booking/schemas.ts'
import type { Services } from '../services.ts'
import { createSimulation } from '../test-mode/simulating.ts'
import { type Authenticate, protect } from './authentication.ts'
import { countBookings, countCalls } from './count-calls.ts'

export const partnerSurface: FastifyPluginAsync<{ services: Services; authenticate: Authenticate }> = async (
  app,
  { services, authenticate },
) => {
  const { sql, replica, config, bookings, log, metrics } = services
  protect(app, authenticate, 'ota')
  const calls = createCallCounter(sql, log)
  countCalls(app, calls)
  countBookings(app, metrics.bookingOperations)
  app.addHook('onClose', () => calls.close())
  const { read } = replica
  catalogueRoutes(app, { sql, read, publicUrl: config.PUBLIC_URL })
  availabilityRoutes(app, { availability: createAvailability(read, metrics.observeBatches) })
  const simulation = createSimulation({
    noteLost(request, reply) {
      calls.count(request.caller, 'book', 'done', reply.elapsedTime)
      logRequest(log, request, reply, null)
    },
  })
  const simulate: Simulate = (asking, reply) => {
    const { caller } = asking
    const request = asking.body as BookingRequest
    return simulation(asking, reply, {
      ...{ email: request.Customer.Email, field: 'Customer.Email' },
      refusalOf: (refusal) => bookings.refusalOf({ caller, request }, refusal),
    })
  }
  bookingRoutes(app, { bookings, simulate })
  ownBookingRoutes(app, { sql, publicUrl: config.PUBLIC_URL })
}
