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
  'Timeslots of the schedule that have not begun change too. Timeslots that were edited, or that have bookings, held places or a waitlist, stay as they are; the response lists them. If there are many timeslots, the change is made in steps, and each step is complete by itself. If the request ends between two steps, the remaining steps are taken within minutes, or by the next request that changes the schedule.'

export const scheduleRoutes: Routes<{ sql: Sql; horizonDays: number }> = (app, { sql, horizonDays }) => {
  const ownerOf = ({
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
          'In the order in which they were made. If two schedules have the same date and time, the timeslot belongs to the first one.',
        params: productPathSchema,
        response: {
          200: envelope(Type.Array(schemas.scheduleSchema)),
          ...problemResponses(...reading, 'not-found'),
        },
      },
    },
    async (request) => {
      const { accountId, productId } = ownerOf(request)
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
          'Its timeslots are made at once, as many days ahead as the service is configured for. Later timeslots are added daily.',
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
      const owner = ownerOf(request)
      const once = await changeInSteps(sql, idempotent(request, 'schedule.create'), owner, (tx) =>
        service.createSchedule(tx, owner, request.body),
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
          'Returns the effects on timeslots if the schedule were made or changed now. It changes nothing. It ignores `UnitPrices`.',
        params: productPathSchema,
        body: schemas.previewRequestSchema,
        response: { 200: envelope(schemas.effectsSchema), ...problemResponses(...writing, 'not-found') },
      },
    },
    async (request) => {
      return { data: effectsView(await service.previewSchedule(sql, ownerOf(request), request.body)) }
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
      const owner = ownerOf(request)
      const given = { id: Number(request.params.ScheduleID), change: request.body }
      const { answer } = await changeInSteps(sql, withoutKey(request, 'schedule.change'), owner, (tx) =>
        service.changeSchedule(tx, owner, given),
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
        description: `${follow} Timeslots that stay then belong to no schedule. Other timeslots are removed, unless another schedule has their date and time; a timeslot with ended bookings is closed instead.`,
        params: schemas.schedulePathSchema,
        response: {
          200: envelope(schemas.scheduleResultSchema),
          ...problemResponses(...changing, 'not-found'),
        },
      },
    },
    async (request) => {
      const owner = ownerOf(request)
      const id = Number(request.params.ScheduleID)
      const { answer } = await changeInSteps(sql, withoutKey(request, 'schedule.end'), owner, (tx) =>
        service.removeSchedule(tx, owner, id),
      )
      return { data: answer }
    },
  )
}
