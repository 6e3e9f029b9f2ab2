/** The operator's routes for timeslots: list, read, make, change, move, close and reopen them. */

import { byKey } from '../../../events/actor.ts'
import { idempotent, sendOnce } from '../../../http/idempotent-request.ts'
import { changing, changingOnce, problemResponses, reading } from '../../../http/openapi.ts'
import { readPage, readPosition } from '../../../http/paging.ts'
import { problems } from '../../../http/problems.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, idempotencyHeaders, linkNext } from '../../../http/wire.ts'
import { freeOf } from '../../../inventory/on-sale.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { runAgain, runOnce } from '../../../platform/postgres/run-once.ts'
import { Type } from '../../../platform/schema/typebox.ts'
import { isCalendarDate } from '../../../platform/text/calendar.ts'
import { withOffset } from '../../../platform/text/local-time.ts'
import { openingView } from '../../opening-hours.ts'
import { productPathSchema } from '../../schemas.ts'
import { ownPricesView } from '../../units/own-prices.ts'
import * as schemas from '../schemas.ts'
import { moveTimeslot } from './moving.ts'
import * as service from './service.ts'

export const timeslotRoutes: Routes<{ sql: Sql; publicUrl: string }> = (app, { sql, publicUrl }) => {
  app.get(
    '/timeslots',
    {
      schema: {
        operationId: 'listOwnTimeslots',
        tags: ['Catalogue'],
        summary: 'List timeslots',
        description: 'By local date and time, past ones included. `Link: rel="next"` leads to the rest.',
        querystring: schemas.timeslotsQuerySchema,
        response: { 200: envelope(Type.Array(schemas.timeslotSchema)), ...problemResponses(...reading) },
      },
    },
    async (request, reply) => {
      const { From = null, To = null, ProductID = null, Status = null, Limit, Cursor } = request.query
      if (From !== null && To !== null && To < From)
        throw problems.validation([{ field: 'To', message: 'must not be before From' }])
      const filter = { from: From, to: To, productId: ProductID, status: Status, after: positionOf(Cursor) }
      const { rows, next } = await readPage(
        Limit,
        (limit) => service.listTimeslots(sql, request.caller.accountId, { ...filter, limit }),
        ({ date, time, id }) => [date, time, id],
      )
      if (next) reply.header('link', linkNext(publicUrl, request.url, { Cursor: next }))
      return { data: rows.map(timeslotView) }
    },
  )

  app.get(
    '/timeslots/:TimeslotID',
    {
      schema: {
        operationId: 'readTimeslot',
        tags: ['Catalogue'],
        summary: 'Read a timeslot',
        description: 'Includes the numbers of booked and held places, and of parties on the waitlist.',
        params: schemas.timeslotPathSchema,
        response: { 200: envelope(schemas.timeslotSchema), ...problemResponses(...reading, 'not-found') },
      },
    },
    async (request) => {
      const id = Number(request.params.TimeslotID)
      return { data: timeslotView(await service.getTimeslot(sql, request.caller.accountId, id)) }
    },
  )

  app.post(
    '/products/:ProductID/timeslots',
    {
      schema: {
        operationId: 'createTimeslot',
        tags: ['Catalogue'],
        summary: 'Make a single timeslot',
        description: 'It has no schedule, and no schedule changes it.',
        headers: idempotencyHeaders,
        params: productPathSchema,
        body: schemas.newTimeslotSchema,
        response: {
          201: envelope(schemas.timeslotSchema),
          ...problemResponses(...changingOnce, 'not-found', 'timeslot-exists'),
        },
      },
    },
    async (request, reply) => {
      const productId = Number(request.params.ProductID)
      const once = await runOnce(sql, idempotent(request, 'timeslot.create'), async (tx) =>
        timeslotView(await service.createTimeslot(tx, byKey(request.caller), productId, request.body)),
      )
      return sendOnce(reply, 201, once)
    },
  )

  app.patch(
    '/timeslots/:TimeslotID',
    {
      schema: {
        operationId: 'changeTimeslot',
        tags: ['Catalogue'],
        summary: 'Change the places, opening hours and prices of a timeslot',
        description:
          '`Capacity` must not be lower than the number of booked and held places. Added places are offered to the waitlist first. `UnitPrices` is the whole list of the timeslot’s own prices; bookings keep the prices of their sale. Afterwards, changes of the schedule do not apply to this timeslot.',
        params: schemas.timeslotPathSchema,
        body: schemas.timeslotChangeSchema,
        response: {
          200: envelope(schemas.timeslotSchema),
          ...problemResponses(...changing, 'not-found', 'capacity-below-booked'),
        },
      },
    },
    async (request) => {
      const given = { id: Number(request.params.TimeslotID), change: request.body }
      const slot = await runAgain(sql, (tx) => service.changeTimeslot(tx, byKey(request.caller), given))
      return { data: timeslotView(slot) }
    },
  )

  app.post(
    '/timeslots/:TimeslotID/move',
    {
      schema: {
        operationId: 'moveTimeslot',
        tags: ['Catalogue'],
        summary: 'Move a timeslot to another date or time',
        description:
          'The timeslot must be open, must not have begun, and must have no bookings, no held places and no waitlist. If it has bookings, use a closure instead. The response is the timeslot at the new date and time, with another ID and the same capacity, opening hours and prices. The old timeslot is removed, or stays closed if it belongs to a schedule or has ended bookings. If the new date and time have a closed timeslot with no bookings, no held places and no waitlist, the move reuses it.',
        headers: idempotencyHeaders,
        params: schemas.timeslotPathSchema,
        body: schemas.timeslotMoveSchema,
        response: {
          200: envelope(schemas.timeslotSchema),
          ...problemResponses(...changingOnce, 'not-found', 'timeslot-exists', 'timeslot-not-movable'),
        },
      },
    },
    async (request, reply) => {
      const id = Number(request.params.TimeslotID)
      const once = await runOnce(sql, idempotent(request, 'timeslot.move'), async (tx) =>
        timeslotView(await moveTimeslot(tx, byKey(request.caller), id, request.body)),
      )
      return sendOnce(reply, 200, once)
    },
  )

  const actions = {
    close: {
      act: service.closeTimeslot,
      summary: 'Take a timeslot off sale',
      description:
        'Its bookings stay; to cancel or move them too, use a closure. Afterwards, changes of the schedule do not apply to this timeslot.',
    },
    reopen: {
      act: service.reopenTimeslot,
      summary: 'Put a timeslot on sale again',
      description:
        'Its free places are offered to the waitlist first. If it has the capacity and the opening hours of its schedule, and no prices of its own, changes of the schedule apply to it again.',
    },
  } as const
  for (const [action, { act, summary, description }] of Object.entries(actions)) {
    app.post(
      `/timeslots/:TimeslotID/${action}`,
      {
        schema: {
          operationId: `${action}Timeslot`,
          tags: ['Catalogue'],
          summary,
          description: `${description} Repeating the request changes nothing.`,
          headers: idempotencyHeaders,
          params: schemas.timeslotPathSchema,
          response: {
            200: envelope(schemas.timeslotSchema),
            ...problemResponses(...changingOnce, 'not-found'),
          },
        },
      },
      async (request, reply) => {
        const id = Number(request.params.TimeslotID)
        const once = await runOnce(sql, idempotent(request, `timeslot.${action}`), async (tx) =>
          timeslotView(await act(tx, byKey(request.caller), id)),
        )
        return sendOnce(reply, 200, once)
      },
    )
  }
}

function positionOf(cursor: string | undefined) {
  const position = readPosition(cursor, ['string', 'string', 'number'])
  if (!position) return null
  const [date, time, id] = position
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time) || !isCalendarDate(date)) throw problems.cursor()
  return { date, time, id }
}

function timeslotView(slot: service.Timeslot): schemas.TimeslotView {
  return {
    ID: slot.id,
    ProductID: slot.productId,
    ProductName: slot.productName,
    ScheduleID: slot.scheduleId,
    Date: slot.date,
    Time: slot.time,
    StartsAt: withOffset(slot.startsAt, slot.localStart),
    EndsAt: withOffset(slot.endsAt, slot.localEnd),
    ...openingView(slot.openingHours),
    OnSaleUntil: withOffset(slot.saleEndsAt, slot.localSaleEnd),
    Status: slot.status,
    Capacity: slot.capacity,
    Booked: slot.booked,
    Held: slot.held,
    Available: slot.onSale ? freeOf(slot) : 0,
    Waiting: slot.waiting,
    Edited: slot.edited,
    UnitPrices: ownPricesView(slot.unitPrices),
  }
}
