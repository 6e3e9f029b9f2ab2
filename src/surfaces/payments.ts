/**
 * The interface for payment providers, under /api/v2/payments. Instead of an API key, requests have a
 * signature of the exact bytes of the body. The signature is checked before the body is validated; only
 * `Account` is read before, to find the secrets.
 */
import type { FastifyPluginAsync } from 'fastify'
import { problems } from '../http/problems.ts'
import { openingKeys } from '../platform/config/config.ts'
import { paymentRoutes } from '../sales/payment/routes.ts'
import { findSigner } from '../sales/payment/secrets.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The bytes of the body as sent. Set only for requests of payment providers; undefined if they have no
     * JSON body.
     */
    sentBody: Buffer | undefined
    /**
     * The id of the account whose payment provider signed the request. Set after the signature was checked; 0
     * before.
     */
    signerId: number
  }
}

export const paymentsSurface: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => {
  const { sql, config } = services
  const secretKeys = openingKeys(config)
  app.decorateRequest('sentBody')
  app.decorateRequest('signerId', 0)
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [{ paymentSignature: [] }] }
  })

  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.sentBody = body as Buffer
    if (body.length === 0) done(null, {})
    else parse(request, body.toString(), done)
  })

  app.addHook('preValidation', async (request) => {
    if (secretKeys.length === 0)
      throw problems.unavailable('Payments need SECRET_KEY, which is not set for this service.', 60)
    const { Account: slug } = (request.body ?? {}) as { Account?: unknown }
    const header = request.headers['payment-signature']
    const signerId =
      typeof slug === 'string' && typeof header === 'string' && request.sentBody
        ? await findSigner(sql, secretKeys, { slug, header, body: request.sentBody })
        : null
    if (signerId === null) throw problems.invalidSignature()
    request.signerId = signerId
  })
  paymentRoutes(app, { sql })
}
