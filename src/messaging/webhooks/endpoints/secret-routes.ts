/** The routes of the secrets of webhook endpoints. */
import { idempotent, sendOnce } from '../../../http/idempotent-request.ts'
import { problemResponses, writing, writingOnce } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../../http/wire.ts'
import { runAgain, runOnce } from '../../../platform/postgres/run-once.ts'
import { endpointOwner, operationIdFor, type WebhookRoutesOptions } from './audience.ts'
import * as schemas from './schemas.ts'
import { openSecret } from './secrets.ts'
import * as service from './service.ts'
import { endpointView, ownEndpointView, secretView } from './views.ts'

export const webhookSecretRoutes: Routes<WebhookRoutesOptions> = (app, { sql, audience, settings }) => {
  const isOperator = audience === 'operator'
  const view = isOperator ? endpointView : ownEndpointView

  app.post(
    '/webhooks/:EndpointID/secrets',
    {
      schema: {
        operationId: operationIdFor(audience, 'create', 'WebhookSecret'),
        tags: ['Webhooks'],
        summary: 'Make another secret',
        description:
          'Deliveries are signed with both secrets until one is deleted, so that the receiver can change to the new one without a gap. Only this response has `Secret`. An endpoint has at most two secrets.',
        params: schemas.endpointPathSchema,
        headers: idempotencyHeaders,
        response: {
          201: envelope(schemas.madeSecretSchema),
          ...problemResponses(...writingOnce, 'not-found', 'webhook-secrets-full'),
        },
      },
    },
    async (request, reply) => {
      const owner = endpointOwner(audience, request)
      const endpointId = Number(request.params.EndpointID)
      const { answer, replayed } = await runOnce(
        sql,
        idempotent(request, 'webhook-secret.create'),
        async (tx) => {
          const made = await service.addSecret(tx, owner, { id: endpointId, settings })
          return secretView(made.endpoint.secrets.find(({ id }) => id === made.secretId)!)
        },
      )
      const kept = { accountId: owner.accountId, endpointId, id: answer.SecretID }
      const Secret = await openSecret(sql, settings.secretKeys, kept)
      return sendOnce(reply, 201, { answer: { ...answer, Secret }, replayed })
    },
  )

  app.delete(
    '/webhooks/:EndpointID/secrets/:SecretID',
    {
      schema: {
        operationId: operationIdFor(audience, 'delete', 'WebhookSecret'),
        tags: ['Webhooks'],
        summary: 'Delete a secret',
        description:
          'Deliveries are no longer signed with it. Returns the endpoint. The last secret cannot be deleted.',
        params: schemas.secretPathSchema,
        response: {
          200: envelope(isOperator ? schemas.endpointSchema : schemas.ownEndpointSchema),
          ...problemResponses(...writing, 'not-found', 'webhook-secret-last'),
        },
      },
    },
    async (request) => {
      const owner = endpointOwner(audience, request)
      const { EndpointID, SecretID } = request.params
      const secret = { id: Number(EndpointID), secretId: Number(SecretID) }
      return { data: view(await runAgain(sql, (tx) => service.deleteSecret(tx, owner, secret))) }
    },
  )
}
