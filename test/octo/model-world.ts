/** Runs random sequences on the service and on the model, and reports where the two differ. */
import { isDeepStrictEqual } from 'node:util'
import { sweepExpiredHolds } from '../../src/inventory/expiry.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import * as model from './model.ts'

type SeenItem = {
  uuid: string
  unitId: string
  status: string
  ticket: { deliveryOptions: { deliveryValue: string }[] }
}
type Seen = {
  uuid: string
  status: string
  supplierReference: string
  notes: string | null
  resellerReference: string | null
  contact: { fullName: string | null }
  productId: string
  availabilityId: string
  cancellable: boolean
  utcConfirmedAt: string | null
  utcRedeemedAt: string | null
  cancellation: object | null
  unitItems: SeenItem[]
}
type SeenSlot = { id: string; vacancies: number; status: string; available: boolean }

/** Sends a request of a reseller. Returns the status and the body; `Body` is its type for status 200. */
export type Ask = <Body>(
  reseller: number,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
) => Promise<{ status: number; body: Body }>

/** The environment of a sequence: two products on one day, two resellers, and the operator. */
export type World = {
  sql: Sql
  ask: Ask
  operate(path: string, body?: object): Promise<{ statusCode: number }>
  day: string
  productIds: Record<model.Slot['product'], { id: number; activityId: string }>
  unitIds: Record<model.Unit, string>
  slots: (model.Slot & { availabilityId: string })[]
  uuids: string[]
}

type Known = { supplierReference: string; codes: string[] }

/** How the service differs from the model after one request; null if they agree. */
type Fault = string | null

const paths = { confirm: '/confirm', extend: '/extend', cancel: '/cancel', update: '' }

export function createRunner(world: World) {
  const { sql, ask, slots, unitIds, productIds } = world
  const state: model.Model = { slots, bookings: [], cutoffPassed: false }
  const known = new Map<model.ModelBooking, Known>()

  function bodyOf(request: model.Request): object {
    if (request.do === 'extend' || request.do === 'cancel') return {}
    const { items, said } = request
    const slot = 'slot' in request && request.slot !== undefined ? slots[request.slot]! : null
    const { fullName, ...told } = said
    return {
      ...(request.do === 'reserve' && { uuid: request.uuid }),
      ...(slot && {
        productId: productIds[slot.product].activityId,
        ...{ optionId: 'DEFAULT', availabilityId: slot.availabilityId },
      }),
      ...(items && {
        unitItems: items.map(({ uuid, unit }) => ({ unitId: unitIds[unit], ...(uuid && { uuid }) })),
      }),
      ...told,
      ...(fullName !== undefined && { contact: { fullName } }),
    }
  }

  function send(request: model.Request) {
    const { reseller, uuid } = request
    if (request.do === 'reserve')
      return ask<Seen & { error?: string }>(reseller, 'POST', '/bookings', bodyOf(request))
    const method = request.do === 'update' ? 'PATCH' : 'POST'
    return ask<Seen & { error?: string }>(
      reseller,
      method,
      `/bookings/${uuid}${paths[request.do]}`,
      bodyOf(request),
    )
  }

  /** Copies the uuids that the service has generated into the model, and keeps the reference and the ticket codes. */
  function learn(booking: model.ModelBooking, { supplierReference, unitItems }: Seen): void {
    for (const [place, { uuid }] of unitItems.entries()) {
      const item = booking.items[place]
      if (item) item.uuid ??= uuid
    }
    const codes = unitItems.flatMap(({ ticket }) => ticket.deliveryOptions[0]?.deliveryValue ?? [])
    known.set(booking, { supplierReference, codes })
  }

  function compareView(booking: model.ModelBooking, body: Seen): Fault {
    const expected = expectedView(state, booking, world)
    const seen = seenView(body)
    if (isDeepStrictEqual(seen, expected)) return null
    return `${booking.uuid} is ${JSON.stringify(seen)}\ninstead of ${JSON.stringify(expected)}`
  }

  return {
    state,
    async request(request: model.Request): Promise<Fault> {
      const { status, body } = await send(request)
      const { errors, booking } = model.step(state, request)
      const said = `${request.do} is answered ${status} ${JSON.stringify(body).slice(0, 300)}`
      if (errors) return status === 400 && errors.includes(body.error ?? '') ? null : `${said}, not ${errors}`
      if (status !== 200) return `${said}, not the booking`
      learn(booking, body)
      return compareView(booking, body)
    },

    /** Repeats the request that made the booking. */
    async reserveAgain(booking: model.ModelBooking): Promise<Fault> {
      const asked = JSON.parse(booking.request)
      const { status, body } = await ask<Seen>(booking.reseller, 'POST', '/bookings', asked)
      return status === 200 ? compareView(booking, body) : `reserving again is answered ${status}`
    },

    bodyOf,

    async runOut(booking: model.ModelBooking): Promise<void> {
      booking.isOver = true
      await sql`
        update baskets set expires_at = app_now() - interval '1 second'
        where id = (select basket_id from bookings where reference = ${known.get(booking)!.supplierReference})`
    },

    async sweep(): Promise<void> {
      while ((await sweepExpiredHolds(sql)) > 0);
      for (const booking of state.bookings)
        if (booking.status === 'held' && booking.isOver) booking.status = 'expired'
    },

    async passCutoff(hasPassed: boolean): Promise<void> {
      state.cutoffPassed = hasPassed
      const ids = Object.values(productIds).map(({ id }) => id)
      await sql`update products set cancel_cutoff_minutes = ${hasPassed ? 525_600 : 0} where id = any(${ids}::bigint[])`
    },

    async attend(booking: model.ModelBooking, hasCome: boolean): Promise<Fault> {
      const Attendance = hasCome ? 'checked-in' : null
      const path = `/bookings/${known.get(booking)!.supplierReference}/attendance`
      const { statusCode } = await world.operate(path, { Attendance })
      booking.isCheckedIn = hasCome
      return statusCode === 200 ? null : `attendance is answered ${statusCode}`
    },

    async scan(booking: model.ModelBooking, place: number, isUndone: boolean): Promise<Fault> {
      const code = known.get(booking)!.codes[place]!
      const { statusCode } = await world.operate(`/tickets/${code}/${isUndone ? 'undo-redeem' : 'redeem'}`)
      booking.items[place]!.isRedeemed = !isUndone
      return statusCode === 200 ? null : `scanning is answered ${statusCode}`
    },

    async cancelByOperator(booking: model.ModelBooking): Promise<Fault> {
      const { statusCode } = await world.operate(`/bookings/${known.get(booking)!.supplierReference}/cancel`)
      booking.status = 'cancelled'
      return statusCode === 200 ? null : `the operator’s cancellation is answered ${statusCode}`
    },

    /** Compares the bookings that each reseller sees, and the vacancies, with the model. */
    async compare(): Promise<Fault> {
      const compareOwn = async (reseller: number): Promise<Fault> => {
        const { body } = await ask<Seen[]>(reseller, 'GET', `/bookings?localDate=${world.day}`)
        const own = state.bookings.filter((booking) => booking.reseller === reseller)
        const listed = new Map(body.map((one) => [one.uuid, one]))
        if (body.length !== own.length || !own.every(({ uuid }) => listed.has(uuid)))
          return `reseller ${reseller} has ${[...listed.keys()]} instead of ${own.map(({ uuid }) => uuid)}`
        const faults = own.map((booking) => compareView(booking, listed.get(booking.uuid)!))
        return faults.find((fault) => fault !== null) ?? null
      }
      const faults = await Promise.all([compareOwn(0), compareOwn(1), compareVacancies(world, state)])
      return faults.find((fault) => fault !== null) ?? null
    },
  }
}

