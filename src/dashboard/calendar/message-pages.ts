/** The pages that send a message to the customers of a timeslot: the form, its preview, and the sending. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getTimeslot } from '../../catalogue/timeslots/editing/service.ts'
import { timeslotPathSchema } from '../../catalogue/timeslots/schemas.ts'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import { toTemplate } from '../../messaging/messages/routes.ts'
import { messageRequestSchema } from '../../messaging/messages/schemas.ts'
import { listRecipients, previewMessage, sendMessage } from '../../messaging/messages/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { inWords } from '../frame/fault-words.ts'
import { checkForm, type FormFaults, faultsOf, longForm, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { type MessagePreview, messageLabels, messagePage } from './message-views.ts'

type ShownMessage = {
  values: unknown
  faults?: FormFaults
  status?: number
  preview?: MessagePreview
}

export const messagePages: Routes<{ sql: Sql; renders: RenderBudget }> = (app, { sql, renders }) => {
  const path = '/calendar/timeslots/:TimeslotID/message'
  const params = timeslotPathSchema
  const form = {
    attachValidation: true,
    bodyLimit: longForm,
    schema: { hide: true, params, body: messageRequestSchema },
  }

  app.get(path, { schema: { hide: true, params } }, (request, reply) => show(request, reply, { values: {} }))

  app.post(`${path}/preview`, form, async (request, reply) => {
    const { body } = request
    try {
      checkForm(request)
      const message = { timeslotId: idOf(request), template: toTemplate(body), renders }
      const preview = await previewMessage(sql, request.session.user.accountId, message)
      return await show(request, reply, { values: body, preview: preview ?? 'nobody' })
    } catch (error) {
      return show(request, reply, { values: body, ...inForm(request, error) })
    }
  })

  app.post(path, form, async (request, reply) => {
    const { body, session } = request
    const timeslotId = idOf(request)
    try {
      checkForm(request)
      const message = { timeslotId, template: toTemplate(body), renders }
      await runOnce(sql, onceOf(request, 'timeslot.message'), async (tx) => {
        const { emailed } = await sendMessage(tx, byUser(session.user), message)
        return { emailed }
      })
    } catch (error) {
      return show(request, reply, { values: body, ...inForm(request, error) })
    }
    return reply.redirect(doneAt(`/dashboard/calendar/timeslots/${timeslotId}`, 'message-sent'), 303)
  })

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { values, faults = null, status = 200, preview }: ShownMessage,
  ) {
    const { session } = request
    const { accountId } = session.user
    const slot = await getTimeslot(sql, accountId, idOf(request))
    const recipients = await listRecipients(sql, accountId, slot.id)
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('calendar.message.title', { product: slot.productName, when: dayAndTime(t, slot) }),
      body: messagePage(session, {
        ...{ slot, recipients, preview: preview ?? null, t },
        shown: { values, faults },
      }),
      status,
      assets: ['calendar.css', 'emails.css'],
    })
  }
}

/** The faults of an error, with the labels of the form. */
function inForm(request: FastifyRequest, error: unknown) {
  const { faults, status } = faultsOf(error)
  return { faults: inWords(faults, messageLabels(textsFor(request))), status }
}

function idOf({ params }: FastifyRequest): number {
  return Number((params as { TimeslotID: string }).TimeslotID)
}
