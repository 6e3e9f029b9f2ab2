/** Partner endpoints 3 and 4: dates and timeslots with free places. */

import { problemResponses, reading } from '../../http/openapi.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { envelope } from '../../http/wire.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { activityUuid } from '../model.ts'
import { activityPathSchema } from '../schemas.ts'
import { rangeErrors } from './model.ts'
import { dateEntrySchema, daySchema, timeslotEntrySchema } from './schemas.ts'
import type { Availability } from './service.ts'

const failures = problemResponses(...reading, 'invalid-activity-id', 'activity-not-found')

export const availabilityRoutes: Routes<{ availability: Availability }> = (app, { availability }) => {
  app.get(
    '/marketplace/availability/:ActivityID/dates',
    {
      config: { takesNoTurn: true },
      schema: {
        operationId: 'listDates',
        tags: ['Availability'],
        summary: 'List the dates on which places are free',
        description: 'Both dates included, at most 366 days. Dates are local to the product.',
        params: activityPathSchema,
        querystring: Type.Object({ StartDate: daySchema, EndDate: daySchema }),
        response: { 200: envelope(Type.Array(dateEntrySchema)), ...failures },
      },
    },
    async (request) => {
      const { StartDate: from, EndDate: to } = request.query
      const errors = rangeErrors(from, to)
      if (errors.length > 0) throw problems.validation(errors)
      const activity = activityUuid(request.params.ActivityID)
      return {
        data: await availability.listDates({ accountId: request.caller.accountId, activity, from, to }),
      }
    },
  )

  app.get(
    '/marketplace/availability/:ActivityID/timeslots',
    {
      config: { takesNoTurn: true },
      schema: {
        operationId: 'listTimeslots',
        tags: ['Availability'],
        summary: 'List the timeslots of a date that have places free',
        description: 'Earliest first. Slots that have begun do not show.',
        params: activityPathSchema,
        querystring: Type.Object({ Date: daySchema }),
        response: { 200: envelope(Type.Array(timeslotEntrySchema)), ...failures },
      },
    },
    async (request) => {
      const activity = activityUuid(request.params.ActivityID)
      const { Date: day } = request.query
      return {
        data: await availability.listTimeslots({
          accountId: request.caller.accountId,
          activity,
          from: day,
          to: day,
        }),
      }
    },
  )
}
