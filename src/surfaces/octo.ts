/** The OCTO interface (docs.octo.travel), under /octo, for systems of resellers with a key of scope `ota`. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Problem } from '../http/problems.ts'
import { type Refusal, refusalProblem } from '../inventory/alternatives.ts'
import { endpointSettings } from '../messaging/webhooks/endpoints/settings.ts'
import { octoAvailabilityRoutes } from '../octo/availability/routes.ts'
import type { ConfirmBody } from '../octo/bookings/request-schemas.ts'
import { octoBookingRoutes } from '../octo/bookings/routes.ts'
import { createOctoBookings } from '../octo/bookings/service.ts'
import { addCapabilityHeaders, capabilityRoutes } from '../octo/capabilities.ts'
import { octoErrorHandler } from '../octo/errors.ts'
import { octoNotificationRoutes } from '../octo/notifications/routes.ts'
import { createSubscriptions } from '../octo/notifications/service.ts'
import { octoProductRoutes } from '../octo/products/routes.ts'
import { supplierRoutes } from '../octo/supplier/routes.ts'
import type { Simulate } from '../sales/booking/routes.ts'
import type { Services } from '../services.ts'
import { type Authenticate, protect } from './authentication.ts'
import { countCalls } from './count-calls.ts'
import type { PartnerCalls } from './partner-calls.ts'

const prefix = '/octo/'

/**
 * Normalizes an address of OCTO; any other address is returned unchanged. Removes the slash at the end: the
 * specification has it, but most resellers omit it. Corrects "subcriptions", a typing error in some paths of
 * the specification.
 */
export function octoUrl(url: string): string {
  if (!url.startsWith(prefix)) return url
  const [given, ...query] = url.split('?')
  const path = given!
    .replace(/^(\/octo\/notifications\/)subcriptions\b/, '$1subscriptions')
    .replace(/\/$/, '')
  return [path, ...query].join('?')
}

/** Accepts any content type if the body is empty, because some clients always send `text/plain`. */
function acceptEmptyBodies(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {})
    done(new Problem('unsupported-media-type', 'The body must be application/json.'))
  })
}

type OctoOptions = {
  services: Services
  authenticate: Authenticate
  partnerCalls: PartnerCalls
  refuseUnknown: (request: FastifyRequest) => never
}

export const octoSurface: FastifyPluginAsync<OctoOptions> = async (
  app,
  { services, authenticate, partnerCalls, refuseUnknown },
) => {
  const { sql, replica, config, metrics, reservations } = services
  app.setErrorHandler(octoErrorHandler)
  addCapabilityHeaders(app)
  acceptEmptyBodies(app)
  protect(app, authenticate, 'ota')
  app.setNotFoundHandler(refuseUnknown)
  countCalls(app, { calls: partnerCalls.calls, bookings: metrics.bookingOperations })
  const { read } = replica
  capabilityRoutes(app, {})
  supplierRoutes(app, { read, publicUrl: config.PUBLIC_URL })
  octoProductRoutes(app, { read })
  octoAvailabilityRoutes(app, { read })
  octoNotificationRoutes(app, { subscriptions: createSubscriptions(sql, endpointSettings(config)) })
  const { observeBatches: observe } = metrics
  const simulate: Simulate = async (request, reply) => {
    const email = (request.body as ConfirmBody).contact?.emailAddress ?? ''
    const refusalOf = async (refusal: Refusal) => refusalProblem(refusal, [])
    return partnerCalls.simulation(request, reply, { email, field: 'contact.emailAddress', refusalOf })
  }
  octoBookingRoutes(app, { bookings: createOctoBookings(sql, { reservations, observe }), simulate })
}
