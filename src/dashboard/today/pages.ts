/** The day: its timeslots with who comes, to check in, and to print as a manifest. */

import { listQuestionsOf } from '../../catalogue/products/service.ts'
import { listTimeslots } from '../../catalogue/timeslots/editing/service.ts'
import { dateSchema } from '../../catalogue/timeslots/schemas.ts'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { attendanceRequestSchema } from '../../sales/booking/changes/schemas.ts'
import { recordAttendance } from '../../sales/booking/changes/service.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { listPartiesOfDay } from '../../sales/booking/desk/service.ts'
import { countOpenCalls } from '../../sales/closure/calls/service.ts'
import { formatsFor } from '../frame/formats.ts'
import { onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { callsNotice } from '../parts/calls-notice.ts'
import { subjectOf } from '../parts/subject.ts'
import { dayView } from './views.ts'

/** More than these of one day are left to the list of bookings, and the page says so. */
const most = { slots: 500, parties: 2000 }

const day = dateSchema('Local date of the products.')
const daySchema = Type.Object({ Date: Type.Optional(day) })
const attendanceForm = Type.Object({ ...attendanceRequestSchema.properties, Date: day })

export const todayPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get('/today', { schema: { hide: true, querystring: daySchema } }, async (request, reply) => {
    const { session, query } = request
    const { accountId, timeZone } = session.user
    const today = dateIn(timeZone, new Date())
    const date = query.Date ?? today
    const range = { from: date, to: date, productId: null, status: null, after: null }
    const [slots, parties, openCalls] = await Promise.all([
      listTimeslots(sql, accountId, { ...range, limit: most.slots + 1 }),
      listPartiesOfDay(sql, accountId, { date, limit: most.parties + 1 }),
      countOpenCalls(sql, accountId),
    ])
    const productIds = [...new Set(slots.map(({ productId }) => productId))]
    const questions = await listQuestionsOf(sql, accountId, productIds)
    const isCut = slots.length > most.slots || parties.length > most.parties
    const formats = formatsFor(request)
    return sendDashboard(reply, session, {
      title: date === today ? `Today, ${formats.day(date)}` : formats.day(date),
      body: html`${callsNotice(openCalls, formats)}${dayView(session, formats, {
        date,
        today,
        slots: slots.slice(0, most.slots),
        parties: parties.slice(0, most.parties),
        questions,
        isCut,
      })}`,
      assets: ['bookings.css', 'live.js'],
    })
  })

  app.post(
    '/today/:BookingReference/attendance',
    { schema: { hide: true, params: referencePathSchema, body: attendanceForm } },
    async (request, reply) => {
      const { Attendance, Date: date } = request.body
      await recordAttendance(sql, onceOf(request, 'booking.attendance'), subjectOf(request), Attendance)
      const page = doneAt(`/dashboard/today?Date=${date}`, Attendance ?? 'attendance-cleared')
      return reply.redirect(`${page}#party-${request.params.BookingReference}`, 303)
    },
  )
}
