/**
 * Sends the page that chooses a product, a timeslot and a party: for a new sale, for another line of a sale,
 * or to change a line.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toActivityId } from '../../catalogue/model.ts'
import { listProducts } from '../../catalogue/products/service.ts'
import { getTimeslot, listNextOnSale, type Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { Alternative } from '../../http/problems.ts'
import { listPriceLists } from '../../inventory/price-list-queries.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { addDays, dateIn } from '../../platform/text/calendar.ts'
import type { BasketView } from '../../sales/basket/schemas.ts'
import { readBasket } from '../../sales/basket/views.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { readBooking, readBought } from '../../sales/booking/desk/service.ts'
import { hasUnits } from '../../sales/booking/price-facts.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'
import { withHours } from '../parts/alternatives.ts'
import { choiceOf, choiceSchema } from '../parts/choice.ts'
import { type DaysOnSale, listDaysOnSale } from '../parts/days-on-sale.ts'
import { readParty } from '../parts/party-fields.ts'
import { keySchema } from './held-before.ts'
import { type SlotValues, slotView } from './slot-views.ts'

/** The timeslots to show, and the chosen one. */
export const shownSchema = Type.Object({
  ...choiceSchema.properties,
  ...keySchema.properties,
  Slot: Type.Optional(Type.String({ maxLength: 40 })),
})

export type Choosing = FastifyRequest<{ Querystring: Static<typeof shownSchema> }>

/** The sale or the line for which places are chosen. */
export type SlotTarget = {
  /** The path of the page, without its query. */
  page: string
  /** Null for a new sale. */
  basketId: number | null
  /** The held line that changes; null if the choice holds further places. */
  reference: string | null
}

export type SlotFormState = ShownForm & {
  values: SlotValues
  status: number
  alternatives: Alternative[]
  available: number | null
}

/**
 * The most timeslots that are read, unless the first day has more. The page shows whole days until it has at least
 * `fewestShown` timeslots.
 */
const maxRead = 300
const fewestShown = 12
/** The most timeslots that are shown before a product is chosen. */
const maxNext = 12

export async function sendSlots(
  sql: Sql,
  request: Choosing,
  reply: FastifyReply,
  { page, basketId, reference }: SlotTarget,
  again: SlotFormState | null,
): Promise<FastifyReply> {
  const { session, query } = request
  const { accountId, timeZone } = session.user
  const products = await listProducts(sql, accountId, {})
  const basket = basketId === null ? null : await readBasket(sql, accountId, basketId)
  const line = reference === null ? null : await readLine(sql, accountId, reference)
  const today = dateIn(timeZone, new Date())
  const { productId, from } = choiceOf(
    { ...query, From: query.From ?? firstDayOf(line ? [line.booking] : activeLinesOf(basket), today) },
    timeZone,
  )
  // A single product needs no choice.
  const first = products.length === 1 ? products[0]! : null
  const product = products.find(({ id }) => id === (productId ?? line?.booking.ProductID)) ?? first
  const read = product
    ? await listDaysOnSale(sql, accountId, { productId: product.id, from, most: maxRead })
    : { slots: [], next: null }
  const offered =
    line && product?.id === line.booking.ProductID
      ? await withOwn(sql, accountId, read, line, from)
      : read.slots
  const chosen = again ? again.values.Slot : (query.Slot ?? line?.slot)
  const shown = { slots: line ? withoutLine(offered, line) : offered, next: read.next }
  const { slots, later } = firstDays(shown, chosen)
  const ids = slots.map(({ id }) => id)
  const t = textsFor(request)
  const body = slotView(session, t, {
    page,
    basket,
    changing: basket?.Lines.find(({ BookingReference }) => BookingReference === reference) ?? null,
    key: line ? undefined : (query.Key ?? request.formKey),
    products,
    product,
    activityId: product && toActivityId(product.activityId),
    from,
    slots,
    next: product ? [] : await listNextOnSale(sql, accountId, { from, limit: maxNext }),
    later,
    lists: await listPriceLists(sql, accountId, ids),
    party: partyIn(request) ?? line?.party ?? {},
    chosen,
    again,
    alternatives: product ? await withHours(sql, accountId, product.id, again?.alternatives ?? []) : [],
  })
  const assets = ['bookings.css', 'sell.css', 'live.js', 'sell.js']
  const title = t.say(line ? 'sell.change' : basket ? 'sell.add' : 'sell.title')
  return sendDashboard(reply, session, { title, status: again?.status ?? 200, body, assets })
}

type LineToChange = { booking: BookingRecord; places: number; slot: string; party: PartyRequest }

async function readLine(sql: Sql, accountId: number, reference: string): Promise<LineToChange> {
  const [booking, { places }] = await Promise.all([
    readBooking(sql, accountId, reference),
    readBought(sql, accountId, reference),
  ])
  const { Date: date, Time, Participants, Units = [] } = booking
  const party = hasUnits(booking)
    ? { Units: Units.map(({ UnitID, Quantity }) => ({ UnitID, Quantity })) }
    : { Participants }
  return { booking, places, slot: `${date}T${Time}`, party }
}

/**
 * Adds the timeslot of the line to the timeslots on sale, if it is missing and its day was read. The party
 * may become smaller even if its timeslot is no longer on sale.
 */
async function withOwn(
  sql: Sql,
  accountId: number,
  { slots, next }: DaysOnSale,
  { booking: { TimeslotID, Date: date } }: LineToChange,
  from: string,
): Promise<readonly Timeslot[]> {
  const isOutside = date < from || (next !== null && date >= next)
  if (isOutside || slots.some(({ id }) => id === TimeslotID)) return slots
  const own = await getTimeslot(sql, accountId, TimeslotID)
  const startOf = (slot: Timeslot) => `${slot.date}T${slot.time}`
  return [...slots, own].sort((one, other) => (startOf(one) < startOf(other) ? -1 : 1))
}

/**
 * The timeslots, without counting the places that the line holds, because the changed line may use them
 * again.
 */
function withoutLine(slots: readonly Timeslot[], { booking, places }: LineToChange): Timeslot[] {
  return slots.map((slot) => (slot.id === booking.TimeslotID ? { ...slot, held: slot.held - places } : slot))
}

/** The party in the address; null if it has none. */
function partyIn({ url }: FastifyRequest): PartyRequest | null {
  const party = readParty(Object.fromEntries(new URL(url, 'http://here').searchParams))
  return Object.keys(party).length > 0 ? party : null
}

function activeLinesOf(basket: BasketView | null) {
  return basket?.Lines.filter(({ Status }) => Status !== 'cancelled') ?? []
}

/**
 * The first day, from today on, of the lines of a sale, because customers mostly add products of the same
 * day. Undefined if there is none.
 */
function firstDayOf(lines: readonly { Date: string }[], today: string): string | undefined {
  return lines
    .map((line) => line.Date)
    .sort()
    .find((day) => day >= today)
}

/**
 * The timeslots of the first days: whole days, until there are at least `fewestShown` timeslots and the
 * chosen one is among them. `later` is the day from which the list continues; null if there are no more
 * timeslots.
 */
function firstDays({ slots: read, next }: DaysOnSale, chosen: string | undefined) {
  const place = read.findIndex(({ date, time }) => `${date}T${time}` === chosen)
  const lastDay = read[Math.max(fewestShown - 1, place)]?.date
  const slots = lastDay === undefined ? read : read.filter(({ date }) => date <= lastDay)
  return { slots, later: slots.length < read.length ? addDays(lastDay!, 1) : next }
}
