/** The routes of deliveries: listing them, sending events again, and sending a test. */
import { idempotent, sendOnce } from '../../../http/idempotent-request.ts'
import { problemResponses, reading, writingOnce } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../../http/wire.ts'
import { runOnce } from '../../../platform/postgres/run-once.ts'
import { Type } from '../../../platform/schema/typebox.ts'
import { endpointOwner, operationIdFor, type WebhookRoutesOptions } from '../endpoints/audience.ts'
import { deliveryPathSchema, endpointPathSchema } from '../endpoints/schemas.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'
import { deliveryView, toReplayFrom } from './views.ts'

export const deliveryRoutes: Routes<WebhookRoutesOptions> = (app, { sql, publicUrl, audience }) => {
  const tags = ['Webhooks']

  app.get(
    '/webhooks/:EndpointID/deliveries',
    {
      schema: {
        operationId: operationIdFor(audience, 'list', 'WebhookDeliveries'),
        tags,
        summary: 'List deliveries of an endpoint',
        description:
          'Newest first: those that wait, and those that finished in the last 30 days. `Link: rel="next"` leads to the rest.',
        params: endpointPathSchema,
        querystring: schemas.deliveriesQuerySchema,
        response: {
          200: envelope(Type.Array(schemas.deliverySchema)),
          ...problemResponses(...reading, 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const owner = endpointOwner(audience, request)
      const id = Number(request.params.EndpointID)
      const { deliveries, next } = await service.browseDeliveries(sql, owner, id, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: deliveries.map(deliveryView) }
    },
  )

  app.post(
    '/webhooks/:EndpointID/test',
    {
      schema: {
        operationId: operationIdFor(audience, 'test', 'WebhookEndpoint'),
        tags,
        summary: 'Send a test to an endpoint',
        description:
          'Sends an event of the type `webhook.test`, which an endpoint gets with any EventTypes. The list of deliveries shows the outcome.',
        params: endpointPathSchema,
        headers: idempotencyHeaders,
        response: {
          201: envelope(schemas.deliverySchema),
          ...problemResponses(...writingOnce, 'not-found', 'webhook-paused'),
        },
      },
    },
    async (request, reply) => {
      const owner = endpointOwner(audience, request)
      const id = Number(request.params.EndpointID)
      const done = await runOnce(sql, idempotent(request, 'webhook.test'), async (tx) =>
        deliveryView(await service.sendTest(tx, owner, id)),
      )
      return sendOnce(reply, 201, done)
    },
  )

  app.post(
    '/webhooks/:EndpointID/replay',
    {
      schema: {
        operationId: operationIdFor(audience, 'replay', 'WebhookEndpoint'),
        tags,
        summary: 'Send events again',
        description:
          'Sends the events of the endpoint’s `EventTypes` again, from an event or an instant on, with the same ids. A `FromNumber` above `Position` changes nothing. Expired events cannot be sent.',
        params: endpointPathSchema,
        headers: idempotencyHeaders,
        body: schemas.replayRequestSchema,
        response: {
          200: envelope(schemas.replayedSchema),
          ...problemResponses(...writingOnce, 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const owner = endpointOwner(audience, request)
      const id = Number(request.params.EndpointID)
      const from = toReplayFrom(request.body)
      const done = await runOnce(sql, idempotent(request, 'webhook.replay'), async (tx) => {
        const { events, position } = await service.replay(tx, owner, id, from)
        return { Events: events, Position: position }
      })
      return sendOnce(reply, 200, done)
    },
  )

  app.post(
    '/webhooks/:EndpointID/deliveries/:DeliveryID/redeliver',
    {
      schema: {
        operationId: operationIdFor(audience, 'repeat', 'WebhookDelivery'),
        tags,
        summary: 'Send one delivery again',
        description:
          'The delivery must be finished, and its event must not have expired. It keeps its `webhook-id`. Returns the new delivery.',
        params: deliveryPathSchema,
        headers: idempotencyHeaders,
        response: {
          201: envelope(schemas.deliverySchema),
          ...problemResponses(...writingOnce, 'not-found', 'webhook-paused'),
        },
      },
    },
    async (request, reply) => {
      const owner = endpointOwner(audience, request)
      const { EndpointID, DeliveryID } = request.params
      const which = { endpointId: Number(EndpointID), deliveryId: Number(DeliveryID) }
      const done = await runOnce(sql, idempotent(request, 'webhook.redeliver'), async (tx) =>
        deliveryView(await service.redeliver(tx, owner, which)),
      )
      return sendOnce(reply, 201, done)
    },
  )
}
