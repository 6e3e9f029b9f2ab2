/** The operator’s routes for workflows. */

import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import {
  changing,
  changingOnce,
  problemResponses,
  reading,
  writing,
  writingOnce,
} from '../../http/openapi.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { RenderBudget } from '../emails/render-budget.ts'
import { emailSchema } from '../emails/schemas.ts'
import { previewWords, queueTest } from '../emails/service.ts'
import { completeEmailView, emailView } from '../emails/view.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'
import { toInput, workflowView } from './views.ts'

export const workflowRoutes: Routes<{
  sql: Sql
  publicUrl: string
  renders: RenderBudget
}> = (app, { sql, publicUrl, renders }) => {
  app.get(
    '/workflows',
    {
      schema: {
        operationId: 'listWorkflows',
        tags: ['Workflows'],
        summary: 'List workflows',
        description: 'By WorkflowID. `Link: rel="next"` leads to the rest.',
        querystring: schemas.workflowsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.workflowSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { workflows, next } = await service.browseWorkflows(sql, request.caller.accountId, request.query)
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: workflows.map(workflowView) }
    },
  )

  app.post(
    '/workflows',
    {
      schema: {
        operationId: 'createWorkflow',
        tags: ['Workflows'],
        summary: 'Make a workflow',
        description:
          'Its templates are rendered with a sample booking, and the variables of all their branches are checked: 422 reports the errors. It sends nothing for bookings that were due before. An account may have 100 workflows.',
        headers: idempotencyHeaders,
        body: schemas.workflowInputSchema,
        response: {
          201: envelope(schemas.workflowSchema),
          ...problemResponses(...changingOnce, 'workflow-name-taken', 'account-limit-reached'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const done = await runOnce(sql, idempotent(request, 'workflow.create'), async (tx) =>
        workflowView(
          await service.createWorkflow(tx, accountId, { workflow: toInput(request.body), renders }),
        ),
      )
      return sendOnce(reply, 201, done)
    },
  )

  app.get(
    '/workflows/:WorkflowID',
    {
      schema: {
        operationId: 'getWorkflow',
        tags: ['Workflows'],
        summary: 'Read a workflow',
        description: 'Returns the current workflow.',
        params: schemas.workflowPathSchema,
        response: { 200: envelope(schemas.workflowSchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      return { data: workflowView(await service.requireWorkflow(sql, accountId, idOf(request.params))) }
    },
  )

  app.put(
    '/workflows/:WorkflowID',
    {
      schema: {
        operationId: 'replaceWorkflow',
        tags: ['Workflows'],
        summary: 'Change a workflow',
        description:
          'Send the complete workflow. A booking that has had its e-mail does not get it again because of the change. A workflow that is switched on, or gets another trigger, offset or product, sends nothing for bookings that were due before.',
        params: schemas.workflowPathSchema,
        body: schemas.workflowInputSchema,
        response: {
          200: envelope(schemas.workflowSchema),
          ...problemResponses(...changing, 'not-found', 'workflow-name-taken'),
        },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const changed = await runAgain(sql, (tx) =>
        service.replaceWorkflow(tx, accountId, idOf(request.params), {
          workflow: toInput(request.body),
          renders,
        }),
      )
      return { data: workflowView(changed) }
    },
  )

  app.delete(
    '/workflows/:WorkflowID',
    {
      schema: {
        operationId: 'deleteWorkflow',
        tags: ['Workflows'],
        summary: 'Delete a workflow',
        description: 'Returns the deleted workflow. Its queued e-mails are not sent.',
        params: schemas.workflowPathSchema,
        response: {
          200: envelope(schemas.workflowSchema),
          ...problemResponses(...changing, 'not-found'),
        },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      return { data: workflowView(await service.removeWorkflow(sql, accountId, idOf(request.params))) }
    },
  )

  app.post(
    '/workflows/:WorkflowID/preview',
    {
      schema: {
        operationId: 'previewWorkflow',
        tags: ['Workflows'],
        summary: 'Show what a workflow would send',
        description: 'With a booking, or with a sample. Nothing is sent.',
        params: schemas.workflowPathSchema,
        body: schemas.previewRequestSchema,
        response: { 200: envelope(schemas.previewSchema), ...problemResponses(...writing, 'not-found') },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const workflow = await service.requireWorkflow(sql, accountId, idOf(request.params))
      const { BookingReference: reference = null } = request.body
      const { preview, faults } = await previewWords(sql, accountId, workflow, {
        reference,
        renders,
        publicUrl,
      })
      if (faults.length > 0) throw problems.validation(faults)
      return { data: preview }
    },
  )

  app.post(
    '/workflows/:WorkflowID/test',
    {
      schema: {
        operationId: 'testWorkflow',
        tags: ['Workflows'],
        summary: 'Send a test of a workflow',
        description:
          'Sends the e-mail to any address, for a booking or for a sample booking. Tests are not counted as usage. An account may send 50 in a day (UTC).',
        params: schemas.workflowPathSchema,
        headers: idempotencyHeaders,
        body: schemas.testRequestSchema,
        response: {
          201: envelope(emailSchema),
          ...problemResponses(...writingOnce, 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const { To: to, BookingReference: reference = null } = request.body
      const done = await runOnce(sql, idempotent(request, 'workflow.test'), async (tx) => {
        const { id: workflowId } = await service.requireWorkflow(tx, accountId, idOf(request.params))
        return emailView(await queueTest(tx, accountId, { workflowId, reference, to }))
      })
      return sendOnce(reply, 201, completeEmailView(done))
    },
  )
}

function idOf({ WorkflowID }: { WorkflowID: string }): number {
  return Number(WorkflowID)
}
