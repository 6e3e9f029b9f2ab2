/** The operator’s view of the outbox. */

import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, reading, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { emailPathSchema, emailSchema, emailsQuerySchema } from './schemas.ts'
import { browseEmails, retryEmail } from './service.ts'
import { emailView, keptEmailView } from './view.ts'

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
        description:
          'Everything that was sent, waits, could not be sent, or was dropped; newest first. `Link: rel="next"` leads to the rest.',
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
    '/emails/:EmailID/retry',
    {
      schema: {
        operationId: 'retryEmail',
        tags: ['E-mails'],
        summary: 'Try an e-mail again that failed',
        description: 'It is queued with all its tries, and goes under the Message-ID it had.',
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
      return sendOnce(reply, 200, keptEmailView(done))
    },
  )
}
