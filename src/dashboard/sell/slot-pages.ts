/**
 * The first step of a sale: the user chooses a product, a timeslot and a party, and the service holds the
 * places. The same page adds another line to a sale in progress, or changes a line of it.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { toActivityId } from '../../catalogue/model.ts'
import { listProducts } from '../../catalogue/products/service.ts'
import { listOnSale } from '../../catalogue/timeslots/editing/service.ts'
import { byUser } from '../../events/actor.ts'
import { Problem, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import { changeLine } from '../../sales/basket/changing-line.ts'
import { basketPathSchema, linePathSchema } from '../../sales/basket/schemas.ts'
import { addLines, type BasketResult, createBasket } from '../../sales/basket/service.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { bookingRequestSchema, partyFields, partyRequired } from '../../sales/booking/schemas.ts'
import { checkFormWith, faultsOf, onceOf } from '../frame/forms.ts'
import { doneAt } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { alternativesOf, availableOf } from '../parts/alternatives.ts'
import { choiceOf, choiceSchema } from '../parts/choice.ts'
import { joinPath } from '../parts/occupancy.ts'
import { partyQuery, readParty, takeUnits } from '../parts/party-fields.ts'
import { findBrokenRules } from '../parts/party-rules.ts'
import { type AboutBasket, idOf, pathOf } from './basket-pages.ts'
import { changePath, findHeldBefore, heldField, withNewKey } from './held-before.ts'
import { type Choosing, type SlotTarget, sendSlots, shownSchema } from './slot-step.ts'

const { ActivityID } = bookingRequestSchema.properties
const slotPattern = '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d$'

/** The chosen timeslot is one value: `2027-06-12T10:00`. `ActivityID` is the product whose timeslots were shown. */
const holdSchema = Type.Object(
  {
    ...choiceSchema.properties,
    ActivityID,
    Slot: Type.String({ pattern: slotPattern, errorMessage: 'has to be chosen' }),
    ...heldField,
    ...partyFields,
  },
  partyRequired,
)
type HoldForm = Static<typeof holdSchema>
type ChoiceSent = Choosing & { body: HoldForm }
type AboutLine = FastifyRequest<{ Params: { BasketID: string; BookingReference: string } }>

const newSale: SlotTarget = { page: '/dashboard/sell', basketId: null, reference: null }

function addingTo(request: AboutBasket): SlotTarget {
  return { page: `${pathOf(request)}/add`, basketId: idOf(request), reference: null }
}

function changing(request: AboutLine): SlotTarget {
  const { BookingReference: reference } = request.params
  const basketId = idOf(request)
  return { page: changePath(basketId, reference), basketId, reference }
}

export const slotPages: Routes<DashboardOptions> = (app, { sql }) => {
  const schema = { hide: true, querystring: shownSchema }
  const adding = { ...schema, params: basketPathSchema }
  const ofLine = { ...schema, params: linePathSchema }
  const form = { attachValidation: true, preValidation: takeUnits }

  app.get('/sell', { schema }, (request, reply) => sendNewChoice(sql, request, reply, newSale))

  app.get('/sell/:BasketID/add', { schema: adding }, async (request, reply) => {
    const basket = await readBasket(sql, request.session.user.accountId, idOf(request))
    if (basket.Status !== 'open') return reply.redirect(doneAt(pathOf(request), 'sale-not-changed'), 303)
    return sendNewChoice(sql, request, reply, addingTo(request))
  })

  app.get('/sell/:BasketID/lines/:BookingReference/change', { schema: ofLine }, async (request, reply) => {
    const { BookingReference: reference } = request.params
    const basket = await readBasket(sql, request.session.user.accountId, idOf(request))
    const line = basket.Lines.find((one) => one.BookingReference === reference)
    if (!line) throw problems.lineNotFound()
    if (basket.Status !== 'open' || line.Status !== 'held') return reply.redirect(pathOf(request), 303)
    return sendSlots(sql, request, reply, changing(request), null)
  })

  app.post('/sell', { schema: { ...schema, body: holdSchema }, ...form }, (request, reply) =>
    hold(sql, request, reply, newSale),
  )

  app.post('/sell/:BasketID/add', { schema: { ...adding, body: holdSchema }, ...form }, (request, reply) =>
    hold(sql, request, reply, addingTo(request)),
  )

  app.post(
    '/sell/:BasketID/lines/:BookingReference/change',
    { schema: { ...ofLine, body: holdSchema }, ...form },
    (request, reply) => hold(sql, request, reply, changing(request)),
  )
}

/**
 * Sends the page that chooses a new line. If the form of this address has held places before, because the
 * user went back, redirects to the page that changes the line, or to the sale if the line was removed. If the
 * sale is over, gives the page a new key.
 */
async function sendNewChoice(sql: Sql, request: Choosing, reply: FastifyReply, target: SlotTarget) {
  const { Key } = request.query
  if (Key === undefined) return reply.redirect(withNewKey(request), 303)
  const before = await findHeldBefore(sql, request, Key)
  const path = before.changePath ?? before.salePath
  if (path !== null) return reply.redirect(path, 303)
  if (before.isUsed) return reply.redirect(withNewKey(request), 303)
  return sendSlots(sql, request, reply, target, null)
}

/**
 * Holds the chosen places. Redirects instead if the user pressed the button of a waitlist, requested other
 * timeslots, or chose a product other than the shown one. If the same form has held places before, redirects
 * to the page that changes their line, with the new choice.
 */
