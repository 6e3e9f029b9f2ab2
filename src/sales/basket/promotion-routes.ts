/** The routes of a basket's promotion code. */

import { byKey } from '../../events/actor.ts'
import { problemResponses, writing } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { promotionCodeSchema } from '../promotion/schemas.ts'
import { openProblems } from './locking.ts'
import { dropPromotion, setPromotion } from './promoting.ts'
import { basketPathSchema, basketSchema } from './schemas.ts'

export const basketPromotionRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.put(
    '/baskets/:BasketID/promotion',
    {
      schema: {
        operationId: 'setBasketPromotion',
        tags: ['Baskets'],
        summary: 'Use a promotion code for a basket',
        description:
          'The basket must be open. The code replaces an earlier one. The prices of the lines are reduced now, and again whenever lines are added or removed. The basket counts as one use of the code; if it ends unpaid, this use no longer counts.',
        params: basketPathSchema,
        body: promotionCodeSchema,
        response: {
          200: envelope(basketSchema),
          ...problemResponses(...writing, ...openProblems, 'promotion-not-applicable'),
        },
      },
    },
    async ({ caller, params, body }) => {
      const wanted = { basketId: Number(params.BasketID), code: body.Code }
      return { data: await setPromotion(sql, byKey(caller), wanted) }
    },
  )

  app.delete(
    '/baskets/:BasketID/promotion',
    {
      schema: {
        operationId: 'removeBasketPromotion',
        tags: ['Baskets'],
        summary: 'Remove the promotion code of a basket',
        description:
          'The lines of the basket cost their full price again. If the basket has no code, nothing changes.',
        params: basketPathSchema,
        response: {
          200: envelope(basketSchema),
          ...problemResponses(...writing, ...openProblems),
        },
      },
    },
    async ({ caller, params }) => {
      return { data: await dropPromotion(sql, byKey(caller), Number(params.BasketID)) }
    },
  )
}
