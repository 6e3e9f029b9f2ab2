/** The operator's routes for schedules: list, make, change, end and preview them. */
import type { FastifyRequest } from 'fastify'
import { byKey } from '../../../events/actor.ts'
import { idempotent, sendOnce, withoutKey } from '../../../http/idempotent-request.ts'
import { changing, changingOnce, problemResponses, reading, writing } from '../../../http/openapi.ts'
import type { Routes } from '../../../http/routes.ts'
import { envelope, idempotencyHeaders } from '../../../http/wire.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { Type } from '../../../platform/schema/typebox.ts'
import { productPathSchema } from '../../schemas.ts'
import * as schemas from '../schemas.ts'
import { changeInSteps } from './in-steps.ts'
import * as service from './service.ts'
import { effectsView, scheduleView } from './views.ts'

const follow =
  'Timeslots that have not begun change with it, except those that were edited, or that have bookings, held places or a waitlist: they stay as they are, and the response lists them. Thousands of timeslots change in steps, each of which is complete by itself. If the request ends in between, the rest follows within minutes, or with the next such request.'

export const scheduleRoutes: Routes<{ sql: Sql; horizonDays: number }> = (app, { sql, horizonDays }) => {
  const placeOf = ({
    caller,
    params,
  }: Pick<FastifyRequest, 'caller'> & { params: { ProductID: string } }) => {
    return { ...byKey(caller), productId: Number(params.ProductID), horizonDays }
  }

  app.get(
    '/products/:ProductID/schedules',
    {
      schema: {
        operationId: 'listSchedules',
        tags: ['Catalogue'],
        summary: 'List a product’s schedules',
        description:
          'In the order in which they were made: where two have the same date and time, the timeslot belongs to the first.',
        params: productPathSchema,
        response: {
          200: envelope(Type.Array(schemas.scheduleSchema)),
          ...problemResponses(...reading, 'not-found'),
        },
      },
    },
    async (request) => {
      const { accountId, productId } = placeOf(request)
      return { data: (await service.listSchedules(sql, accountId, productId)).map(scheduleView) }
    },
  )

  app.post(
    '/products/:ProductID/schedules',
    {
      schema: {
        operationId: 'createSchedule',
        tags: ['Catalogue'],
        summary: 'Make a schedule',
        description:
          'Its timeslots are made at once, as far ahead as the service makes any, and more are added daily.',
        headers: idempotencyHeaders,
        params: productPathSchema,
        body: schemas.newScheduleSchema,
        response: {
          201: envelope(schemas.scheduleResultSchema),
          ...problemResponses(...changingOnce, 'not-found', 'account-limit-reached'),
        },
      },
    },
    async (request, reply) => {
      const place = placeOf(request)
      const once = await changeInSteps(sql, idempotent(request, 'schedule.create'), place, (tx) =>
        service.createSchedule(tx, place, request.body),
      )
      return sendOnce(reply, 201, once)
    },
  )

  app.post(
    '/products/:ProductID/schedules/preview',
    {
      schema: {
        operationId: 'previewSchedule',
        tags: ['Catalogue'],
        summary: 'Preview a schedule, or a change of one',
        description:
          'Returns the effects on timeslots that making or changing it now would have. It changes nothing.',
        params: productPathSchema,
        body: schemas.previewRequestSchema,
        response: { 200: envelope(schemas.effectsSchema), ...problemResponses(...writing, 'not-found') },
      },
    },
    async (request) => {
      return { data: effectsView(await service.previewSchedule(sql, placeOf(request), request.body)) }
    },
  )

  app.patch(
    '/products/:ProductID/schedules/:ScheduleID',
    {
      schema: {
        operationId: 'changeSchedule',
        tags: ['Catalogue'],
        summary: 'Change a schedule',
        description: follow,
        params: schemas.schedulePathSchema,
        body: schemas.scheduleChangeSchema,
        response: {
          200: envelope(schemas.scheduleResultSchema),
          ...problemResponses(...changing, 'not-found'),
        },
      },
    },
    async (request) => {
      const place = placeOf(request)
      const given = { id: Number(request.params.ScheduleID), change: request.body }
      const { answer } = await changeInSteps(sql, withoutKey(request, 'schedule.change'), place, (tx) =>
        service.changeSchedule(tx, place, given),
      )
      return { data: answer }
    },
  )

  app.delete(
    '/products/:ProductID/schedules/:ScheduleID',
    {
      schema: {
        operationId: 'removeSchedule',
        tags: ['Catalogue'],
        summary: 'End a schedule',
        description: `${follow} Those stay without a schedule. The others are removed, unless another schedule has them too.`,
        params: schemas.schedulePathSchema,
        response: {
          200: envelope(schemas.scheduleResultSchema),
          ...problemResponses(...changing, 'not-found'),
        },
      },
    },
    async (request) => {
      const place = placeOf(request)
      const id = Number(request.params.ScheduleID)
      const { answer } = await changeInSteps(sql, withoutKey(request, 'schedule.end'), place, (tx) =>
        service.removeSchedule(tx, place, id),
      )
      return { data: answer }
    },
  )
}
