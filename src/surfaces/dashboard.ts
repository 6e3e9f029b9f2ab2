/** The operator's dashboard, under /dashboard: pages for signed-in users. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyCookie from '@fastify/cookie'
import fastifyFormbody from '@fastify/formbody'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { createSignInService } from '../accounts/users/sign-in.ts'
import { accountPages } from '../dashboard/account.ts'
import { accountCountryPages } from '../dashboard/account-country.ts'
import { accountLanguagePages } from '../dashboard/account-language.ts'
import { bookingPages } from '../dashboard/bookings/pages.ts'
import { businessDetailsPages } from '../dashboard/business-details/pages.ts'
import { calendarPages } from '../dashboard/calendar/pages.ts'
import { calendarFeedPages } from '../dashboard/calendar-feeds/pages.ts'
import { cataloguePages } from '../dashboard/catalogue/pages.ts'
import { customerPages } from '../dashboard/customers/pages.ts'
import { emailPages } from '../dashboard/emails/pages.ts'
import { assetFolders, isLasting } from '../dashboard/frame/assets.ts'
import { confirmFirst } from '../dashboard/frame/confirm-first.ts'
import { pageErrorHandler } from '../dashboard/frame/errors.ts'
import { watchForms } from '../dashboard/frame/form-addresses.ts'
import { readForms } from '../dashboard/frame/form-body.ts'
import {
  isSameOriginOrDirect,
  rememberSession,
  requireOwner,
  requireSession,
} from '../dashboard/frame/session.ts'
import { queueBoard } from '../dashboard/health/board.ts'
import { healthPages } from '../dashboard/health/pages.ts'
import { livePages } from '../dashboard/live.ts'
import { partnerPages } from '../dashboard/partners/pages.ts'
import { paymentSettingsPages } from '../dashboard/payment-settings/pages.ts'
import { promotionPages } from '../dashboard/promotions/pages.ts'
import { refundPages } from '../dashboard/refunds/pages.ts'
import { reportPages } from '../dashboard/reports/pages.ts'
import { scanPages } from '../dashboard/scan/pages.ts'
import { sellPages } from '../dashboard/sell/pages.ts'
import { settingsPages } from '../dashboard/settings/pages.ts'
import { signInPages } from '../dashboard/sign-in.ts'
import { testModePages } from '../dashboard/test-mode.ts'
import { outsideTillPages } from '../dashboard/till/outside-pages.ts'
import { tillPages } from '../dashboard/till/pages.ts'
import { todayPages } from '../dashboard/today/pages.ts'
import { usagePages } from '../dashboard/usage/pages.ts'
import { thresholdPages } from '../dashboard/usage/threshold-pages.ts'
import { userPages } from '../dashboard/users/pages.ts'
import { webhookPages } from '../dashboard/webhooks/pages.ts'
import { compressGets } from '../http/compression.ts'
import { securityHeaders, sendHeaders } from '../http/security-headers.ts'
import { endpointSettings } from '../messaging/webhooks/endpoints/settings.ts'
import type { Reading } from '../metering/read/service.ts'
import { openingKeys } from '../platform/config/config.ts'
import type { Services } from '../services.ts'

const formBytes = 64 * 1024
const decoderFiles = ['/decode.js', '/index.js']
const lasting = 'public, max-age=31536000, immutable'

const directives = {
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
}

export const dashboardSurface: FastifyPluginAsync<{
  services: Services
  reading: Reading
  refuseUnknown: (request: FastifyRequest) => void
}> = async (app, { services, reading, refuseUnknown }) => {
  const { sql, config, queue, metrics } = services
  const signIns = createSignInService(sql, metrics.observeBatches('passwords'))
  const options = { sql, signIns, publicUrl: config.PUBLIC_URL }
  const writing = { ...options, renders: services.renders }
  const board = { sql, queuesAccount: config.QUEUES_ACCOUNT }
  app.decorateRequest('session')
  app.decorateRequest('formKey')
  app.decorateRequest('formFields')
  app.setErrorHandler(pageErrorHandler)
  // The not-found handler is registered here again, so that unknown addresses under /dashboard get an HTML page.
  const preHandler = (request: FastifyRequest) => rememberSession(request, options)
  app.setNotFoundHandler({ preHandler }, refuseUnknown)
  await app.register(fastifyCookie)
  // Only forms are read: programs use the API.
  app.removeContentTypeParser('application/json')
  await app.register(fastifyFormbody)
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= formBytes
  })
  // `same-origin`: an error page after a form can link back to the form's page, and other sites get no
  // referrer.
  sendHeaders(app, securityHeaders(config.PUBLIC_URL, directives, 'same-origin'))
  // In a separate scope, because the board of the queues also registers fastify-static, which decorates the reply.
  await app.register(async (assets) => {
    compressGets(assets)
    await assets.register(fastifyStatic, {
      root: assetFolders,
      prefix: '/assets/',
      schemaHide: true,
      acceptRanges: false,
      // If the address has no hash of the content, browsers revalidate the file each time, and get 304.
      maxAge: 0,
      setHeaders: (reply, file) => {
        if (isLasting(reply.request.originalUrl)) reply.header('cache-control', lasting)
        if (path.basename(file) === 'scan-worker.js') reply.header('service-worker-allowed', '/dashboard/')
      },
    })
    // The decoder for phones whose browser cannot read QR codes.
    await assets.register(fastifyStatic, {
      root: path.dirname(fileURLToPath(import.meta.resolve('qr/decode.js'))),
      prefix: '/assets/qr/',
      schemaHide: true,
      decorateReply: false,
      allowedPath: (name) => decoderFiles.includes(name),
    })
  })
  compressGets(app, isSameOriginOrDirect)
  signInPages(app, options)
  await app.register(queueBoard, { prefix: '/queues', ...options, ...board, queue })
  const heartbeatSeconds = Math.min(15, config.REQUEST_TIMEOUT_SECONDS)
  livePages(app, { ...options, heartbeatSeconds })
  await app.register(async (scope) => {
    requireSession(scope, options)
    confirmFirst(scope)
    readForms(scope)
    const addFormRedirects = watchForms(scope)
    scope.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/dashboard/today', 303))
    todayPages(scope, options)
    scanPages(scope, options)
    bookingPages(scope, writing)
    sellPages(scope, options)
    tillPages(scope, { sql })
    calendarPages(scope, writing)
    calendarFeedPages(scope, options)
    cataloguePages(scope, { sql, horizonDays: config.SCHEDULE_HORIZON_DAYS })
    promotionPages(scope, options)
    refundPages(scope, options)
    emailPages(scope, { sql, renders: services.renders })
    usagePages(scope, { reading })
    thresholdPages(scope, options)
    accountPages(scope, options)
    accountLanguagePages(scope, { sql })
    testModePages(scope, options)
    await scope.register(async (owners) => {
      requireOwner(owners)
      reportPages(owners, { sql })
      outsideTillPages(owners, { sql })
      accountCountryPages(owners, { sql })
      customerPages(owners, { sql, dataDir: config.DATA_DIR })
      userPages(owners, { sql })
      paymentSettingsPages(owners, { sql })
      businessDetailsPages(owners, { sql })
      settingsPages(owners, {})
      healthPages(owners, { ...board, queue })
      webhookPages(owners, { sql, settings: endpointSettings(config) })
      partnerPages(owners, { sql, secretKeys: openingKeys(config) })
    })
    addFormRedirects()
  })
}
