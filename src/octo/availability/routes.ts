/** OCTO's routes for availability: by timeslot, and as a calendar of days. */
import type { Routes } from '../../http/routes.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { capabilitiesOf } from '../capabilities.ts'
import { octoResponses, sendOcto } from '../responses.ts'
import {
  availabilityBodySchema,
  octoAvailabilitySchema,
  octoCalendarBodySchema,
  octoCalendarDaySchema,
} from './schemas.ts'
import { checkAvailability, listOctoCalendar } from './service.ts'

export const octoAvailabilityRoutes: Routes<{ read: Read }> = (app, { read }) => {
  app.post(
    '/availability',
    {
      schema: {
        operationId: 'octoCheckAvailability',
        tags: ['OCTO'],
        summary: 'List the timeslots of a product, or some of them by their ids',
        description:
          'The timeslots, earliest first, also full ones and those that are not on sale. Give `localDate`, or `localDateStart` and `localDateEnd`, or `availabilityIds`; unknown ids are left out. With `units`, `available` says whether that party can book.',
        body: availabilityBodySchema,
        response: { 200: Type.Array(octoAvailabilitySchema), ...octoResponses },
      },
    },
    async (request, reply) =>
      sendOcto(reply, await checkAvailability(read, request.caller, request.body, capabilitiesOf(request))),
  )

  app.post(
    '/availability/calendar',
    {
      schema: {
        operationId: 'octoListCalendar',
        tags: ['OCTO'],
        summary: 'List the days of a range, with the free places of each day',
        description:
          'Every day of the range, at most a year. A day without timeslots is `CLOSED`. With `units`, `available` says whether that party can book a timeslot of the day.',
        body: octoCalendarBodySchema,
        response: { 200: Type.Array(octoCalendarDaySchema), ...octoResponses },
      },
    },
    async (request, reply) =>
      sendOcto(reply, await listOctoCalendar(read, request.caller, request.body, capabilitiesOf(request))),
  )
}
