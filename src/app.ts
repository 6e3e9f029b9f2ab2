/** The web application: everything it registers, in order. It does not listen. */
import fastifySensible from '@fastify/sensible'
import fastifySwagger from '@fastify/swagger'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { createKeyUse } from './accounts/key-use.ts'
import { routedUrl } from './dashboard/frame/mode.ts'
import { watchMethods } from './http/allowed-methods.ts'
import { clientErrorHandler, errorHandler, frameworkErrors } from './http/error-handler.ts'
import { shareConnections } from './http/fair-share.ts'
import { closeGracefully } from './http/graceful-close.ts'
import { parseJson } from './http/json-body.ts'
import { shedLoad } from './http/load-shedding.ts'
import { openApiOptions } from './http/openapi.ts'
import { namePlugins } from './http/plugin-names.ts'
import { problems } from './http/problems.ts'
import { requestIdOf } from './http/request-ids.ts'
import { childOnDemand, logRequests } from './http/request-log.ts'
import { measureRequests } from './http/request-metrics.ts'
import { traceRequests } from './http/request-traces.ts'
import { respondWithin } from './http/respond-within.ts'
import { securityHeaders, sendHeaders } from './http/security-headers.ts'
import { serializerCompiler } from './http/serialization.ts'
import { explainRefusals } from './http/silent-refusals.ts'
import { webhooksDocument } from './messaging/webhooks/bodies/document.ts'
import { createAwaitStored } from './metering/read/pending.ts'
import { createShares } from './platform/async/shares.ts'
import { version } from './platform/project/version.ts'
import { validatorCompiler } from './platform/schema/validation.ts'
import { measureStores } from './reports/store-gauges.ts'
import { maxLongReads, type Services } from './services.ts'
import { accountOf } from './surfaces/account-of.ts'
import { createAuthentication } from './surfaces/authentication.ts'
import { calendarAndLogoSurface, customerSurface } from './surfaces/customers.ts'
import { dashboardSurface } from './surfaces/dashboard.ts'
import { healthSurface } from './surfaces/health.ts'
import { limitBodies } from './surfaces/limit-bodies.ts'
import { metricsSurface } from './surfaces/metrics.ts'
import { octoSurface, octoUrl } from './surfaces/octo.ts'
import { operatorSurface } from './surfaces/operator.ts'
import { partnerSurface } from './surfaces/partner.ts'
import { openPartnerCalls } from './surfaces/partner-calls.ts'
import { paymentsSurface } from './surfaces/payments.ts'
import { limitRate, openRateLimit } from './surfaces/rate-limit.ts'
import { referenceSurface } from './surfaces/reference.ts'
import { usageSurface } from './surfaces/usage.ts'

const mebibyte = 1024 * 1024

export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, log, sql, longReads, replica, queue, metrics } = services
  const timeout = config.REQUEST_TIMEOUT_SECONDS * 1000
  measureStores(metrics.registry, { sql, replica: config.DATABASE_REPLICA_URL ? replica : null, queue })
  // Responses are not cacheable unless the route allows it.
  const headers = { ...securityHeaders(config.PUBLIC_URL), 'cache-control': 'no-store' }
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: childOnDemand,
    requestIdHeader: false,
    rewriteUrl: ({ url }) => octoUrl(routedUrl(url!)),
    genReqId: requestIdOf,
    bodyLimit: mebibyte,
    // Determines `request.ip`, by which password guesses are counted, and requests without an account are
    // limited. Also sets `request.protocol` for traces.
    trustProxy: config.TRUSTED_PROXIES ?? false,
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: timeout,
      connectionsCheckingInterval: 1000,
      // explainRefusals() checks the header Host instead, and responds with a problem.
      requireHostHeader: false,
    },
    requestTimeout: timeout,
    // A client that neither sends nor reads for this long is disconnected.
    connectionTimeout: 3 * timeout,
    keepAliveTimeout: 65_000,
    // Requests on open connections are still answered while the server closes.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 16 * 1024 },
    frameworkErrors: frameworkErrors(config.PROBLEM_BASE, headers),
    clientErrorHandler: clientErrorHandler(log, config.PROBLEM_BASE, headers),
  })
  namePlugins(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(errorHandler(config.PROBLEM_BASE))
  const methodsAt = watchMethods(app)
  const refuseUnknown = ({ url }: FastifyRequest) => {
    const methods = methodsAt(url)
    throw methods ? problems.methodNotAllowed(methods) : problems.notFound()
  }
  app.setNotFoundHandler(refuseUnknown)
  parseJson(app)
  traceRequests(app)
  logRequests(app, log)
  measureRequests(app, metrics.requestDurations)
  sendHeaders(app, headers)
  closeGracefully(app, services.state)
  respondWithin(app, timeout, () =>
    problems.unavailable('The service did not respond in time; please try again.'),
  )
  shedLoad(app, { refusal: problems.overloaded, ownerOf: accountOf })
  explainRefusals(app, problems.malformedRequest)
  limitBodies(app, metrics.registry, refuseUnknown)
  await app.register(fastifySensible)
  await app.register(fastifySwagger, openApiOptions(config.PUBLIC_URL, version, webhooksDocument()))

  // Declared before the first request, so that setting these properties does not change the hidden class of
  // requests and replies.
  app.decorateRequest('caller')
  app.decorateReply('refusal', null)
  shareConnections(app, config.DATABASE_POOL_SIZE, accountOf)
  const keyUse = createKeyUse(sql, log)
  app.addHook('onClose', () => keyUse.close())
  const limit = openRateLimit(app, config)
  const identify = createAuthentication(sql, {
    noteUse: keyUse.note,
    observe: metrics.observeBatches('key-look-ups'),
    // A tenth of the request timeout; at least a second, and less than the age at which a cached key is
    // looked up again.
    lookUpMs: Math.min(4000, Math.max(1000, timeout / 10)),
  })
  const authenticate = limit ? limitRate(identify, limit) : identify
  const awaitStored = createAwaitStored(queue, {
    observe: metrics.observeBatches('pending-reads'),
    maxWaitMs: services.maxSummaryWaitMs,
  })
  const partnerCalls = openPartnerCalls(app, services)
  const reading = { sql, longReads, awaitStored, shares: createShares(maxLongReads) }
  await app.register(healthSurface, { services })
  if (config.METRICS_TOKEN) await app.register(metricsSurface, { services })
  await app.register(partnerSurface, { prefix: '/api/v2/ota', services, authenticate, partnerCalls })
  await app.register(octoSurface, { prefix: '/octo', services, authenticate, partnerCalls, refuseUnknown })
  await app.register(operatorSurface, { prefix: '/api/v2/operator', services, authenticate })
  await app.register(paymentsSurface, { prefix: '/api/v2/payments', services })
  await app.register(usageSurface, { prefix: '/api/v2/usage', services, authenticate, reading })
  await app.register(dashboardSurface, { prefix: '/dashboard', services, reading, refuseUnknown })
  await app.register(customerSurface, { services })
  await app.register(calendarAndLogoSurface, { services })
  await app.register(referenceSurface, { publicUrl: config.PUBLIC_URL })
  return app
}
