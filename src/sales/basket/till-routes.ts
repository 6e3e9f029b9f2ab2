/** The routes of the till: sell a basket, or places in one step. */

import { byKey } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { recordSchema } from '../booking/desk/schemas.ts'
import { paymentRequestSchema } from '../ledger/schemas.ts'
import { lockProblems, openProblems } from './locking.ts'
import { payAtTill, payBalance, sellAtTill } from './paying.ts'
import { basketAnswers } from './routes.ts'
import * as schemas from './schemas.ts'
import { basketPaymentSchema, saleRequestSchema } from './till-schemas.ts'

export const tillRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post(
    '/baskets/:BasketID/pay',
    {
      schema: {
        operationId: 'payBasket',
        tags: ['Baskets'],
        summary: 'Sell a basket at the till',
        description:
          'Confirms every line, once. `Reduction` reduces the total. With `Amount`, only a part is paid now, and the sale owes the rest. An expired basket is sold too, if its places are still free and its promotion can be used again. If places are not free, `Line` is the index of the line without places.',
        headers: idempotencyHeaders,
        params: schemas.basketPathSchema,
        body: basketPaymentSchema,
        response: basketAnswers(
          ...openProblems,
          'basket-empty',
          'promotion-not-applicable',
          'insufficient-capacity',
          'timeslot-unavailable',
        ),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'basket.pay')
      const { Reduction: reduction, ...payment } = request.body
      const sale = { basketId: Number(request.params.BasketID), payment, reduction }
      const done = await payAtTill(sql, once, byKey(request.caller), sale)
      return sendOnce(reply, 200, done)
    },
  )

  app.post(
    '/baskets/:BasketID/payments',
    {
      schema: {
        operationId: 'takePayment',
        tags: ['Baskets'],
        summary: 'Take a payment of a sale',
        description:
          'Takes a payment for a completed basket that is not paid in full, up to its `Ledger.Balance`. A basket that is not completed is paid with `payBasket`.',
        headers: idempotencyHeaders,
        params: schemas.basketPathSchema,
        body: paymentRequestSchema,
        response: basketAnswers(...lockProblems, 'nothing-to-pay'),
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'basket.payment')
      const payment = { basketId: Number(request.params.BasketID), payment: request.body }
      return sendOnce(reply, 200, await payBalance(sql, once, byKey(request.caller), payment))
    },
  )

  app.post(
    '/bookings',
    {
      schema: {
        operationId: 'sellAtTill',
        tags: ['Bookings'],
        summary: 'Sell places at the till in one step',
        description:
          'Sells places of any product of the account: makes a confirmed booking and completes its basket. `Reduction` reduces the total. With `Payment.Amount`, a part is paid now.',
        headers: idempotencyHeaders,
        body: saleRequestSchema,
        response: {
          201: envelope(recordSchema),
          ...problemResponses(...writingOnce, 'insufficient-capacity', 'timeslot-unavailable'),
        },
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'booking.sell')
      return sendOnce(reply, 201, await sellAtTill(sql, once, byKey(request.caller), request.body))
    },
  )
}
