/**
 * The operator's routes that list refunds, mark them as paid back, undo marks, and decide about overpaid
 * money.
 */
import { byKey } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, reading, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { browseRefunds, payBack, refundOverpaid } from './paying-back.ts'
import * as schemas from './refund-schemas.ts'
import { undoPaidBack, undoUnusedRefund } from './undoing.ts'

export const refundRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.get(
    '/refunds',
    {
      schema: {
        operationId: 'listRefunds',
        tags: ['Refunds'],
        summary: 'List refunds',
        description:
          'Refunds that are due, the oldest first; with the `Status` `done`, refunds that are done, the latest first. `Source` is `decision` for a decision about the operator’s own sale, and `payment` for a provider’s payment that bought nothing: a payment that could not be used for the sale, for example because the places were no longer free. Mark a decision as paid back with `markRefundDone` and its `RefundID`, and a payment with `markBasketRefunded` and its `BasketID` and `PaymentID`. `Link: rel="next"` leads to the next page.',
        querystring: schemas.refundsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.refundViewSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { refunds, next } = await browseRefunds(sql, request.caller.accountId, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: refunds }
    },
  )

  app.post(
    '/refunds/:RefundID/done',
    {
      schema: {
        operationId: 'markRefundDone',
        tags: ['Refunds'],
        summary: 'Mark a refund as paid back',
        description:
          'For refunds with the `Source` `decision`; for a provider’s payment that bought nothing, use `markBasketRefunded`. The service does not transfer money: it stores how you paid it back. If the payment provider pays a refund back online, its event of the type `refunded` marks the refund instead.',
        headers: idempotencyHeaders,
        params: schemas.refundPathSchema,
        body: schemas.paidBackSchema,
        response: {
          200: envelope(schemas.refundViewSchema),
          ...problemResponses(...writingOnce, 'not-found', 'refund-not-due'),
        },
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'refund.done')
      const done = { refundId: Number(request.params.RefundID), paid: request.body }
      return sendOnce(reply, 200, await payBack(sql, once, byKey(request.caller), done))
    },
  )

  app.post(
    '/refunds/:RefundID/parts',
    {
      schema: {
        operationId: 'markRefundPartDone',
        tags: ['Refunds'],
        summary: 'Mark a part of a refund as paid back',
        description:
          'For a refund that is paid back by several methods, one after another. The part becomes a new refund with the status `done`, which the response contains; the rest stays due under the given `RefundID`. If the part is the whole due amount, the given refund itself becomes `done`.',
        headers: idempotencyHeaders,
        params: schemas.refundPathSchema,
        body: schemas.paidPartSchema,
        response: {
          200: envelope(schemas.refundViewSchema),
          ...problemResponses(...writingOnce, 'not-found', 'refund-not-due'),
        },
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'refund.part')
      const done = { refundId: Number(request.params.RefundID), paid: request.body }
      return sendOnce(reply, 200, await payBack(sql, once, byKey(request.caller), done))
    },
  )

  app.post(
    '/refunds/:RefundID/undo',
    {
      schema: {
        operationId: 'undoRefundDone',
        tags: ['Refunds'],
        summary: 'Undo the mark that a refund was paid back',
        description:
          'Corrects a mistake: the refund is due again. Cash is counted into the till that it came out of, if that till is still open. The ledger keeps both entries. A refund that the provider has confirmed cannot be undone.',
        headers: idempotencyHeaders,
        params: schemas.refundPathSchema,
        body: schemas.undoSchema,
        response: {
          200: envelope(schemas.refundViewSchema),
          ...problemResponses(...writingOnce, 'not-found', 'refund-not-done', 'refund-confirmed'),
        },
      },
    },
    async (request, reply) => {
      const order = { reason: request.body.Reason, onlyOfUser: null }
      const undo = { refundId: Number(request.params.RefundID), ...order }
      const once = idempotent(request, 'refund.undo')
      return sendOnce(reply, 200, await undoPaidBack(sql, once, byKey(request.caller), undo))
    },
  )

  app.post(
    '/baskets/:BasketID/refunded/undo',
    {
      schema: {
        operationId: 'undoBasketRefunded',
        tags: ['Refunds'],
        summary: 'Undo the mark that a payment was paid back',
        description:
          'The refund of a provider’s payment that bought nothing is due again. It must have been marked by hand (`markBasketRefunded`), and a mark that the provider has confirmed cannot be undone.',
        headers: idempotencyHeaders,
        params: schemas.refundBasketPathSchema,
        body: schemas.undoUnusedSchema,
        response: {
          200: envelope(schemas.refundViewSchema),
          ...problemResponses(...writingOnce, 'not-found', 'refund-not-done', 'refund-confirmed'),
        },
      },
    },
    async (request, reply) => {
      const { Payment: paymentId, Reason: reason } = request.body
      const undo = { basketId: Number(request.params.BasketID), paymentId, reason, onlyOfUser: null }
      const once = idempotent(request, 'basket.refunded-undo')
      return sendOnce(reply, 200, await undoUnusedRefund(sql, once, byKey(request.caller), undo))
    },
  )

  app.post(
    '/baskets/:BasketID/refunds',
    {
      schema: {
        operationId: 'refundOverpaid',
        tags: ['Refunds'],
        summary: 'Decide about overpaid money',
        description:
          'Decides about the overpaid money of a sale whose `Balance` is below 0. Without `Refund`, all of it becomes a due refund. With `Refund`, the operator keeps the money that is not paid back.',
        headers: idempotencyHeaders,
        params: schemas.refundBasketPathSchema,
        body: schemas.overpaidSchema,
        response: {
          200: envelope(schemas.refundViewSchema),
          ...problemResponses(...writingOnce, 'not-found', 'nothing-overpaid'),
        },
      },
    },
    async (request, reply) => {
      const once = idempotent(request, 'refund.overpaid')
      const decision = { basketId: Number(request.params.BasketID), refund: request.body.Refund }
      return sendOnce(reply, 200, await refundOverpaid(sql, once, byKey(request.caller), decision))
    },
  )
}
