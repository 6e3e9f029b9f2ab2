/** OCTO (docs.octo.travel): resellers' systems with a key of scope `ota`, under /octo. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Problem } from '../http/problems.ts'
import { logRequest } from '../http/request-log.ts'
import { type Refusal, refusalProblem } from '../inventory/alternatives.ts'
import { octoAvailabilityRoutes } from '../octo/availability/routes.ts'
import type { ConfirmBody } from '../octo/bookings/request-schemas.ts'
import { octoBookingRoutes } from '../octo/bookings/routes.ts'
import { createOctoBookings } from '../octo/bookings/service.ts'
import { answerCapabilities, capabilityRoutes } from '../octo/capabilities.ts'
import { octoErrorHandler } from '../octo/errors.ts'
import { octoProductRoutes } from '../octo/products/routes.ts'
import { supplierRoutes } from '../octo/supplier/routes.ts'
import { countedOperations } from '../reports/scorecards/model.ts'
import { createCallCounter } from '../reports/scorecards/service.ts'
import type { Simulate } from '../sales/booking/routes.ts'
import type { Services } from '../services.ts'
import { createSimulation } from '../test-mode/simulating.ts'
import { type Authenticate, protect } from './authentication.ts'
import { countBookings, countCalls } from './count-calls.ts'

const prefix = '/octo/'

/** The address without the slash that OCTO's specification ends it with, and most resellers leave out. */
export function withoutLastSlash(url: string): string {
  if (!url.startsWith(prefix)) return url
  const [path, ...query] = url.split('?')
  return path!.endsWith('/') ? [path!.slice(0, -1), ...query].join('?') : url
}

/** A request without a body may name any type: clients send `text/plain` of themselves. */
function acceptEmptyBodies(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {})
    done(new Problem('unsupported-media-type', 'The body must be application/json.'))
  })
}

type OctoOptions = {
  services: Services
  authenticate: Authenticate
  refuseUnknown: (request: FastifyRequest) => never
}

export const octoSurface: FastifyPluginAsync<OctoOptions> = async (
  app,
  { services, authenticate, refuseUnknown },
) => {
  const { sql, replica, config, log, metrics, reservations } = services
  app.setErrorHandler(octoErrorHandler)
  answerCapabilities(app)
  acceptEmptyBodies(app)
  protect(app, authenticate, 'ota')
  app.setNotFoundHandler(refuseUnknown)
  const calls = createCallCounter(sql, log)
  countCalls(app, calls)
  countBookings(app, metrics.bookingOperations)
  app.addHook('onClose', () => calls.close())
  const { read } = replica
  capabilityRoutes(app, {})
  supplierRoutes(app, { read, publicUrl: config.PUBLIC_URL })
  octoProductRoutes(app, { read })
  octoAvailabilityRoutes(app, { read })
  const { observeBatches: observe } = metrics
  const simulation = createSimulation({
    noteLost(request, reply) {
      const { operationId = '' } = request.routeOptions.schema as { operationId?: string }
      const counted = countedOperations[operationId]
      if (counted) calls.count(request.caller, counted, 'done', reply.elapsedTime)
      logRequest(log, request, reply, null)
    },
  })
  const simulate: Simulate = async (request, reply) => {
    const email = (request.body as ConfirmBody).contact?.emailAddress ?? ''
    const refusalOf = async (refusal: Refusal) => refusalProblem(refusal, [])
    return simulation(request, reply, { email, field: 'contact.emailAddress', refusalOf })
  }
  octoBookingRoutes(app, { bookings: createOctoBookings(sql, { reservations, observe }), simulate })
}
