/**
 * Pages of workflows, which send e-mails to customers automatically: the list, the form with its preview,
 * switching on or off, the test e-mail, and deletion.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProductNames } from '../../catalogue/products/service.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { allowStylesOf } from '../../http/security-headers.ts'
import { versionOf } from '../../http/versions.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import type { RenderBudget } from '../../messaging/emails/render-budget.ts'
import { emailsQuerySchema } from '../../messaging/emails/schemas.ts'
import { previewWords, queueTest } from '../../messaging/emails/service.ts'
import { isChangeTrigger, type Trigger } from '../../messaging/emails/triggers.ts'
import { emailView } from '../../messaging/emails/view.ts'
import { defaultWorkflowsIn } from '../../messaging/workflows/defaults.ts'
import {
  workflowInputSchema,
  workflowPathSchema,
  workflowsQuerySchema,
} from '../../messaging/workflows/schemas.ts'
import * as service from '../../messaging/workflows/service.ts'
import { toInput, workflowView } from '../../messaging/workflows/views.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { findSeller } from '../../sales/business-details/service.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, longForm, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import { takeDurations } from '../parts/duration-fields.ts'
import { compareChoices, deletePage, workflowList, workflowPage, workflowTexts } from './workflow-views.ts'

const { BookingReference } = emailsQuerySchema.properties
const listPath = '/dashboard/emails/workflows'
// The id of a new workflow is `new`.
const pathSchema = Type.Object({
  WorkflowID: Type.String({ pattern: '^(new|[1-9]\\d{0,14})$', errorMessage: 'must be a positive integer' }),
})
const path = '/emails/workflows/:WorkflowID'
const workflowForm = Type.Object({
  ...workflowInputSchema.properties,
  BookingReference,
  Version: Type.Optional(Type.String()),
})
const assets = ['emails.css']
const newQuery = Type.Object({ Trigger: Type.Optional(workflowInputSchema.properties.Trigger) })
const blank = { Trigger: 'before-start', OffsetMinutes: 1440, Active: true }

type WorkflowPreviewRequest = Awaited<ReturnType<typeof previewWords>>['preview']
type Sending = { shown: ShownForm & { version: string; status?: number }; preview?: WorkflowPreviewRequest }

export const workflowPages: Routes<{ sql: Sql; renders: RenderBudget }> = (app, { sql, renders }) => {
  /**
   * The stored workflow with the id in the path; null if the id is `new`.
   * @throws Problem if there is no such workflow.
   */
  const readWorkflow = ({ session, params }: Pick<FastifyRequest, 'session' | 'params'>) => {
    const { WorkflowID } = params as { WorkflowID: string }
    return WorkflowID === 'new'
      ? null
      : service.requireWorkflow(sql, session.user.accountId, Number(WorkflowID))
  }

  const sendForm = async (request: FastifyRequest, reply: FastifyReply, { shown, preview }: Sending) => {
    const { session } = request
    const [existing, products] = await Promise.all([
      readWorkflow(request),
      listProductNames(sql, session.user.accountId),
    ])
    if (preview) allowStylesOf(reply, preview.HTML)
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: existing ? t.say('workflows.of', { name: existing.name }) : t.say('workflows.new'),
      body: workflowPage(session, t, { id: existing?.id ?? null, products, preview: preview ?? null }, shown),
      status: shown.status ?? 200,
      assets,
    })
  }

  /** Shows the form again with its errors, if it could not be previewed or saved. */
  const sendAgain = async (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const shown = await showFormAgain(error, async () => {
      const [state, products] = await Promise.all([
        readWorkflow(request),
        listProductNames(sql, request.session.user.accountId),
      ])
      const [given, existing] = [request.body, state && workflowView(state)]
      const others = compareChoices(textsFor(request), products, given, existing)
      return { given, existing, state, fields: workflowTexts, others }
    })
    return sendForm(request, reply, { shown })
  }

  app.get(
    '/emails/workflows',
    { schema: { hide: true, querystring: workflowsQuerySchema } },
    async (request, reply) => {
      const { session, query, url } = request
      const { accountId } = session.user
      const [{ workflows, next }, products] = await Promise.all([
        service.browseWorkflows(sql, accountId, query),
        listProductNames(sql, accountId),
      ])
      const t = textsFor(request)
      const body = workflowList(session, t, { workflows, products, url, next })
      return sendDashboard(reply, session, { title: t.say('workflows.title'), body })
    },
  )

  app.get(
    path,
    { schema: { hide: true, params: pathSchema, querystring: newQuery } },
    async (request, reply) => {
      const existing = await readWorkflow(request)
      const { locale } = await findSeller(sql, request.session.user.accountId)
      const values = existing ? workflowView(existing) : newValues(textsIn(locale), request.query.Trigger)
      const version = existing ? versionOf(existing) : ''
      return sendForm(request, reply, { shown: { values, faults: null, version } })
    },
  )

  const form = {
    schema: { hide: true, params: pathSchema, body: workflowForm },
    attachValidation: true,
    bodyLimit: longForm,
    preValidation: takeDurations('OffsetMinutes'),
  }

  app.post(`${path}/preview`, form, async (request, reply) => {
    const { session, body } = request
    try {
      checkForm(request)
      const { BookingReference: reference = null, Version: version = '' } = body
      const words = toInput(body)
      const { accountId } = session.user
      const options = { reference, renders, isForSaving: true }
      const { preview, faults } = await previewWords(sql, accountId, words, options)
      if (faults.length > 0) throw problems.validation(faults)
      return await sendForm(request, reply, { shown: { values: body, faults: null, version }, preview })
    } catch (error) {
      return sendAgain(request, reply, error)
    }
  })

  app.post(path, form, async (request, reply) => {
    const { session, body } = request
    const { accountId } = session.user
    const { WorkflowID } = request.params
    try {
      checkForm(request)
      const operation = WorkflowID === 'new' ? 'workflow.create' : 'workflow.change'
      const written = { workflow: toInput(body), renders, seen: body.Version }
      const { answer } = await runOnce(sql, onceOf(request, operation), async (tx) => {
        const { id } =
          WorkflowID === 'new'
            ? await service.createWorkflow(tx, accountId, written)
            : await service.replaceWorkflow(tx, accountId, Number(WorkflowID), written)
        return { id }
      })
      return reply.redirect(doneAt(`${listPath}/${answer.id}`, 'saved'), 303)
    } catch (error) {
      return sendAgain(request, reply, error)
    }
  })

  app.post(
    `${path}/active`,
    {
      schema: {
        hide: true,
        params: workflowPathSchema,
        body: Type.Object({ Active: workflowInputSchema.properties.Active }),
      },
    },
    async ({ session, params, body: { Active } }, reply) => {
      const id = Number(params.WorkflowID)
      await runAgain(sql, (tx) => service.switchWorkflow(tx, session.user.accountId, id, Active))
      return reply.redirect(doneAt(listPath, Active ? 'workflow-on' : 'workflow-off'), 303)
    },
  )

  app.post(`${path}/test`, { schema: { hide: true, params: workflowPathSchema } }, async (request, reply) => {
    const { accountId, email: to } = request.session.user
    const id = Number(request.params.WorkflowID)
    await runOnce(sql, onceOf(request, 'workflow.test'), async (tx) => {
      const { id: workflowId } = await service.requireWorkflow(tx, accountId, id)
      return emailView(await queueTest(tx, accountId, { workflowId, reference: null, to }))
    })
    return reply.redirect(doneAt(`${listPath}/${id}`, 'test-sent'), 303)
  })

  app.get(
    `${path}/delete`,
    { schema: { hide: true, params: workflowPathSchema } },
    async (request, reply) => {
      const { session, params } = request
      const workflow = await service.requireWorkflow(sql, session.user.accountId, Number(params.WorkflowID))
      const t = textsFor(request)
      return sendDashboard(reply, session, {
        title: t.say('workflows.delete.title'),
        body: deletePage(session, t, workflow),
      })
    },
  )

  app.post(
    `${path}/delete`,
    { schema: { hide: true, params: workflowPathSchema } },
    async (request, reply) => {
      const { accountId } = request.session.user
      const id = Number(request.params.WorkflowID)
      await runOnce(sql, onceOf(request, 'workflow.delete'), async (tx) => {
        await service.removeWorkflow(tx, accountId, id)
        return { id }
      })
      return reply.redirect(doneAt(listPath, 'workflow-deleted'), 303)
    },
  )
}

/**
 * The initial values of the form for a new workflow. If the trigger is a change of a booking, they are the
 * values of the default workflow for this change, in the language of the account.
 */
function newValues(t: Texts, trigger: Trigger | undefined) {
  const words = isChangeTrigger(trigger) ? defaultWorkflowsIn(t)[trigger] : null
  if (words)
    return {
      Name: words.name,
      Trigger: trigger,
      OffsetMinutes: 0,
      Subject: words.subject,
      Body: words.body,
      Active: true,
    }
  return trigger ? { ...blank, Trigger: trigger } : blank
}
