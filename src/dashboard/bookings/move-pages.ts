/** The page on which a booking is moved: timeslots that have room for it, and others where one was just taken. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { moveRequestSchema } from '../../bookings/changes/schemas.ts'
import { moveBooking } from '../../bookings/changes/service.ts'
import { referencePathSchema } from '../../bookings/desk/schemas.ts'
import { readBooking } from '../../bookings/desk/service.ts'
import { toActivityId } from '../../catalogue/model.ts'
import { getProduct, listProducts } from '../../catalogue/service.ts'
import type { Sql } from '../../platform/database.ts'
import type { Alternative } from '../../problems.ts'
import { listTimeslots } from '../../timeslots/editing/service.ts'
import { freeOf } from '../calendar/occupancy.ts'
import { formatsFor } from '../formats.ts'
import { checkForm, faultsOf, onceOf } from '../forms.ts'
import { doneAt, sendDashboard } from '../layout.ts'
import type { DashboardOptions } from '../session.ts'
import { alternativesOf } from './alternatives.ts'
import { choiceOf, choiceSchema, fromNowOn } from './choice.ts'
import { moveView } from './move-views.ts'
import { bookingPath, subjectOf } from './subject.ts'

type AboutMove = FastifyRequest<{
  Params: { BookingReference: string }
  Querystring: Static<typeof choiceSchema>
}>

/** Timeslots that are looked at, from a day on, for those that fit. */
const mostListed = 100

export const bookingMovePages: FastifyPluginAsyncTypebox<DashboardOptions> = async (app, { sql }) => {
  const schema = { hide: true, params: referencePathSchema, querystring: choiceSchema }

  app.get('/bookings/:BookingReference/move', { schema }, (request, reply) =>
    sendMove(sql, request, reply, null),
  )

  app.post(
    '/bookings/:BookingReference/move',
    { schema: { ...schema, body: moveRequestSchema }, attachValidation: true },
    async (request, reply) => {
      try {
        checkForm(request)
        const { ActivityID, Date: date, Time: time } = request.body
        const target = { activityId: ActivityID ?? null, date, time }
        await moveBooking(sql, onceOf(request, 'booking.move'), subjectOf(request), target)
      } catch (error) {
        return sendMove(sql, request, reply, { ...faultsOf(error), alternatives: alternativesOf(error) })
      }
      return reply.redirect(doneAt(bookingPath(request.params.BookingReference), 'moved'), 303)
    },
  )
}

type Refused = ReturnType<typeof faultsOf> & { alternatives: Alternative[] }

async function sendMove(
  sql: Sql,
  request: AboutMove,
  reply: FastifyReply,
  refused: Refused | null,
): Promise<FastifyReply> {
  const { session, params, query } = request
  const { accountId, timeZone } = session.user
  const booking = await readBooking(sql, accountId, params.BookingReference)
  const { productId: chosen, from } = choiceOf(query, timeZone)
  const productId = chosen ?? booking.ProductID
  const [product, products] = await Promise.all([
    getProduct(sql, accountId, productId),
    listProducts(sql, accountId, {}),
  ])
  const after = fromNowOn(product.timeZone)
  const filter = { from, to: null, productId, status: 'open', after, limit: mostListed } as const
  const slots = await listTimeslots(sql, accountId, filter)
  const fitting = slots.filter(
    (slot) => slot.onSale && slot.id !== booking.TimeslotID && freeOf(slot) >= booking.Participants,
  )
  const body = moveView(session, formatsFor(request), {
    booking,
    activityId: toActivityId(product.activityId),
    productId,
    from,
    products,
    slots: fitting,
    refused,
  })
  const title = `Move ${booking.BookingReference}`
  return sendDashboard(reply, session, {
    title,
    status: refused?.status ?? 200,
    body,
    assets: ['bookings.css', 'live.js'],
  })
}
