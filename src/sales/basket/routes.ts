/** The operator's routes for baskets: make, read, change and end them. */

import { byKey } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, reading, writing, writingOnce } from '../../http/openapi.ts'
import type { ProblemSlug } from '../../http/problem-types.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { openProblems } from './locking.ts'
import { markRefunded } from './marking-refunded.ts'
import { refundRequestSchema } from './refund-schemas.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'
import { readBasket } from './views.ts'

const basketAnswer = envelope(schemas.basketSchema)

/** The responses of a POST that runs once for each idempotency key: a basket, or one of these problems. */
export function basketAnswers(...slugs: ProblemSlug[]) {
  return {
    200: basketAnswer,
    ...problemResponses(...writingOnce, ...slugs),
  }
}

export const basketRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.post(
    '/baskets',
    {
      schema: {
        operationId: 'createBasket',
        tags: ['Baskets'],
        summary: 'Hold places for a customer',
        description:
          'Holds the places of all lines until `ExpiresAt`. If one line cannot be held, or if the `PromotionCode` cannot be used, nothing is held. In the first case, `Line` of the problem is the index of that line.',
        headers: idempotencyHeaders,
        body: schemas.basketRequestSchema,
        response: {
          201: basketAnswer,
          ...problemResponses(
            ...writingOnce,
            'promotion-not-applicable',
            'insufficient-capacity',
            'timeslot-unavailable',
          ),
        },
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'basket.create')
      return sendOnce(reply, 201, await service.createBasket(sql, once, byKey(request.caller), request.body))
    },
  )

  app.get(
    '/baskets',
    {
      schema: {
        operationId: 'listBaskets',
        tags: ['Baskets'],
        summary: 'List baskets',
        description:
          'The baskets of the operator’s own sales, newest first. A partner’s booking is listed as a basket only with `RefundDue`, while a payment for it must be paid back. `Link: rel="next"` leads to the next page.',
        querystring: schemas.basketsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.basketSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { baskets, next } = await service.browseBaskets(sql, request.caller, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: baskets }
    },
  )

  app.get(
    '/baskets/:BasketID',
    {
      schema: {
        operationId: 'readBasket',
        tags: ['Baskets'],
        summary: 'Read a basket',
        description: 'Returns the basket with its lines, its total, and the outcome of its payments.',
        params: schemas.basketPathSchema,
        response: { 200: basketAnswer, ...problemResponses(...reading, 'not-found') },
      },
    },
    async ({ caller, params }) => {
      return { data: await readBasket(sql, caller.accountId, Number(params.BasketID)) }
    },
  )

  app.patch(
    '/baskets/:BasketID',
    {
      schema: {
        operationId: 'changeBasket',
        tags: ['Baskets'],
        summary: 'Change the customer of a basket',
        description:
          'Changes fields of the basket’s `Customer`, and writes this customer on every line of an open basket. Fields that are not given stay as they are in `Customer`.',
        params: schemas.basketPathSchema,
        body: schemas.customerChangeSchema,
        response: {
          200: basketAnswer,
          ...problemResponses(...writing, ...openProblems, 'promotion-not-applicable'),
        },
      },
    },
    async ({ caller, params, body }) => {
      const change = { basketId: Number(params.BasketID), request: body.Customer }
      return { data: await service.setCustomer(sql, byKey(caller), change) }
    },
  )

  app.post(
    '/baskets/:BasketID/lines',
    {
      schema: {
        operationId: 'addBasketLines',
        tags: ['Baskets'],
        summary: 'Add lines to an open basket',
        description:
          'Adds all of the lines, or none. `ExpiresAt` stays as it is. A basket has at most 50 lines, including removed ones, and one currency.',
        headers: idempotencyHeaders,
        params: schemas.basketPathSchema,
        body: schemas.linesRequestSchema,
        response: basketAnswers(...openProblems, 'insufficient-capacity', 'timeslot-unavailable'),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'basket.add-lines')
      const addition = { basketId: Number(request.params.BasketID), requests: request.body.Lines }
      return sendOnce(reply, 200, await service.addLines(sql, once, byKey(request.caller), addition))
    },
  )

  app.delete(
    '/baskets/:BasketID/lines/:BookingReference',
    {
      schema: {
        operationId: 'removeBasketLine',
        tags: ['Baskets'],
        summary: 'Give back the places of one line',
        description: 'The line stays in the basket as `cancelled`. Removing it again changes nothing.',
        params: schemas.linePathSchema,
        response: {
          200: basketAnswer,
          ...problemResponses(...writing, ...openProblems),
        },
      },
    },
    async ({ caller, params }) => {
      const line = { basketId: Number(params.BasketID), reference: params.BookingReference }
      return { data: await service.removeLine(sql, byKey(caller), line) }
    },
  )

  app.post(
    '/baskets/:BasketID/refunded',
    {
      schema: {
        operationId: 'markBasketRefunded',
        tags: ['Baskets'],
        summary: 'Mark payments as paid back',
        description:
          'For payments of a provider that bought nothing (outcome `refund-due`); for a refund of a sale see `markRefundDone`. Marks all named payments as completely paid back, or none. The service itself pays nothing back.',
        headers: idempotencyHeaders,
        params: schemas.basketPathSchema,
        body: refundRequestSchema,
        response: basketAnswers('not-found', 'no-refund-due'),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'basket.refunded')
      const refund = { basketId: Number(request.params.BasketID), refund: request.body }
      return sendOnce(reply, 200, await markRefunded(sql, once, byKey(request.caller), refund))
    },
  )

  for (const [action, { act, refusals, ...words }] of Object.entries(actions)) {
    app.post(
      `/baskets/:BasketID/${action}`,
      {
        schema: {
          tags: ['Baskets'],
          ...words,
          headers: idempotencyHeaders,
          params: schemas.basketPathSchema,
          response: basketAnswers(...refusals),
        },
      },
      async (request, reply) => {
        const [once, id] = [idempotent(request, `basket.${action}`), Number(request.params.BasketID)]
        return sendOnce(reply, 200, await act(sql, once, byKey(request.caller), id))
      },
    )
  }
}

/** Actions on a whole basket. Each runs once for each idempotency key. */
const actions = {
  extend: {
    act: service.extendBasket,
    operationId: 'extendBasket',
    summary: 'Hold the places for longer',
    description:
      'Sets `ExpiresAt` to the account’s hold time from now, but at most to `HoldLimitAt`, and never to an earlier time.',
    refusals: [...openProblems, 'hold-limit-reached'],
  },
  cancel: {
    act: service.cancelBasket,
    operationId: 'cancelBasket',
    summary: 'Give back all places of a basket',
    description:
      'Cancels a basket that is open or waiting. A completed basket cannot be cancelled: cancel its bookings one by one.',
    refusals: openProblems,
  },
} as const
