/** The operator's routes for promotions. */

import { byKey } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { changing, changingOnce, problemResponses, reading } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

export const promotionRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.get(
    '/promotions',
    {
      schema: {
        operationId: 'listPromotions',
        tags: ['Promotions'],
        summary: 'List promotions',
        description:
          'In the order of `PromotionID`, including ended promotions. `Link: rel="next"` leads to the rest.',
        querystring: schemas.promotionsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.promotionSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const { promotions, next } = await service.browsePromotions(sql, accountId, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: promotions }
    },
  )

  app.post(
    '/promotions',
    {
      schema: {
        operationId: 'createPromotion',
        tags: ['Promotions'],
        summary: 'Make a promotion',
        description:
          'The code of a promotion reduces the price of a basket. It reduces each line for which it is valid by a percentage, or all these lines together by an amount. A limit that is not given does not apply.',
        headers: idempotencyHeaders,
        body: schemas.newPromotionSchema,
        response: {
          201: envelope(schemas.promotionSchema),
          ...problemResponses(...changingOnce, 'promotion-code-taken'),
        },
      },
    },
    async (request, reply) => {
      const done = await runOnce(sql, idempotent(request, 'promotion.create'), (tx) =>
        service.createPromotion(tx, byKey(request.caller), request.body),
      )
      return sendOnce(reply, 201, done)
    },
  )

  app.get(
    '/promotions/:PromotionID',
    {
      schema: {
        operationId: 'readPromotion',
        tags: ['Promotions'],
        summary: 'Read a promotion',
        description: 'Includes the number of baskets that use the promotion.',
        params: schemas.promotionPathSchema,
        response: { 200: envelope(schemas.promotionSchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async ({ caller, params }) => {
      return { data: await service.readOnePromotion(sql, caller.accountId, Number(params.PromotionID)) }
    },
  )

  app.patch(
    '/promotions/:PromotionID',
    {
      schema: {
        operationId: 'changePromotion',
        tags: ['Promotions'],
        summary: 'Change or end a promotion',
        description:
          '`Active: false` ends it. Baskets keep their discount until their lines change. A lower limit does not affect uses that exist.',
        params: schemas.promotionPathSchema,
        body: schemas.promotionChangeSchema,
        response: { 200: envelope(schemas.promotionSchema), ...problemResponses(...changing, 'not-found') },
      },
    },
    async ({ caller, params, body }) => {
      const change = { id: Number(params.PromotionID), request: body }
      return { data: await runAgain(sql, (tx) => service.changePromotion(tx, byKey(caller), change)) }
    },
  )
}
