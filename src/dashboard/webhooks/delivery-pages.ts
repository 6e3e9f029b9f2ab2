/** Pages of an endpoint's deliveries: the list, and sending one again. */
import type { Routes } from '../../http/routes.ts'
import { deliveriesQuerySchema } from '../../messaging/webhooks/deliveries/schemas.ts'
import { browseDeliveries, findExpired, redeliver } from '../../messaging/webhooks/deliveries/service.ts'
import { deliveryView } from '../../messaging/webhooks/deliveries/views.ts'
import { deliveryPathSchema, endpointPathSchema } from '../../messaging/webhooks/endpoints/schemas.ts'
import { getEndpoint } from '../../messaging/webhooks/endpoints/service.ts'
import { endpointView } from '../../messaging/webhooks/endpoints/views.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { idOf, ownerOf, pageOf } from './about.ts'
import { deliveryList } from './delivery-views.ts'

const path = '/webhooks/:EndpointID/deliveries'

export const deliveryPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    path,
    { schema: { hide: true, params: endpointPathSchema, querystring: deliveriesQuerySchema } },
    async (request, reply) => {
      const { session, query, url } = request
      const owner = ownerOf(request)
      const [endpoint, { deliveries, next }] = await Promise.all([
        getEndpoint(sql, owner, idOf(request)),
        browseDeliveries(sql, owner, idOf(request), query),
      ])
      const expired = await findExpired(sql, owner, deliveries)
      const list = { deliveries: deliveries.map(deliveryView), expired, query, url, next }
      const shown = { endpoint: endpointView(endpoint), ...list }
      const body = deliveryList(session, textsFor(request), shown)
      return sendDashboard(reply, session, {
        title: textsFor(request).say('webhooks.deliveries.title'),
        body,
        assets: ['upkeep.css'],
      })
    },
  )

  app.post(
    `${path}/:DeliveryID/again`,
    { schema: { hide: true, params: deliveryPathSchema, querystring: deliveriesQuerySchema } },
    async (request, reply) => {
      const { params, query } = request
      const which = { endpointId: idOf(request), deliveryId: Number(params.DeliveryID) }
      await runOnce(sql, onceOf(request, 'webhook.redeliver'), async (tx) => {
        const { id } = await redeliver(tx, ownerOf(request), which)
        return { id }
      })
      const list = new URLSearchParams(query as Record<string, string>)
      const page = `${pageOf(request)}/deliveries${list.size > 0 ? `?${list}` : ''}`
      return reply.redirect(doneAt(page, 'webhook-again'), 303)
    },
  )
}
