/** The page of one timeslot: its bookings, its waitlist, and the forms that change it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unitPricesSchema } from '../../catalogue/sale-schemas.ts'
import { listMoved } from '../../catalogue/timeslots/editing/move-queries.ts'
import * as timeslots from '../../catalogue/timeslots/editing/service.ts'
import { capacitySchema, openingHoursSchema, timeslotPathSchema } from '../../catalogue/timeslots/schemas.ts'
import { byUser } from '../../events/actor.ts'
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import { pageFields } from '../../http/wire.ts'
import { listPriceLists } from '../../inventory/price-list-queries.ts'
import { listSentToAll } from '../../messaging/messages/service.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { browseBookings } from '../../sales/booking/desk/service.ts'
import { listEntries } from '../../sales/waitlist/service.ts'
import { checkForm, faultsOf, onceOf, renameFaults } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { requireHours } from '../parts/hours-fields.ts'
import { readOwedBadges } from '../parts/owed-badges.ts'
import { priceFieldOf, takePrices } from '../parts/price-fields.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { type RefusedTimeslotForm, timeslotPage } from './timeslot-views.ts'
import { waitlistActions } from './waitlist-pages.ts'

const maxWaiting = 200

const querySchema = Type.Object({
  All: Type.Optional(Type.Enum(['true'])),
  Cursor: pageFields.Cursor,
})
const hoursSchema = Type.Object({ OpeningHours: openingHoursSchema('') })
const capacityForm = Type.Object({ Capacity: capacitySchema })
const pricesSchema = Type.Object({ UnitPrices: unitPricesSchema })
export const timeslotPages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  const params = timeslotPathSchema

  app.get(
    '/calendar/timeslots/:TimeslotID',
    { schema: { hide: true, params, querystring: querySchema } },
    async (request, reply) => show(request, reply, Number(request.params.TimeslotID)),
  )

  app.post(
    '/calendar/timeslots/:TimeslotID/capacity',
    { attachValidation: true, schema: { hide: true, params, body: capacityForm } },
    async (request, reply) => {
      const id = Number(request.params.TimeslotID)
      try {
        checkForm(request)
        const { answer } = await runOnce(sql, onceOf(request, 'timeslot.capacity'), async (tx) => {
          const change = { id, capacity: request.body.Capacity }
          return { offered: await timeslots.changeCapacity(tx, byUser(request.session.user), change) }
        })
        const { offered } = answer
        const done =
          offered > 0 ? doneAt(pathOf(id), 'capacity-offered', offered) : doneAt(pathOf(id), 'capacity')
        return reply.redirect(done, 303)
      } catch (error) {
        return show(request, reply, id, { form: 'capacity', given: request.body, ...faultsOf(error) })
      }
    },
  )

  app.post(
    '/calendar/timeslots/:TimeslotID/prices',
    { attachValidation: true, preValidation: takePrices, schema: { hide: true, params, body: pricesSchema } },
    async (request, reply) => {
      const id = Number(request.params.TimeslotID)
      const given = request.body
      try {
        checkForm(request)
        await runOnce(sql, onceOf(request, 'timeslot.prices'), async (tx) => {
          const change = { UnitPrices: given.UnitPrices }
          return timeslots.changeTimeslot(tx, byUser(request.session.user), { id, change })
        })
      } catch (error) {
        const renamed = renameFaults(error, (field) => priceFieldOf(field, given.UnitPrices))
        return show(request, reply, id, { form: 'prices', given, ...faultsOf(renamed) })
      }
      return reply.redirect(doneAt(pathOf(id), 'prices'), 303)
    },
  )

  app.post(
    '/calendar/timeslots/:TimeslotID/hours',
    { attachValidation: true, schema: { hide: true, params, body: hoursSchema } },
    async (request, reply) => {
      const id = Number(request.params.TimeslotID)
      const given = request.body
      try {
        checkForm(request)
        requireHours(given)
        await runOnce(sql, onceOf(request, 'timeslot.hours'), async (tx) =>
          timeslots.changeTimeslot(tx, byUser(request.session.user), { id, change: given }),
        )
      } catch (error) {
        return show(request, reply, id, { form: 'hours', given, ...faultsOf(error) })
      }
      return reply.redirect(doneAt(pathOf(id), 'hours'), 303)
    },
  )

  const actions = {
    close: { act: timeslots.closeTimeslot, done: 'closed' },
    reopen: { act: timeslots.reopenTimeslot, done: 'reopened' },
  } as const
  for (const [action, { act, done }] of Object.entries(actions)) {
    app.post(
      `/calendar/timeslots/:TimeslotID/${action}`,
      { schema: { hide: true, params } },
      async (request, reply) => {
        const id = Number(request.params.TimeslotID)
        await runOnce(sql, onceOf(request, `timeslot.${action}`), (tx) =>
          act(tx, byUser(request.session.user), id),
        )
        return reply.redirect(doneAt(pathOf(id), done), 303)
      },
    )
  }

  waitlistActions(app, { sql })

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    refused?: RefusedTimeslotForm,
  ) {
    const { session } = request
    const { accountId, timeZone } = session.user
    const { All, Cursor } = request.query as { All?: string; Cursor?: string }
    const all = All === 'true'
    const [slot, { bookings, next }, entries, lists, moved, sent] = await Promise.all([
      timeslots.getTimeslot(sql, accountId, id),
      browseBookings(
        sql,
        { accountId, timeZone },
        {
          TimeslotID: id,
          ...(!all && { Status: ['confirmed', 'held'] }),
          ...(Cursor !== undefined && { Cursor }),
        },
      ),
      listEntries(sql, accountId, {
        timeslotId: id,
        statuses: all ? null : ['waiting', 'offered', 'taken', 'expired'],
        after: 0,
        limit: maxWaiting + 1,
      }),
      listPriceLists(sql, accountId, [id]),
      listMoved(sql, accountId, [id]),
      listSentToAll(sql, accountId, id),
    ])
    const t = textsFor(request)
    const owed = await readOwedBadges(sql, accountId, t, bookings)
    return sendDashboard(reply, session, {
      title: slot.productName,
      aside: html`<p class="hint">${dayAndTime(t, slot)}</p>`,
      body: timeslotPage(session, {
        ...{
          slot,
          bookings,
          owed,
          all,
          t,
          refused,
          sent,
          list: lists.get(id) ?? null,
          moved: moved.get(id) ?? null,
        },
        entries: entries.slice(0, maxWaiting),
        isCut: entries.length > maxWaiting,
        next: next && new URLSearchParams({ ...(all && { All: 'true' }), Cursor: next }).toString(),
      }),
      status: refused?.status ?? 200,
      assets: ['calendar.css', 'live.js'],
    })
  }
}

export function pathOf(id: number): string {
  return `/dashboard/calendar/timeslots/${id}`
}
