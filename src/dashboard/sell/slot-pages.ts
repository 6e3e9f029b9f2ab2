/** The first step of a sale: a product, a timeslot, and for how many; their places are held from then on. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { toActivityId } from '../../catalogue/model.ts'
import { listProducts } from '../../catalogue/products/service.ts'
import { listOnSale } from '../../catalogue/timeslots/editing/service.ts'
import { byUser } from '../../events/actor.ts'
import { type Alternative, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { listPriceLists } from '../../inventory/price-list-queries.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import { createBasket } from '../../sales/basket/service.ts'
import { bookingRequestSchema, partyFields, partyRequired } from '../../sales/booking/schemas.ts'
import { formatsFor } from '../frame/formats.ts'
import { checkForm, faultsOf, onceOf, type ShownForm } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { alternativesOf, withHours } from '../parts/alternatives.ts'
import { choiceOf, choiceSchema } from '../parts/choice.ts'
import { takeUnits } from '../parts/party-fields.ts'
import { type SlotValues, slotView } from './slot-views.ts'

const { ActivityID } = bookingRequestSchema.properties

/** A timeslot is chosen as one: `2027-06-12T10:00`. */
const holdSchema = Type.Object(
  {
    ActivityID,
    Slot: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d$',
      errorMessage: 'has to be chosen',
    }),
    ...partyFields,
  },
  partyRequired,
)

type Choosing = FastifyRequest<{ Querystring: Static<typeof choiceSchema> }>

/** Timeslots on sale, from a day on, that are shown. */
const mostShown = 12

export const slotPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get('/sell', { schema: { hide: true, querystring: choiceSchema } }, (request, reply) =>
    sendSlots(sql, request, reply, null),
  )

  app.post(
    '/sell',
    {
      schema: { hide: true, querystring: choiceSchema, body: holdSchema },
      attachValidation: true,
      preValidation: takeUnits,
    },
    async (request, reply) => {
      const { body, session } = request
      try {
        checkForm(request)
        const { ActivityID, Slot, Participants, Units } = body
        const [date, time] = Slot.split('T') as [string, string]
        if (!isCalendarDate(date)) throw problems.validation([{ field: 'Slot', message: 'has to be chosen' }])
        const line = { ActivityID, Date: date, Time: time, Participants, Units }
        const wanted = { Channel: 'pos' as const, Lines: [line] }
        const once = onceOf(request, 'basket.create')
        const { answer } = await createBasket(sql, once, byUser(session.user), wanted)
        return reply.redirect(`/dashboard/sell/${answer.BasketID}`, 303)
      } catch (error) {
        const again = { values: body, ...faultsOf(error), alternatives: alternativesOf(error) }
        return sendSlots(sql, request, reply, again)
      }
    },
  )
}

type SlotFormState = ShownForm & { values: SlotValues; status: number; alternatives: Alternative[] }

async function sendSlots(sql: Sql, request: Choosing, reply: FastifyReply, again: SlotFormState | null) {
  const { session, query } = request
  const { accountId, timeZone } = session.user
  const products = await listProducts(sql, accountId, {})
  const { productId, from } = choiceOf(query, timeZone)
  const product = products.find(({ id }) => id === productId) ?? products[0] ?? null
  const shown = product
    ? await listOnSale(sql, accountId, { productId: product.id, from, limit: mostShown })
    : []
  const ids = shown.map(({ id }) => id)
  const body = slotView(session, formatsFor(request), {
    products,
    product,
    activityId: product && toActivityId(product.activityId),
    from,
    slots: shown,
    lists: await listPriceLists(sql, accountId, ids),
    again,
    alternatives: product ? await withHours(sql, accountId, product.id, again?.alternatives ?? []) : [],
  })
  const assets = ['bookings.css', 'live.js']
  return sendDashboard(reply, session, { title: 'Sell', status: again?.status ?? 200, body, assets })
}
