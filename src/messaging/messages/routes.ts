/** The operator's route for messages to all bookings of a timeslot. */
import { timeslotPathSchema } from '../../catalogue/timeslots/schemas.ts'
import { byKey } from '../../events/actor.ts'
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import type { RenderBudget } from '../emails/render-budget.ts'
import type { Template } from '../emails/variables.ts'
import { type MessageRequest, type MessageView, messageRequestSchema, messageSchema } from './schemas.ts'
import { type SentMessage, sendMessage } from './service.ts'

export const messageRoutes: Routes<{ sql: Sql; renders: RenderBudget }> = (app, { sql, renders }) => {
  app.post(
    '/timeslots/:TimeslotID/messages',
    {
      schema: {
        operationId: 'messageTimeslot',
        tags: ['E-mails'],
        summary: 'Write to everybody on a timeslot',
        description:
          'Sends an e-mail to the customer of each confirmed booking that has an address, except where a reseller notifies its customers itself. `Subject` and `Body` may use the variables of workflows. The timeslot and its bookings do not change. An account may send 10,000 such e-mails in 24 hours; a message to more bookings is sent if the account sent none in the last 24 hours.',
        params: timeslotPathSchema,
        headers: idempotencyHeaders,
        body: messageRequestSchema,
        response: {
          201: envelope(messageSchema),
          ...problemResponses(...writingOnce, 'not-found', 'rate-limited'),
        },
      },
    },
    async (request, reply) => {
      const timeslotId = Number(request.params.TimeslotID)
      const template = toTemplate(request.body)
      const done = await runOnce(sql, idempotent(request, 'timeslot.message'), async (tx) =>
        messageView(await sendMessage(tx, byKey(request.caller), { timeslotId, template, renders })),
      )
      return sendOnce(reply, 201, done)
    },
  )
}

export function toTemplate({ Subject, Body }: MessageRequest): Template {
  return { subject: Subject.trim(), body: Body }
}

function messageView({ timeslotId, emailed, untold }: SentMessage): MessageView {
  return { TimeslotID: timeslotId, Emailed: emailed, Untold: untold }
}
