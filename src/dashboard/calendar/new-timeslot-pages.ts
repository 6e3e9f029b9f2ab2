/** The page that makes a single timeslot, without a schedule. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProductNames } from '../../catalogue/products/service.ts'
import * as timeslots from '../../catalogue/timeslots/editing/service.ts'
import { newTimeslotSchema } from '../../catalogue/timeslots/schemas.ts'
import { byUser } from '../../events/actor.ts'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { checkForm, type FormFaults, faultsOf, onceOf, renameFaults } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { requireHours, takeHours, unchosenHours } from '../parts/hours-fields.ts'
import { type GivenTimeslot, hoursFromQuery, newTimeslot } from './new-timeslot-views.ts'
import { pathOf } from './timeslot-pages.ts'

const productIdSchema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const newSchema = Type.Object({
  ProductID: productIdSchema,
  ...newTimeslotSchema.properties,
  AllDay: Type.Optional(Type.Boolean()),
})
const newQuerySchema = Type.Object({
  ProductID: Type.Optional(productIdSchema),
  ...Type.Partial(Type.Pick(newTimeslotSchema, ['Date', 'Time', 'Capacity'])).properties,
  Hours: Type.Optional(
    Type.Array(Type.String({ pattern: '^\\d\\d:\\d\\d-\\d\\d:\\d\\d$' }), { maxItems: 10 }),
  ),
})

export const newTimeslotPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  app.get(
    '/calendar/timeslots/new',
    { schema: { hide: true, querystring: newQuerySchema } },
    async (request, reply) => {
      const { Hours = [], ...query } = request.query
      return showNew(request, reply, { given: { ...query, ...hoursFromQuery(Hours) } })
    },
  )

  app.post(
    '/calendar/timeslots/new',
    {
      attachValidation: true,
      preValidation: [takeHours, takeStart],
      schema: { hide: true, body: newSchema },
    },
    async (request, reply) => {
      try {
        checkForm(request)
        const { ProductID, AllDay, ...slot } = request.body
        if (AllDay) requireHours(slot)
        const { answer } = await runOnce(sql, onceOf(request, 'timeslot.create'), async (tx) => {
          const { id } = await timeslots.createTimeslot(tx, byUser(request.session.user), ProductID, slot)
          return { id }
        })
        return reply.redirect(doneAt(pathOf(answer.id), 'made'), 303)
      } catch (error) {
        const { faults, status } = faultsOf(request.body.AllDay ? renameFaults(error, ofOpening) : error)
        const existing = error instanceof Problem ? error.extensions.TimeslotID : undefined
        const existingPath = existing === undefined ? null : pathOf(Number(existing))
        const given = { ...request.body, ...unchosenHours(request) }
        return showNew(request, reply, { given, faults, status, existingPath })
      }
    },
  )

  async function showNew(
    request: FastifyRequest,
    reply: FastifyReply,
    form: { given: GivenTimeslot; faults?: FormFaults; status?: number; existingPath?: string | null },
  ) {
    const { session } = request
    const { accountId, timeZone } = session.user
    const { given, faults = null, status = 200, existingPath = null } = form
    const products = await listProductNames(sql, accountId)
    const today = dateIn(timeZone, new Date())
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('calendar.new'),
      body: newTimeslot(session, t, { products, given: { Date: today, ...given }, faults, existingPath }),
      status,
      assets: ['calendar.css'],
    })
  }
}

/**
 * Sets the time of an all-day timeslot to the start of its first opening hours. Without opening hours, sets
 * it to 00:00, so that the missing opening hours are the only fault.
 */
async function takeStart({ body }: FastifyRequest): Promise<void> {
  const given = body as GivenTimeslot
  if (given.AllDay === true) given.Time = given.OpeningHours?.[0]?.Opens ?? '00:00'
}

function ofOpening(field: string): string {
  return field === 'Time' ? 'OpeningHours[0].Opens' : field
}
