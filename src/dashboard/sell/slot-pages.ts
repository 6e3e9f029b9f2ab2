/**
 * The first step of a sale: a product, a timeslot and a party, whose places are then held. The same page adds another product
 * to a sale in progress.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { toActivityId } from '../../catalogue/model.ts'
import { listProducts } from '../../catalogue/products/service.ts'
import { listNextOnSale, listOnSale, type Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { byUser } from '../../events/actor.ts'
import { type Alternative, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { listPriceLists } from '../../inventory/price-list-queries.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { addDays, dateIn, isCalendarDate } from '../../platform/text/calendar.ts'
import { type BasketView, basketPathSchema } from '../../sales/basket/schemas.ts'
import { addLines, createBasket } from '../../sales/basket/service.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { bookingRequestSchema, partyFields, partyRequired } from '../../sales/booking/schemas.ts'
import { checkFormWith, faultsOf, onceOf, type ShownForm } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { alternativesOf, availableOf, withHours } from '../parts/alternatives.ts'
import { choiceOf, choiceSchema } from '../parts/choice.ts'
import { joinPath } from '../parts/occupancy.ts'
import { partyQuery, readParty, takeUnits } from '../parts/party-fields.ts'
import { findBrokenRules } from '../parts/party-rules.ts'
import { idOf, pathOf } from './basket-pages.ts'
import { type SlotValues, slotView } from './slot-views.ts'

const { ActivityID } = bookingRequestSchema.properties
const slotPattern = '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d$'

/** The timeslots to show, and the chosen one. */
const shownSchema = Type.Object({
  ...choiceSchema.properties,
  Slot: Type.Optional(Type.String({ maxLength: 40 })),
})

/** The chosen timeslot is one value: `2027-06-12T10:00`. `ActivityID` is the product whose timeslots were shown. */
const holdSchema = Type.Object(
  {
    ...choiceSchema.properties,
    ActivityID,
    Slot: Type.String({ pattern: slotPattern, errorMessage: 'has to be chosen' }),
    ...partyFields,
  },
  partyRequired,
)
type HoldForm = Static<typeof holdSchema>

type Choosing = FastifyRequest<{ Querystring: Static<typeof shownSchema> }>

/** How many timeslots are read, and after how many no further day is shown. */
const mostRead = 300
const fewestShown = 12
/** How many timeslots of all products are shown at most. */
const mostNext = 12

export const slotPages: Routes<DashboardOptions> = (app, { sql }) => {
  const schema = { hide: true, querystring: shownSchema }
  const adding = { ...schema, params: basketPathSchema }
  const form = { attachValidation: true, preValidation: takeUnits }

  app.get('/sell', { schema }, (request, reply) => sendSlots(sql, request, reply, null, null))

  app.get('/sell/:BasketID/add', { schema: adding }, async (request, reply) => {
    const basket = await readBasket(sql, request.session.user.accountId, idOf(request))
    if (basket.Status !== 'open') return reply.redirect(pathOf(request), 303)
    return sendSlots(sql, request, reply, idOf(request), null)
  })

  app.post('/sell', { schema: { ...schema, body: holdSchema }, ...form }, (request, reply) =>
    hold(sql, request, reply, null),
  )

  app.post('/sell/:BasketID/add', { schema: { ...adding, body: holdSchema }, ...form }, (request, reply) =>
    hold(sql, request, reply, idOf(request)),
  )
}

function pageOf(basketId: number | null): string {
  return basketId === null ? '/dashboard/sell' : `/dashboard/sell/${basketId}/add`
}

/** Holds the chosen places. If the user asked for other timeslots or chose another product, it shows those instead. */
async function hold(
  sql: Sql,
  request: Choosing & { body: HoldForm },
  reply: FastifyReply,
  basketId: number | null,
): Promise<FastifyReply> {
  const { session, query, body } = request
  const { accountId, timeZone } = session.user
  const { Do: pressed } = request.formFields
  const waitsFor = /^waitlist-(\d{1,16})$/.exec(String(pressed))?.[1]
  if (waitsFor !== undefined)
    return reply.redirect(joinPath(Number(waitsFor), readParty(request.formFields)), 303)
  const shows = pressed === 'show'
  if (shows || (await isOfAnother(sql, accountId, body))) {
    const { productId, from } = choiceOf({ ...query, ...body }, timeZone)
    const product = productId === null ? '' : `ProductID=${productId}&`
    const address = `${pageOf(basketId)}?${product}From=${from}${partyQuery(readParty(request.formFields))}`
    return reply.redirect(shows ? address : doneAt(address, 'choose-timeslot'), 303)
  }
  // Without a chosen one, the first on sale, because all timeslots of a product have the same rules.
  const findTimeslot = async () => {
    const { productId, from } = choiceOf({ ...query, ...body }, timeZone)
    const first = productId === null ? [] : await listOnSale(sql, accountId, { productId, from, limit: 1 })
    return first[0] ?? null
  }
  try {
    if (body.ActivityID === undefined)
      throw problems.validation([{ field: 'ProductID', message: 'has to be chosen' }])
    await checkFormWith(request, (failing) =>
      findBrokenRules(sql, accountId, { party: body, failing, findTimeslot }),
    )
    return reply.redirect(`/dashboard/sell/${await holdLine(sql, request, basketId)}`, 303)
  } catch (error) {
    const refused = { alternatives: alternativesOf(error), available: availableOf(error) }
    const again = { values: body, ...faultsOf(error), ...refused }
    return sendSlots(sql, request, reply, basketId, again)
  }
}