function expectedView(state: model.Model, booking: model.ModelBooking, world: World) {
  const { notes, resellerReference, fullName, items, isConfirmed, slot } = booking
  const { availabilityId, product } = world.slots[slot]!
  const status = model.statusOf(booking)
  return {
    ...{ status, notes, resellerReference, fullName, isConfirmed, availabilityId },
    productId: world.productIds[product].activityId,
    isCancelled: status === 'CANCELLED',
    isRedeemed: status === 'REDEEMED',
    cancellable: model.isCancellable(state, booking),
    items: items.map((item) => {
      return { uuid: item.uuid, unitId: world.unitIds[item.unit], status: model.itemStatusOf(booking, item) }
    }),
  }
}

function seenView(body: Seen) {
  const { status, notes, resellerReference, availabilityId, productId, cancellable } = body
  return {
    ...{ status, notes, resellerReference },
    fullName: body.contact.fullName,
    isConfirmed: body.utcConfirmedAt !== null,
    ...{ availabilityId, productId },
    isCancelled: body.cancellation !== null,
    isRedeemed: body.utcRedeemedAt !== null,
    cancellable,
    items: body.unitItems.map(({ uuid, unitId, status }) => ({ uuid, unitId, status })),
  }
}

async function compareVacancies({ ask, day, slots, productIds }: World, state: model.Model): Promise<Fault> {
  const answers = Object.values(productIds).map(async ({ activityId }) => {
    const asked = { productId: activityId, optionId: 'DEFAULT', localDate: day }
    return (await ask<SeenSlot[]>(0, 'POST', '/availability', asked)).body
  })
  const seen = new Map((await Promise.all(answers)).flat().map((one) => [one.id, one]))
  for (const [slot, { availabilityId, capacity }] of slots.entries()) {
    const { vacancies, status, available } = seen.get(availabilityId)!
    const { least, most } = model.vacanciesOf(state, slot)
    const rightStatus = vacancies === 0 ? 'SOLD_OUT' : 2 * vacancies < capacity ? 'LIMITED' : 'AVAILABLE'
    if (vacancies < least || vacancies > most)
      return `slot ${slot} has ${vacancies} vacancies instead of ${least} to ${most}`
    if (status !== rightStatus || available !== vacancies > 0)
      return `slot ${slot} with ${vacancies} vacancies is ${status}, available: ${available}`
  }
  return null
}
