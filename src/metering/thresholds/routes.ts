/** Thresholds on usage: listed with `usage:read`, set and removed with `usage:write`. */
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
        description: `All of them, at most ${maxThresholds}, by meter, period and amount.`,
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
        description: `When a total of the meter reaches it, an event \`usage.threshold-crossed\` says so, once for each period; one that is below the current total is crossed at once. No usage is refused, and a void takes no crossing back. An account may have ${maxThresholds} thresholds.`,
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
          'Answers what it was. Events of its crossings stay; the same threshold set again is a new one.',
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