/** Holds the places in the sale, or in a new one. @returns the id of its basket. */
async function holdLine(
  sql: Sql,
  request: Choosing & { body: HoldForm },
  basketId: number | null,
): Promise<number> {
  const { ActivityID, Slot, Participants, Units } = request.body
  const [date, time] = Slot.split('T') as [string, string]
  if (!isCalendarDate(date)) throw problems.validation([{ field: 'Slot', message: 'has to be chosen' }])
  const line = { ActivityID, Date: date, Time: time, Participants, Units }
  const by = byUser(request.session.user)
  const { answer } =
    basketId === null
      ? await createBasket(sql, onceOf(request, 'basket.create'), by, { Channel: 'pos', Lines: [line] })
      : await addLines(sql, onceOf(request, 'basket.add-lines'), by, { basketId, requests: [line] })
  return answer.BasketID
}

/** Whether the user chose another product than the shown one, so that no timeslot is chosen yet. */
async function isOfAnother(sql: Sql, accountId: number, { ActivityID, ProductID }: HoldForm) {
  if (ProductID === undefined) return false
  const products = await listProducts(sql, accountId, {})
  const chosen = products.find(({ id }) => id === Number(ProductID))
  return chosen === undefined || toActivityId(chosen.activityId) !== ActivityID
}

type SlotFormState = ShownForm & {
  values: SlotValues
  status: number
  alternatives: Alternative[]
  available: number | null
}

async function sendSlots(
  sql: Sql,
  request: Choosing,
  reply: FastifyReply,
  basketId: number | null,
  again: SlotFormState | null,
): Promise<FastifyReply> {
  const { session, query } = request
  const { accountId, timeZone } = session.user
  const products = await listProducts(sql, accountId, {})
  const basket = basketId === null ? null : await readBasket(sql, accountId, basketId)
  const today = dateIn(timeZone, new Date())
  const { productId, from } = choiceOf({ ...query, From: query.From ?? firstDayOf(basket, today) }, timeZone)
  // A single product needs no choice.
  const first = products.length === 1 ? products[0]! : null
  const product = products.find(({ id }) => id === productId) ?? first
  const read = product
    ? await listOnSale(sql, accountId, { productId: product.id, from, limit: mostRead })
    : []
  const { slots, later } = wholeDays(read, query.Slot)
  const ids = slots.map(({ id }) => id)
  const t = textsFor(request)
  const body = slotView(session, t, {
    page: pageOf(basketId),
    basket,
    products,
    product,
    activityId: product && toActivityId(product.activityId),
    from,
    slots,
    next: product ? [] : await listNextOnSale(sql, accountId, { from, limit: mostNext }),
    later,
    lists: await listPriceLists(sql, accountId, ids),
    party: readParty(Object.fromEntries(new URL(request.url, 'http://here').searchParams)),
    chosen: again ? again.values.Slot : query.Slot,
    again,
    alternatives: product ? await withHours(sql, accountId, product.id, again?.alternatives ?? []) : [],
  })
  const assets = ['bookings.css', 'sell.css', 'live.js', 'sell.js']
  const title = t.say(basket ? 'sell.add' : 'sell.title')
  return sendDashboard(reply, session, { title, status: again?.status ?? 200, body, assets })
}

/** The first day of what a sale has already, unless that is over: people mostly add to the same day. */
function firstDayOf(basket: BasketView | null, today: string): string | undefined {
  const standing = basket?.Lines.filter(({ Status }) => Status !== 'cancelled') ?? []
  return standing
    .map((line) => line.Date)
    .sort()
    .find((day) => day >= today)
}

/** The first timeslots, in whole days, and the chosen one. `later` is the first day of the others. */
function wholeDays(read: readonly Timeslot[], chosen: string | undefined) {
  const place = read.findIndex(({ date, time }) => `${date}T${time}` === chosen)
  const lastDay = read[Math.max(fewestShown - 1, place)]?.date
  const slots = lastDay === undefined ? read : read.filter(({ date }) => date <= lastDay)
  return { slots, later: slots.length < read.length ? addDays(lastDay!, 1) : null }
}
