/** The interface for partners (OTAs), under /api/v2/ota, with keys of scope `ota`. */
import type { FastifyPluginAsync } from 'fastify'
import { availabilityRoutes } from '../catalogue/availability/routes.ts'
import { createAvailability } from '../catalogue/availability/service.ts'
import { catalogueRoutes } from '../catalogue/products/routes.ts'
import { deliveryRoutes } from '../messaging/webhooks/deliveries/routes.ts'
import { endpointRoutes } from '../messaging/webhooks/endpoints/routes.ts'
import { webhookSecretRoutes } from '../messaging/webhooks/endpoints/secret-routes.ts'
import { endpointSettings } from '../messaging/webhooks/endpoints/settings.ts'
import { ownBookingRoutes } from '../sales/booking/partner/routes.ts'
import { bookingRoutes, type Simulate } from '../sales/booking/routes.ts'
import type { BookingRequest } from '../sales/booking/schemas.ts'
import type { Services } from '../services.ts'
import { type Authenticate, protect } from './authentication.ts'
import { countCalls } from './count-calls.ts'
import type { PartnerCalls } from './partner-calls.ts'

type PartnerOptions = { services: Services; authenticate: Authenticate; partnerCalls: PartnerCalls }

export const partnerSurface: FastifyPluginAsync<PartnerOptions> = async (
  app,
  { services, authenticate, partnerCalls },
) => {
  const { sql, replica, config, bookings, metrics } = services
  protect(app, authenticate, 'ota')
  countCalls(app, { calls: partnerCalls.calls, bookings: metrics.bookingOperations })
  const { read } = replica
  catalogueRoutes(app, { sql, read, publicUrl: config.PUBLIC_URL })
  availabilityRoutes(app, { availability: createAvailability(read, metrics.observeBatches) })
  const simulate: Simulate = (request, reply) => {
    const { caller } = request
    const body = request.body as BookingRequest
    return partnerCalls.simulation(request, reply, {
      ...{ email: body.Customer.Email, field: 'Customer.Email' },
      refusalOf: (refusal) => bookings.refusalOf({ caller, request: body }, refusal),
    })
  }
  bookingRoutes(app, { bookings, simulate })
  ownBookingRoutes(app, { sql, publicUrl: config.PUBLIC_URL })
  const settings = endpointSettings(config)
  const webhooks = { sql, publicUrl: config.PUBLIC_URL, audience: 'partner', settings } as const
  endpointRoutes(app, webhooks)
  webhookSecretRoutes(app, webhooks)
  deliveryRoutes(app, webhooks)
}