async function hold(
  sql: Sql,
  request: ChoiceSent,
  reply: FastifyReply,
  target: SlotTarget,
): Promise<FastifyReply> {
  const { session, query, body } = request
  const { accountId, timeZone } = session.user
  const { Do: pressed } = request.formFields
  const waitsFor = /^waitlist-(\d{1,16})$/.exec(String(pressed))?.[1]
  if (waitsFor !== undefined)
    return reply.redirect(joinPath(Number(waitsFor), readParty(request.formFields)), 303)
  const shows = pressed === 'show'
  if (shows || (await isOfAnother(sql, accountId, body))) {
    const change = target.reference === null ? await pathOfChange(sql, request) : null
    if (change !== null) return reply.redirect(change, 303)
    const address = target.page + choiceQuery(request, query.Key)
    return reply.redirect(shows ? address : doneAt(address, 'choose-timeslot'), 303)
  }
  // The party rules are the same for all timeslots of a product, so they are checked on the first one on
  // sale.
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
    return reply.redirect(await holdLine(sql, request, target), 303)
  } catch (error) {
    const elsewhere = await pathAfter(sql, request, target, error)
    if (elsewhere !== null) return reply.redirect(elsewhere, 303)
    const refused = { alternatives: alternativesOf(error), available: availableOf(error) }
    const again = { values: body, ...faultsOf(error), ...refused }
    return sendSlots(sql, request, reply, target, again)
  }
}

/**
 * The page to redirect to after an error that the user cannot correct in this form; null for any other error.
 * If the form has held places before and is sent with another choice, this is the page that changes the held
 * line.
 * @throws the error itself, if the line to change does not exist.
 */
async function pathAfter(
  sql: Sql,
  request: ChoiceSent,
  { page, basketId, reference }: SlotTarget,
  error: unknown,
): Promise<string | null> {
  const slug = error instanceof Problem ? error.slug : null
  if (slug === 'idempotency-key-reused') {
    const slot = `&Slot=${request.body.Slot}`
    if (reference !== null) return doneAt(page + choiceQuery(request, undefined) + slot, 'held-before')
    return (await pathOfChange(sql, request, slot)) ?? chooseAgain(request, page)
  }
  const path = `/dashboard/sell/${basketId}`
  if (slug === 'basket-not-open') return doneAt(path, 'sale-not-changed')
  if (reference === null) return null
  // The line does not exist, so there is no page to show.
  if (slug === 'not-found') throw error
  return slug === 'booking-not-changeable' ? doneAt(path, 'line-was-removed') : null
}

/**
 * The page that changes the line that the form has held before, with the sent choice; null if no such line is
 * held.
 */
async function pathOfChange(sql: Sql, request: ChoiceSent, slot = ''): Promise<string | null> {
  const { changePath: path } = await findHeldBefore(sql, request, request.formKey)
  return path && doneAt(path + choiceQuery(request, undefined) + slot, 'held-before')
}

/** The same choice on a page with a new key. */
function chooseAgain(request: ChoiceSent, page: string): string {
  return doneAt(page + choiceQuery(request, undefined), 'choose-timeslot')
}

/** The sent choice as the query of an address. */
function choiceQuery({ query, body, formFields, session }: ChoiceSent, key: string | undefined): string {
  const { productId, from } = choiceOf({ ...query, ...body }, session.user.timeZone)
  const product = productId === null ? '' : `ProductID=${productId}&`
  return `?${product}From=${from}${partyQuery(readParty(formFields))}${key === undefined ? '' : `&Key=${key}`}`
}

/**
 * Holds the places: in a new sale, in the sale of the address, or in exchange for the places of a line. If
 * the same form was already sent, for example from another tab, holds nothing more.
 * @returns the address of the next page, which shows a notice if nothing more was held.
 */
async function holdLine(sql: Sql, request: ChoiceSent, target: SlotTarget): Promise<string> {
  const { page, basketId, reference } = target
  const { ActivityID, Slot, Participants, Units, Held: seen } = request.body
  const [date, time] = Slot.split('T') as [string, string]
  if (!isCalendarDate(date)) throw problems.validation([{ field: 'Slot', message: 'has to be chosen' }])
  const line = { ActivityID, Date: date, Time: time, Participants, Units }
  const by = byUser(request.session.user)
  if (basketId === null) {
    const wanted = { Channel: 'pos' as const, Lines: [line] }
    return afterHolding(await createBasket(sql, onceOf(request, 'basket.create'), by, wanted))
  }
  if (reference === null) {
    const wanted = { basketId, requests: [line] }
    return afterHolding(await addLines(sql, onceOf(request, 'basket.add-lines'), by, wanted))
  }
  const once = onceOf(request, 'basket.change-line')
  await changeLine(sql, once, by, { basketId, reference, wanted: line, seen })
  return doneAt(`/dashboard/sell/${basketId}`, 'line-changed')

  async function afterHolding({ answer, replayed }: BasketResult): Promise<string> {
    const path = `/dashboard/sell/${answer.BasketID}`
    if (!replayed) return path
    const { isAsMade } = await findHeldBefore(sql, request, request.formKey)
    if (isAsMade) return doneAt(path, 'held-already')
    return (await pathOfChange(sql, request, `&Slot=${Slot}`)) ?? chooseAgain(request, page)
  }
}

/** Whether the user chose a product other than the one whose timeslots were shown. */
async function isOfAnother(sql: Sql, accountId: number, { ActivityID, ProductID }: HoldForm) {
  if (ProductID === undefined) return false
  const products = await listProducts(sql, accountId, {})
  const chosen = products.find(({ id }) => id === Number(ProductID))
  return chosen === undefined || toActivityId(chosen.activityId) !== ActivityID
}
