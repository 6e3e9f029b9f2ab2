/**
 * The page that moves a timeslot. Users reach it by dragging the timeslot in the calendar, or by the link “Move…”
 * on the page of the timeslot.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { moveTimeslot } from '../../catalogue/timeslots/editing/moving.ts'
import { findTimeslotAt, getTimeslot } from '../../catalogue/timeslots/editing/service.ts'
import { timeslotMoveSchema, timeslotPathSchema } from '../../catalogue/timeslots/schemas.ts'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { type GivenMove, movePage } from './move-views.ts'

const path = '/calendar/timeslots/:TimeslotID/move'
const querySchema = Type.Partial(timeslotMoveSchema)

export const movePages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  const params = timeslotPathSchema
  app.get(path, { schema: { hide: true, params, querystring: querySchema } }, (request, reply) =>
    show(request, reply, Number(request.params.TimeslotID), { given: request.query }),
  )

  app.post(
    path,
    { attachValidation: true, schema: { hide: true, params, body: timeslotMoveSchema } },
    async (request, reply) => {
      const id = Number(request.params.TimeslotID)
      const given = request.body
      try {
        checkForm(request)
        const { answer } = await runOnce(sql, onceOf(request, 'timeslot.move'), async (tx) => {
          const moved = await moveTimeslot(tx, byUser(request.session.user), id, given)
          return { id: moved.id }
        })
        return reply.redirect(doneAt(`/dashboard/calendar/timeslots/${answer.id}`, 'timeslot-moved'), 303)
      } catch (error) {
        return show(request, reply, id, { given, ...faultsOf(error) })
      }
    },
  )

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    { given, faults = null, status = 200 }: { given: GivenMove; faults?: FormFaults; status?: number },
  ) {
    const { session } = request
    const { accountId } = session.user
    const slot = await getTimeslot(sql, accountId, id)
    const place = { date: given.Date ?? slot.date, time: given.Time ?? slot.time }
    // A refused form that is shown again may have an invalid date or time.
    const isDateAndTime = isCalendarDate(place.date) && /^([01]\d|2[0-3]):[0-5]\d$/.test(place.time)
    const found = isDateAndTime
      ? await findTimeslotAt(sql, accountId, { productId: slot.productId, ...place })
      : null
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('calendar.move.title', { product: slot.productName, when: dayAndTime(t, slot) }),
      status,
      body: movePage(session, t, { slot, existing: found?.id === id ? null : found, given, faults }),
      assets: ['calendar.css'],
    })
  }
}
