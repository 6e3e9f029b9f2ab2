/** Routes of thresholds on usage: `usage:read` lists them, `usage:write` sets and removes them. */
import { idempotent, sendOnce } from '../../http/idempotent-request.ts'
import { problemResponses, readingOne, writing, writingOnce } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain, runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { maxThresholds } from './model.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

export const thresholdReadRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/thresholds',
    {
      schema: {
        operationId: 'listUsageThresholds',
        tags: ['Usage'],
        summary: 'List thresholds on usage',
        description: `All thresholds of the account, at most ${maxThresholds}, by meter, period and amount.`,
        response: {
          200: envelope(Type.Array(schemas.thresholdSchema)),
          ...problemResponses(...readingOne),
        },
      },
    },
    async ({ caller }) => {
      const thresholds = await service.listThresholds(sql, caller.accountId)
      return { data: thresholds.map(schemas.thresholdView) }
    },
  )
}

export const thresholdWriteRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post(
    '/thresholds',
    {
      schema: {
        operationId: 'setUsageThreshold',
        tags: ['Usage'],
        summary: 'Set a threshold on a meter',
        description: `When a total of the meter reaches the threshold, an event \`usage.threshold-crossed\` reports it, once for each period. A threshold that the current total has reached already is crossed at once. No usage is refused, and a void does not undo a crossing. An account may have ${maxThresholds} thresholds.`,
        headers: idempotencyHeaders,
        body: schemas.newThresholdSchema,
        response: {
          201: envelope(schemas.thresholdSchema),
          ...problemResponses(...writingOnce, 'threshold-exists', 'account-limit-reached'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const done = await runOnce(sql, idempotent(request, 'usage.set-threshold'), async (tx) =>
        schemas.thresholdView(await service.setThreshold(tx, accountId, schemas.toThreshold(request.body))),
      )
      return sendOnce(reply, 201, done)
    },
  )

  app.delete(
    '/thresholds/:ThresholdID',
    {
      schema: {
        operationId: 'removeUsageThreshold',
        tags: ['Usage'],
        summary: 'Remove a threshold',
        description:
          'Returns the removed threshold. Events of its crossings stay. If you set the same threshold again, it is a new one.',
        params: schemas.thresholdPathSchema,
        response: {
          200: envelope(schemas.thresholdSchema),
          ...problemResponses(...writing, 'not-found'),
        },
      },
    },
    async ({ caller, params }) => {
      const id = Number(params.ThresholdID)
      const removed = await runAgain(sql, (tx) => service.removeThreshold(tx, caller.accountId, id))
      return { data: schemas.thresholdView(removed) }
    },
  )
}
