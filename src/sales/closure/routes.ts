/** Weather closures: timeslots closed in one action, with every booking on them cancelled or moved. */
import { byKey, keyActor } from '../../events/actor.ts'
import { idempotent } from '../../http/idempotent-request.ts'
import { changingOnce, problemResponses, writing } from '../../http/openapi.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../http/wire.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { toMoney } from '../../platform/text/money.ts'
import { sumRefunds, type TimeslotClosure, totalsOf } from './model.ts'
import { reopenDay } from './reopening.ts'
import * as schemas from './schemas.ts'
import { closeTimeslots, findTimeslots, previewClosure } from './service.ts'

export const closureRoutes: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.post(
    '/closures/preview',
    {
      schema: {
        operationId: 'previewClosure',
        tags: ['Closures'],
        summary: 'See what a closure would do',
        description: 'Returns the response that the closure would have now. Changes nothing.',
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
          'Closes every matching timeslot that has not begun; an all-day timeslot can be closed until its last closing time. Confirmed bookings are cancelled or moved and their customers get an e-mail, held places are released, and the waitlist ends. Each timeslot is processed completely or not at all. At most 1,000 timeslots. After a 503 or a lost connection, send the request again with the same `Idempotency-Key`: it continues where it stopped.',
        headers: idempotencyHeaders,
        body: schemas.closureRequestSchema,
        response: {
          200: envelope(schemas.closureSchema),
          ...problemResponses(...changingOnce),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const { results, replayed } = await closeTimeslots(sql, accountId, {
        actor: keyActor(request.caller),
        request: request.body,
        once: (operation) => idempotent(request, operation),
      })
      if (replayed) reply.header('idempotency-replayed', 'true')
      return { data: closureView(results) }
    },
  )

  app.post(
    '/closures/reopen',
    {
      schema: {
        operationId: 'reopenDay',
        tags: ['Closures'],
        summary: 'Put the closed timeslots of a day on sale again',
        description:
          'Reopens every closed timeslot of the day that has not begun and was not moved. Free places are offered to the waitlist before others can buy them. Bookings that the closure cancelled or moved do not come back. At most 1,000 timeslots. After a 503 or a lost connection, send the request again with the same `Idempotency-Key`: it continues where it stopped.',
        headers: idempotencyHeaders,
        body: schemas.reopenRequestSchema,
        response: {
          200: envelope(schemas.reopenedSchema),
          ...problemResponses(...changingOnce),
        },
      },
    },
    async (request) => {
      const { Date: date, ProductID: productId = null } = request.body
      const once = (operation: string) => idempotent(request, operation)
      const ids = await reopenDay(sql, byKey(request.caller), { date, productId, once })
      return { data: { TimeslotIDs: ids } }
    },
  )
}

function closureView(results: TimeslotClosure[]): schemas.ClosureView {
  const totals = totalsOf(results)
  return {
    Totals: {
      Closed: totals.closed,
      AlreadyClosed: totals.alreadyClosed,
      Left: totals.left,
      Cancelled: totals.cancelled,
      Moved: totals.moved,
      Released: totals.released,
      WaitlistEnded: totals.waitlistEnded,
      Emailed: totals.emailed,
      Refunds: refundsView(totals),
    },
    Timeslots: results.map(timeslotView),
  }
}

function timeslotView({ movedTo, ...result }: TimeslotClosure): schemas.ClosedTimeslotView {
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
    Refunds: refundsView(result),
    Untold: result.untold ?? [],
    MovedTo: movedTo && { TimeslotID: movedTo.id, Date: movedTo.date, Time: movedTo.time },
    Reason: result.reason,
    Available: result.available,
  }
}

/** The refunds that customers get, from the operator and from partners. */
function refundsView({
  refunds = [],
  partnerRefunds = [],
}: Pick<TimeslotClosure, 'refunds' | 'partnerRefunds'>) {
  return sumRefunds([...refunds, ...partnerRefunds]).map(({ minor, currency }) =>
    toMoney(BigInt(minor), currency),
  )
}
