/** OCTO's routes for subscriptions to notifications. They do not need the capability in the header. */
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { octoNotFound, octoResponses } from '../responses.ts'
import * as schemas from './schemas.ts'
import type { OctoSubscriptions } from './service.ts'

const path = '/notifications/subscriptions'
const ofOne = {
  tags: ['OCTO'],
  params: schemas.subscriptionPathSchema,
  response: { 200: schemas.subscriptionSchema, ...octoNotFound, ...octoResponses },
}

export const octoNotificationRoutes: Routes<{ subscriptions: OctoSubscriptions }> = (
  app,
  { subscriptions },
) => {
  app.post(
    path,
    {
      schema: {
        operationId: 'octoSubscribe',
        tags: ['OCTO'],
        summary: 'Subscribe to notifications',
        description:
          'The service sends later changes of your bookings, and of products and availability in the shopfront, to `url`. A reseller may have at most five subscriptions and webhook endpoints together.',
        body: schemas.subscribeSchema,
        response: { 200: schemas.subscriptionSchema, ...octoResponses },
      },
    },
    (request) => subscriptions.subscribe(request.caller, request.body),
  )

  app.get(
    path,
    {
      schema: {
        operationId: 'octoListSubscriptions',
        tags: ['OCTO'],
        summary: 'List your subscriptions',
        description: 'The subscriptions made with keys of your partner, oldest first.',
        response: { 200: Type.Array(schemas.subscriptionSchema), ...octoResponses },
      },
    },
    (request) => subscriptions.list(request.caller),
  )

  app.get(
    `${path}/:subscriptionId`,
    {
      schema: {
        operationId: 'octoReadSubscription',
        summary: 'Read a subscription',
        description: 'Returns the subscription without its headers, because they may contain a secret.',
        ...ofOne,
      },
    },
    (request) => subscriptions.read(request.caller, request.params.subscriptionId),
  )

  app.patch(
    `${path}/:subscriptionId`,
    {
      schema: {
        operationId: 'octoChangeSubscription',
        summary: 'Change a subscription',
        description:
          'Changes only the given fields. A subscription that was paused, because nothing arrived for days or your server responded with 410, continues where it stopped.',
        body: schemas.resubscribeSchema,
        ...ofOne,
      },
    },
    (request) => subscriptions.change(request.caller, request.params.subscriptionId, request.body),
  )

  app.delete(
    `${path}/:subscriptionId`,
    {
      schema: {
        operationId: 'octoUnsubscribe',
        summary: 'End a subscription',
        description:
          'Nothing more is sent, not even about earlier events. Returns the subscription as it was.',
        ...ofOne,
      },
    },
    (request) => subscriptions.unsubscribe(request.caller, request.params.subscriptionId),
  )
}
