/** The operator's routes for the calls after closures, which the dashboard shows too. */
import { problemResponses, reading, writing } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope } from '../../../http/wire.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { Type } from '../../../platform/schema/typebox.ts'
import * as schemas from './schemas.ts'
import { getCall, listCalls, tickOff } from './service.ts'

const maxListed = 1000

export const closureCallRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/closures/calls',
    {
      schema: {
        operationId: 'listClosureCalls',
        tags: ['Closures'],
        summary: 'List the calls after closures',
        description:
          'The customers of timeslots that were closed in the last 14 days, by the date of the timeslot and by name; at most 1,000.',
        querystring: schemas.callsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.callSchema)), ...problemResponses(...reading) },
      },
    },
    async ({ caller, query }) => {
      const filter = { onlyToCall: query.ToCall === 'true', limit: maxListed }
      return { data: (await listCalls(sql, caller.accountId, filter)).map(schemas.callView) }
    },
  )

  app.put(
    '/closures/calls/:TimeslotID/:BookingReference',
    {
      schema: {
        operationId: 'tickOffClosureCall',
        tags: ['Closures'],
        summary: 'Record that a customer was informed of a closure',
        description: 'All users of the account see the change. A repeated request changes nothing.',
        params: schemas.callPathSchema,
        body: schemas.callRequestSchema,
        response: {
          200: envelope(schemas.callSchema),
          ...problemResponses(...writing, 'not-found'),
        },
      },
    },
    async ({ caller: { accountId }, params, body }) => {
      const call = { timeslotId: Number(params.TimeslotID), reference: params.BookingReference }
      const data = await runAgain(sql, async (tx) => {
        await tickOff(tx, accountId, call, { isDone: body.Done, doneBy: null })
        return schemas.callView(await getCall(tx, accountId, call))
      })
      return { data }
    },
  )
}
