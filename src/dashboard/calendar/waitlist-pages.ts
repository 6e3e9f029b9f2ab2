/** The actions of the waitlist: put a party on it, accept an offer and open its payment, and remove a party. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { toActivityId } from '../../catalogue/model.ts'
import { getTimeslot } from '../../catalogue/timeslots/editing/service.ts'
import { timeslotPathSchema } from '../../catalogue/timeslots/schemas.ts'
import { userActor } from '../../events/actor.ts'
import { Problem, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { withAlternatives } from '../../inventory/alternatives.ts'
import { listPriceLists } from '../../inventory/price-list-queries.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { partyFields, partyRequired } from '../../sales/booking/schemas.ts'
import { entryPathSchema, joinRequestSchema } from '../../sales/waitlist/schemas.ts'
import { findEntry, joinWaitlist, leaveWaitlist, takeWaitlistOffer } from '../../sales/waitlist/service.ts'
import { checkFormWith, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { readParty, takeUnits } from '../parts/party-fields.ts'
import { findBrokenRules } from '../parts/party-rules.ts'
import { takePhone } from '../parts/phone-fields.ts'
import { type GivenParty, joinView } from './waitlist-views.ts'

type AboutTimeslot = FastifyRequest<{ Params: { TimeslotID: string } }>

const { Customer } = joinRequestSchema.properties
const partySchema = Type.Object({ ...partyFields, Customer }, partyRequired)

export const waitlistActions: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get(
    '/calendar/timeslots/:TimeslotID/waitlist',
    { schema: { hide: true, params: timeslotPathSchema } },
    (request, reply) => {
      const given = readParty(Object.fromEntries(new URL(request.url, 'http://here').searchParams))
      const isGiven = given.Participants !== undefined || given.Units !== undefined
      return sendJoin(sql, request, reply, { given: isGiven ? given : null, faults: null, status: 200 })
    },
  )

  app.post(
    '/calendar/timeslots/:TimeslotID/waitlist',
    {
      attachValidation: true,
      preValidation: [takeUnits, takePhone, takeCustomer],
      schema: { hide: true, params: timeslotPathSchema, body: partySchema },
    },
    async (request, reply) => {
      const id = Number(request.params.TimeslotID)
      const { accountId } = request.session.user
      try {
        const findTimeslot = () => getTimeslot(sql, accountId, id)
        await checkFormWith(request, (failing) =>
          findBrokenRules(sql, accountId, { party: request.body, failing, findTimeslot }),
        )
        const { activity, date, time } = await findTimeslot()
        const wanted = { ActivityID: toActivityId(activity), Date: date, Time: time, ...request.body }
        const join = () =>
          runOnce(sql, onceOf(request, 'waitlist.join'), (tx) =>
            joinWaitlist(tx, accountId, userActor(request.session.user), wanted),
          )
        await withAlternatives(sql, join, { namesLine: false })
      } catch (error) {
        return sendJoin(sql, request, reply, { given: request.body, ...faultsOf(error) })
      }
      return reply.redirect(doneAt(`/dashboard/calendar/timeslots/${id}`, 'joined'), 303)
    },
  )

  // Redirects to the payment page even if the offer has expired: the page sells the places if they are still
  // free.
  app.post(
    '/calendar/waitlist/:WaitlistID/take',
    { schema: { hide: true, params: entryPathSchema } },
    async (request, reply) => {
      const id = Number(request.params.WaitlistID)
      const { accountId } = request.session.user
      const entry = await findEntry(sql, accountId, id)
      if (!entry) throw problems.waitlistEntryNotFound()
      await runOnce(sql, onceOf(request, 'waitlist.take'), (tx) =>
        takeWaitlistOffer(tx, accountId, userActor(request.session.user), id),
      ).catch((error) => {
        if (!(error instanceof Problem && error.slug === 'offer-over')) throw error
      })
      return reply.redirect(`/dashboard/sell/${entry.basketId}/pay`, 303)
    },
  )

  app.post(
    '/calendar/waitlist/:WaitlistID/leave',
    { schema: { hide: true, params: entryPathSchema } },
    async (request, reply) => {
      const id = Number(request.params.WaitlistID)
      const { accountId } = request.session.user
      const { answer } = await runOnce(sql, onceOf(request, 'waitlist.leave'), (tx) =>
        leaveWaitlist(tx, accountId, userActor(request.session.user), id),
      )
      return reply.redirect(doneAt(`/dashboard/calendar/timeslots/${answer.timeslotId}`, 'left'), 303)
    },
  )
}

/** Adds an empty customer to a form without customer fields, so that each missing name is a fault of its own field. */
async function takeCustomer(request: FastifyRequest): Promise<void> {
  const body = request.body as { Customer?: object }
  body.Customer ??= {}
}

/** The form that puts a party on the waitlist of a timeslot. */
async function sendJoin(
  sql: Sql,
  request: AboutTimeslot,
  reply: FastifyReply,
  { given, faults, status }: { given: GivenParty | null; faults: FormFaults; status: number },
): Promise<FastifyReply> {
  const { session, params } = request
  const { accountId } = session.user
  const id = Number(params.TimeslotID)
  const [slot, lists] = await Promise.all([
    getTimeslot(sql, accountId, id),
    listPriceLists(sql, accountId, [id]),
  ])
  const t = textsFor(request)
  const form = { slot, list: lists.get(id) ?? null, given, faults }
  return sendDashboard(reply, session, {
    title: t.say('calendar.waitlist.add'),
    status,
    body: joinView(session, t, form),
    assets: ['calendar.css'],
  })
}
