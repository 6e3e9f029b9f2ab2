/** Weather closures: timeslots closed in one action, with every booking on them cancelled or moved. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { idempotent } from '../idempotent-request.ts'
import { problemResponses, writing, writingOnce } from '../openapi.ts'
import { keyActor } from '../places/actor.ts'
import type { Sql } from '../platform/database.ts'
import { inLanes } from '../platform/in-lanes.ts'
import { runOnce } from '../platform/run-once.ts'
import { envelope, idempotencyHeaders } from '../platform/wire.ts'
import type { Result } from './model.ts'
import * as schemas from './schemas.ts'
import { closeWithBookings, findTimeslots, previewClosure } from './service.ts'

export const closureRoutes: FastifyPluginAsyncTypebox<{ sql: Sql }> = async (app, { sql }) => {
  app.post(
    '/closures/preview',
    {
      schema: {
        operationId: 'previewClosure',
        tags: ['Closures'],
        summary: 'See what a closure would do',
        description: 'Answers what the closure would answer now, and changes nothing.',
        body: schemas.closureRequestSchema,
        response: { 200: envelope(schemas.closureSchema), ...problemResponses(...writing) },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const ids = await findTimeslots(sql, accountId, request.body)
      return { data: closureView(await previewClosure(sql, accountId, ids, request.body)) }
    },
  )

  app.post(
    '/closures',
    {
      schema: {
        operationId: 'close',
        tags: ['Closures'],
        summary: 'Close timeslots with every booking on them',
        description:
          'Every matching timeslot that has not begun is closed, its confirmed bookings are cancelled or moved and their customers e-mailed, what baskets hold is given back, and its waitlist ends. It is all or nothing for each timeslot. At most 1,000 timeslots. After a 503 or a lost connection send it again with the same `Idempotency-Key`: what was done is not done again, and the rest is.',
        headers: idempotencyHeaders,
        body: schemas.closureRequestSchema,
        response: {
          200: envelope(schemas.closureSchema),
          ...problemResponses(...writingOnce),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      // What the key stands for is the list of timeslots; each of them keeps an answer of its own.
      const { answer, replayed } = await runOnce(sql, idempotent(request, 'closure.begin'), async (tx) => {
        return { ids: await findTimeslots(tx, accountId, request.body) }
      })
      const closing = {
        actor: keyActor(request.caller),
        request: request.body,
        closing: new Set(answer.ids),
      }
      // What is moved is moved in order, so that the first timeslots have the places of a target.
      const lanes = request.body.Action === 'move' ? 1 : 4
      const ones = await inLanes(answer.ids, lanes, (id) =>
        runOnce(sql, idempotent(request, `closure.timeslot.${id}`), async (tx) => {
          return { result: await closeWithBookings(tx, accountId, id, closing) }
        }),
      )
      if (replayed && ones.every((one) => one.replayed)) reply.header('idempotency-replayed', 'true')
      return { data: closureView(ones.flatMap((one) => one.answer.result ?? [])) }
    },
  )
}

function closureView(results: Result[]): schemas.ClosureView {
  const sum = (part: (result: Result) => number) => results.reduce((total, result) => total + part(result), 0)
  const withResult = (kind: Result['result']) => sum(({ result }) => (result === kind ? 1 : 0))
  return {
    Totals: {
      Closed: withResult('closed'),
      AlreadyClosed: withResult('already-closed'),
      Left: withResult('left'),
      Cancelled: sum(({ cancelled }) => cancelled),
      Moved: sum(({ moved }) => moved),
      Released: sum(({ released }) => released),
      WaitlistEnded: sum(({ waitlistEnded }) => waitlistEnded),
      Emailed: sum(({ emailed }) => emailed),
    },
    Timeslots: results.map(timeslotView),
  }
}

function timeslotView({ movedTo, ...result }: Result): schemas.ClosedTimeslotView {
  return {
    TimeslotID: result.timeslotId,
    ProductID: result.productId,
    Date: result.date,
    Time: result.time,
    Result: result.result,
    Cancelled: result.cancelled,
    Moved: result.moved,
    Released: result.released,
    WaitlistEnded: result.waitlistEnded,
    Emailed: result.emailed,
    MovedTo: movedTo && { TimeslotID: movedTo.id, Date: movedTo.date, Time: movedTo.time },
    Reason: result.reason,
    Available: result.available,
  }
}
