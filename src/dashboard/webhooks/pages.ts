/**
 * The dashboard pages of webhook endpoints, for users with the role `owner`: the list and the form of a new
 * endpoint. webhookPages() also registers the pages of one endpoint, its settings and its deliveries.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listPartners } from '../../accounts/service.ts'
import type { Routes } from '../../http/routes.ts'
import { endpointInputSchema } from '../../messaging/webhooks/endpoints/schemas.ts'
import { createEndpoint, listEndpoints } from '../../messaging/webhooks/endpoints/service.ts'
import { endpointView, toFields } from '../../messaging/webhooks/endpoints/views.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, faultsOf } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import { createAndShowSecret } from '../frame/shown-once.ts'
import { textsFor } from '../frame/texts.ts'
import { ownerOf, type WebhookPageOptions } from './about.ts'
import { deliveryPages } from './delivery-pages.ts'
import { endpointPages } from './endpoint-pages.ts'
import { endpointForm } from './form-views.ts'
import { endpointFaults, inForm, normalizeEndpointForm } from './forms.ts'
import { endpointList, endpointsPath } from './list-views.ts'
import { settingsPages } from './settings-pages.ts'

const assets = ['upkeep.css']

export const webhookPages: Routes<WebhookPageOptions> = (app, { sql, settings }) => {
  app.get('/webhooks', { schema: { hide: true } }, async (request, reply) => {
    const { session } = request
    const endpoints = await listEndpoints(sql, ownerOf(request))
    const shown = { endpoints: endpoints.map(endpointView), canMake: settings.secretKeys !== null }
    const body = endpointList(session, textsFor(request), shown)
    return sendDashboard(reply, session, { title: textsFor(request).say('webhooks.title'), body, assets })
  })

  app.get('/webhooks/new', { schema: { hide: true } }, (request, reply) =>
    sendNew(request, reply, { values: { EventTypes: ['*'], Body: 'thin' }, faults: null }),
  )

  app.post(
    '/webhooks',
    {
      schema: { hide: true, body: endpointInputSchema },
      attachValidation: true,
      preValidation: normalizeEndpointForm,
    },
    async (request, reply) => {
      const { session, body } = request
      try {
        checkForm(request)
        const owner = { accountId: session.user.accountId, partnerId: body.PartnerID ?? null }
        return await createAndShowSecret(sql, request, reply, {
          operation: 'webhook.create',
          what: 'webhook-secret',
          about: textsFor(request).say('webhooks.made'),
          back: endpointsPath,
          make: async (tx) => (await createEndpoint(tx, owner, { fields: toFields(body), settings })).secret,
        })
      } catch (error) {
        const { faults, status } = faultsOf(inForm(error))
        return sendNew(request, reply, {
          values: body,
          faults: endpointFaults(textsFor(request), faults),
          status,
        })
      }
    },
  )

  endpointPages(app, { sql, settings })
  settingsPages(app, { sql, settings })
  deliveryPages(app, { sql })

  async function sendNew(
    request: FastifyRequest,
    reply: FastifyReply,
    { status = 200, ...shown }: ShownForm & { status?: number },
  ) {
    const { session } = request
    const partners = await listPartners(sql, session.user.accountId)
    const about = { id: null, partners, isPartners: false, isOcto: false }
    const t = textsFor(request)
    const body = endpointForm(session, t, about, shown)
    return sendDashboard(reply, session, { title: t.say('webhooks.new.title'), status, body, assets })
  }
}
