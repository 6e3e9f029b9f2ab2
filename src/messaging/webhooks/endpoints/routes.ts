/** The routes of webhook endpoints, the same for the operator and for partners. */
import { idempotent, sendOnce } from '../../../http/idempotent-request.ts'
import { problemResponses, reading, readingOne, writing, writingOnce } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../../http/wire.ts'
import { runAgain, runOnce } from '../../../platform/postgres/run-once.ts'
import { Type } from '../../../platform/schema/typebox.ts'
import { endpointOwner, operationIdFor, type WebhookRoutesOptions } from './audience.ts'
import * as schemas from './schemas.ts'
import { openSecret } from './secrets.ts'
import * as service from './service.ts'
import { endpointView, ownEndpointView, toChange, toFields } from './views.ts'

export const endpointRoutes: Routes<WebhookRoutesOptions> = (app, { sql, audience, settings }) => {
  const isOperator = audience === 'operator'
  const view = isOperator ? endpointView : ownEndpointView
  const shown = isOperator ? schemas.endpointSchema : schemas.ownEndpointSchema
  const tags = ['Webhooks']
  const idOf = ({ EndpointID }: { EndpointID: string }) => Number(EndpointID)

  app.get(
    '/webhooks',
    {
      schema: {
        operationId: operationIdFor(audience, 'list', 'WebhookEndpoints'),
        tags,
        summary: 'List webhook endpoints',
        description: isOperator
          ? 'By EndpointID: the account’s own and those of its partners.'
          : 'By EndpointID: those of your partner.',
        response: { 200: envelope(Type.Array(shown)), ...problemResponses(...readingOne) },
      },
    },
    async (request) => {
      const endpoints = await service.listEndpoints(sql, endpointOwner(audience, request))
      return { data: endpoints.map(view) }
    },
  )

  app.post(
    '/webhooks',
    {
      schema: {
        operationId: operationIdFor(audience, 'create', 'WebhookEndpoint'),
        tags,
        summary: 'Make a webhook endpoint',
        description: `It gets events from now on. Only this response has \`Secret\`: store it. ${isOperator ? 'An account may have 20 endpoints of its own, and 5 for each partner.' : 'A partner may have 5 endpoints.'}`,
        headers: idempotencyHeaders,
        body: isOperator ? schemas.endpointInputSchema : schemas.ownEndpointInputSchema,
        response: {
          201: envelope(isOperator ? schemas.madeEndpointSchema : schemas.ownMadeEndpointSchema),
          ...problemResponses(...writingOnce, 'account-limit-reached'),
        },
      },
    },
    async (request, reply) => {
      const body = request.body as schemas.EndpointInput
      const owner = endpointOwner(audience, request)
      if (isOperator) owner.partnerId = body.PartnerID ?? null
      const { answer, replayed } = await runOnce(sql, idempotent(request, 'webhook.create'), async (tx) => {
        const fields = toFields(body)
        return view((await service.createEndpoint(tx, owner, { fields, settings })).endpoint)
      })
      const kept = { endpointId: answer.EndpointID, id: answer.Secrets[0]!.SecretID }
      const Secret = await openSecret(sql, settings.secretKeys, { ...kept, accountId: owner.accountId })
      return sendOnce(reply, 201, { answer: { ...answer, Secret }, replayed })
    },
  )

  app.get(
    '/webhooks/:EndpointID',
    {
      schema: {
        operationId: operationIdFor(audience, 'read', 'WebhookEndpoint'),
        tags,
        summary: 'Read a webhook endpoint',
        description: '`Position` and `LogEnd` show its progress in the log of events.',
        params: schemas.endpointPathSchema,
        response: { 200: envelope(shown), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const owner = endpointOwner(audience, request)
      return { data: view(await service.getEndpoint(sql, owner, idOf(request.params))) }
    },
  )

  app.patch(
    '/webhooks/:EndpointID',
    {
      schema: {
        operationId: operationIdFor(audience, 'change', 'WebhookEndpoint'),
        tags,
        summary: 'Change a webhook endpoint',
        description:
          'Fields that are left out do not change. Waiting deliveries are sent to the new `URL`. New `EventTypes` apply to events after `Position`.',
        params: schemas.endpointPathSchema,
        body: schemas.endpointChangeSchema,
        response: { 200: envelope(shown), ...problemResponses(...writing, 'not-found') },
      },
    },
    async (request) => {
      const owner = endpointOwner(audience, request)
      const change = { id: idOf(request.params), change: toChange(request.body), settings }
      return { data: view(await runAgain(sql, (tx) => service.changeEndpoint(tx, owner, change))) }
    },
  )

  app.delete(
    '/webhooks/:EndpointID',
    {
      schema: {
        operationId: operationIdFor(audience, 'delete', 'WebhookEndpoint'),
        tags,
        summary: 'Delete a webhook endpoint',
        description:
          'Returns the deleted endpoint. Waiting deliveries are not sent, and all its deliveries are deleted.',
        params: schemas.endpointPathSchema,
        response: { 200: envelope(shown), ...problemResponses(...writing, 'not-found') },
      },
    },
    async (request) => {
      const owner = endpointOwner(audience, request)
      return {
        data: view(await runAgain(sql, (tx) => service.deleteEndpoint(tx, owner, idOf(request.params)))),
      }
    },
  )

  app.post(
    '/webhooks/:EndpointID/pause',
    {
      schema: {
        operationId: operationIdFor(audience, 'pause', 'WebhookEndpoint'),
        tags,
        summary: 'Pause a webhook endpoint',
        description:
          'It gets nothing until it is resumed. For 30 days, the service keeps the events that the endpoint needs. After that, old events may be deleted.',
        params: schemas.endpointPathSchema,
        response: { 200: envelope(shown), ...problemResponses(...writing, 'not-found') },
      },
    },
    async (request) => {
      const owner = endpointOwner(audience, request)
      return {
        data: view(await runAgain(sql, (tx) => service.pauseEndpoint(tx, owner, idOf(request.params)))),
      }
    },
  )

  app.post(
    '/webhooks/:EndpointID/resume',
    {
      schema: {
        operationId: operationIdFor(audience, 'resume', 'WebhookEndpoint'),
        tags,
        summary: 'Resume a webhook endpoint',
        description: 'It continues where it stopped, with the unfinished deliveries.',
        params: schemas.endpointPathSchema,
        response: { 200: envelope(shown), ...problemResponses(...writing, 'not-found') },
      },
    },
    async (request) => {
      const owner = endpointOwner(audience, request)
      return {
        data: view(await runAgain(sql, (tx) => service.resumeEndpoint(tx, owner, idOf(request.params)))),
      }
    },
  )
}
