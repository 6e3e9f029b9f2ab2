/** The operator’s routes for the outbox. */

import { byKey } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, reading, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { basketPathSchema, basketSchema } from '../../sales/basket/schemas.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { sendReceipt } from './receipts.ts'
import { emailPathSchema, emailSchema, emailsQuerySchema } from './schemas.ts'
import { browseEmails, retryEmail } from './service.ts'
import { completeEmailView, emailView } from './view.ts'

export const emailRoutes: Routes<{
  sql: Sql
  publicUrl: string
}> = (app, { sql, publicUrl }) => {
  app.get(
    '/emails',
    {
      schema: {
        operationId: 'listEmails',
        tags: ['E-mails'],
        summary: 'List e-mails',
        description: 'E-mails of every status, newest first. `Link: rel="next"` leads to the rest.',
        querystring: emailsQuerySchema,
        response: { 200: envelope(Type.Array(emailSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { emails, next } = await browseEmails(sql, request.caller.accountId, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: emails.map(emailView) }
    },
  )

  app.post(
    '/baskets/:BasketID/receipt',
    {
      schema: {
        operationId: 'sendReceipt',
        tags: ['Baskets'],
        summary: 'Send the receipt of a sale to its customer',
        description:
          'Queues an e-mail that lists what has been bought, paid and paid back when the e-mail is sent.',
        params: basketPathSchema,
        headers: idempotencyHeaders,
        response: {
          200: envelope(basketSchema),
          ...problemResponses(...writingOnce, 'not-found', 'no-receipt', 'no-email-address'),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const basketId = Number(params.BasketID)
      const done = await runOnce(sql, idempotent(request, 'basket.receipt'), async (tx) => {
        await sendReceipt(tx, byKey(caller), basketId)
        return readBasket(tx, caller.accountId, basketId)
      })
      return sendOnce(reply, 200, done)
    },
  )

  app.post(
    '/emails/:EmailID/retry',
    {
      schema: {
        operationId: 'retryEmail',
        tags: ['E-mails'],
        summary: 'Retry a failed e-mail',
        description: 'Queues the e-mail again with up to ten new tries. It keeps its Message-ID.',
        params: emailPathSchema,
        headers: idempotencyHeaders,
        response: {
          200: envelope(emailSchema),
          ...problemResponses(...writingOnce, 'not-found', 'email-not-failed'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const done = await runOnce(sql, idempotent(request, 'email.retry'), async (tx) =>
        emailView(await retryEmail(tx, accountId, Number(request.params.EmailID))),
      )
      return sendOnce(reply, 200, completeEmailView(done))
    },
  )
}
