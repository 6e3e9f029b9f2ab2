/**
 * Public pages, which need no key: pages for customers behind a signed link from an e-mail, calendars behind
 * a secret link, and the logos of operators.
 */
import type { FastifyPluginAsync } from 'fastify'
import { compressGets } from '../http/compression.ts'
import { readFormBody } from '../http/form-fields.ts'
import { unsubscribePages } from '../messaging/emails/pages.ts'
import { openingKeys } from '../platform/config/config.ts'
import { sendUnavailablePage } from '../sales/business-details/customer-page.ts'
import { logoPages } from '../sales/business-details/logo-pages.ts'
import { calendarFeeds } from '../sales/calendar-feed/pages.ts'
import { customerReceiptPages } from '../sales/receipt/pages.ts'
import { customerTicketPages } from '../sales/ticket/pages.ts'
import { offerPages } from '../sales/waitlist/pages.ts'
import type { Services } from '../services.ts'

const formBytes = 16 * 1024
/**
 * The `Retry-After` in seconds if this process has no SECRET_KEY. A retry may reach a process that has one.
 */
const retrySeconds = 60

/** Calendars behind secret links, and logos. These pages work without a SECRET_KEY. */
export const calendarAndLogoSurface: FastifyPluginAsync<{ services: Services }> = async (
  app,
  { services },
) => {
  logoPages(app, { sql: services.sql })
  calendarFeeds(app, { sql: services.sql, publicUrl: services.config.PUBLIC_URL })
}

export const customerSurface: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => {
  const { sql, config } = services
  const secrets = openingKeys(config)
  app.addHook('onRequest', async (request, reply) => {
    if (secrets.length > 0) return
    request.log.error('A customer’s page cannot be shown: this process has no SECRET_KEY to check links.')
    return sendUnavailablePage(request, reply, retrySeconds)
  })
  // Compression is safe here: only a person who knows the secret in the address can make a browser load the
  // page.
  compressGets(app)
  app.decorateRequest('formFields')
  // Only the fields of forms are read. A body of any other type is accepted and ignored, because the address
  // alone decides what such a request does, for example when a mail program unsubscribes a customer.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, {}))
  const form = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) =>
    done(null, readFormBody(String(body))),
  )
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= formBytes
  })
  offerPages(app, { sql, secrets, publicUrl: config.PUBLIC_URL })
  customerTicketPages(app, { sql, secrets, publicUrl: config.PUBLIC_URL })
  customerReceiptPages(app, { sql, secrets, publicUrl: config.PUBLIC_URL })
  unsubscribePages(app, { sql, secrets })
}
