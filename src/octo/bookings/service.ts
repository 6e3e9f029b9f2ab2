/**
 * Use cases of OCTO's bookings. A change looks up the ids of the request, calls src/sales/reservation/, and
 * returns the booking after the change.
 */
import { randomUUID } from 'node:crypto'
import type { Caller } from '../../accounts/service.ts'
import { toActivityId } from '../../catalogue/model.ts'
import type { ObserveBatches } from '../../platform/async/batcher.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import type { Answers } from '../../sales/booking/answers.ts'
import { matchTickets, type RequestedItem } from '../../sales/reservation/model.ts'
import type { ReserveOrder } from '../../sales/reservation/order.ts'
import type { Reservations } from '../../sales/reservation/service.ts'
import type { Capabilities } from '../capabilities.ts'
import { octoErrors } from '../errors.ts'
import { defaultOption, isUuid } from '../model.ts'
import { hasAnswers, moveAnswers, readAnswers } from './answers.ts'
import { filterOf } from './filter.ts'
import { textOf, toContact } from './model.ts'
import { inOneText, type NamedPlaces, readItems, readNames } from './names.ts'
import * as queries from './queries.ts'
import { createReading } from './reading.ts'
import type { CancelBody, ConfirmBody, ListQuery, ReserveBody, UpdateBody } from './request-schemas.ts'
import type { OctoBooking } from './schemas.ts'
import { bookingView } from './view.ts'

/** The reseller, the capabilities in force, and whether the client still waits. */
export type OctoRequest = { caller: Caller; capabilities: Capabilities; isAwaited: () => boolean }

export type OctoBookings = ReturnType<typeof createOctoBookings>

/** Each function throws the OCTO error for an unknown id, or the Problem of src/sales/reservation/. */
export function createOctoBookings(
  sql: Sql,
  { reservations, observe }: { reservations: Reservations; observe: ObserveBatches },
) {
  const reading = createReading(sql, observe)

  async function views(
    rows: queries.OctoReservation[],
    { caller, capabilities }: OctoRequest,
  ): Promise<OctoBooking[]> {
    const reserved = await reading.complete(caller, rows)
    return reserved.map((one) => bookingView(one, capabilities))
  }

  async function find({ caller }: OctoRequest, uuid: string): Promise<queries.OctoReservation> {
    const { accountId, partnerId } = caller
    const row = isUuid(uuid) && (await reading.findReservation({ accountId, partnerId, uuid }))
    if (!row) throw octoErrors.invalidBookingUuid(uuid)
    return row
  }

  async function read(octoRequest: OctoRequest, uuid: string): Promise<OctoBooking> {
    const [booking] = await views([await find(octoRequest, uuid)], octoRequest)
    if (!booking) throw octoErrors.invalidBookingUuid(uuid)
    return booking
  }

  /** Reads and checks the content of a new reservation. */
  async function readOrder(
    { caller, capabilities }: OctoRequest,
    uuid: string,
    body: ReserveBody,
  ): Promise<ReserveOrder> {
    const { productId = '', optionId = '', availabilityId = '', unitItems = [] } = body
    const named = await readNames(reading.findNamed, caller, uuid, { productId, optionId, availabilityId })
    if (capabilities.pricing && (body.currency ?? named.currency) !== named.currency)
      throw octoErrors.badRequest(`currency must be that of the product, ${named.currency}.`)
    return {
      activityId: productId,
      ...named.slot!,
      items: readItems(unitItems, named, []),
      holdMinutes: body.expirationMinutes ?? null,
      resellerReference: textOf(body.resellerReference),
      notes: textOf(body.notes),
      contact: toContact(body.contact) ?? null,
      emailReceipt: body.emailReceipt ?? false,
      answers: capabilities.questions ? answersOf(body, named, []) : [],
    }
  }

  /**
   * The changes that a request makes to an existing reservation: the items and the timeslot if the request
   * names them, and the answers that the reservation has afterwards. With `confirms`, nothing is read from the
   * request if the booking is already confirmed, because a repeated confirmation changes nothing.
   */
  async function readChange(
    octoRequest: OctoRequest,
    uuid: string,
    body: UpdateBody,
    { confirms = false } = {},
  ) {
    const { productId, optionId, availabilityId, unitItems } = body
    const namesNothing = [productId, optionId, availabilityId, unitItems].every((name) => name === undefined)
    const isAnswered = octoRequest.capabilities.questions && hasAnswers(body)
    if (namesNothing && !isAnswered) return {}
    const existing = await find(octoRequest, uuid)
    if (confirms && existing.status === 'confirmed') return {}
    const own = toActivityId(existing.activity)
    const named = await readNames(reading.findNamed, octoRequest.caller, uuid, {
      productId: productId ?? own,
      optionId: optionId ?? defaultOption,
      availabilityId: availabilityId ?? null,
    })
    if (named.productId !== own) {
      if (named.slot === null) throw octoErrors.invalidAvailabilityId('')
      // Units belong to one product, so the items of the former product cannot be kept.
      if (!unitItems && (named.units || existing.units))
        throw octoErrors.unprocessable('unitItems are required with another product.', 'validation')
    }
    const items = unitItems && readItems(unitItems, named, existing.items)
    const moved = items && orderItems(existing, items, named)
    const current = moved?.answers ?? existing.answers
    const answers = isAnswered ? answersOf(body, named, current, moved?.order) : current
    return {
      ...(items && { items }),
      ...(named.slot && { slot: { activityId: named.productId, ...named.slot } }),
      ...((isAnswered || existing.answers.length > 0) && { answers }),
    }
  }

  return {
    read,

    async list(octoRequest: OctoRequest, query: ListQuery): Promise<OctoBooking[]> {
      return views(await queries.listReservations(sql, octoRequest.caller, filterOf(query)), octoRequest)
    },

    /** `replayed`: the same request had made the booking before. */
    async reserve(
      octoRequest: OctoRequest,
      body: ReserveBody,
    ): Promise<{ booking: OctoBooking; replayed: boolean }> {
      const { caller, isAwaited } = octoRequest
      const uuid = uuidOf(body.uuid ?? randomUUID())
      // A retry may have another expirationMinutes, so this is not part of the compared body.
      const compared = { ...body, uuid, expirationMinutes: undefined }
      const { replayed } = await reservations.reserve({ caller, uuid, body: compared, isAwaited }, () =>
        readOrder(octoRequest, uuid, body),
      )
      return { booking: await read(octoRequest, uuid), replayed }
    },

    async confirm(octoRequest: OctoRequest, given: string, body: ConfirmBody): Promise<OctoBooking> {
      const uuid = uuidOf(given)
      const { slot: _, ...change } = await readChange(octoRequest, uuid, body, { confirms: true })
      const { resellerReference, ...said } = described(body)
      await reservations.confirm(octoRequest.caller, uuid, {
        ...(resellerReference && { resellerReference }),
        ...said,
        ...change,
        isAwaited: octoRequest.isAwaited,
      })
      return read(octoRequest, uuid)
    },

    async update(octoRequest: OctoRequest, given: string, body: UpdateBody): Promise<OctoBooking> {
      const uuid = uuidOf(given)
      const change = await readChange(octoRequest, uuid, body)
      await reservations.update(octoRequest.caller, uuid, {
        ...described(body),
        ...(body.expirationMinutes !== undefined && { holdMinutes: body.expirationMinutes }),
        ...change,
      })
      return read(octoRequest, uuid)
    },

    async extend(octoRequest: OctoRequest, given: string, minutes: number | null): Promise<OctoBooking> {
      const uuid = uuidOf(given)
      await reservations.extend(octoRequest.caller, uuid, minutes)
      return read(octoRequest, uuid)
    },

    async cancel(octoRequest: OctoRequest, given: string, { reason }: CancelBody): Promise<OctoBooking> {
      const uuid = uuidOf(given)
      await reservations.cancel(octoRequest.caller, uuid, textOf(reason))
      return read(octoRequest, uuid)
    },
  }
}

/** The uuid in lower case, as it is stored. @throws INVALID_BOOKING_UUID. */
function uuidOf(text: string): string {
  if (!isUuid(text)) throw octoErrors.invalidBookingUuid(text, 'The uuid is not a UUID.')
  return text.toLowerCase()
}

/**
 * The given fields about a booking other than its items and timeslot. An empty text removes the notes or the
 * field of the contact, but keeps the stored reference.
 */
function described({ resellerReference, notes, contact, emailReceipt }: ConfirmBody) {
  const person = toContact(contact)
  return {
    ...(resellerReference !== undefined && { resellerReference: textOf(resellerReference) }),
    ...(notes !== undefined && { notes: textOf(notes) }),
    ...(person && { contact: person }),
    ...(emailReceipt !== undefined && { emailReceipt }),
  }
}

/**
 * Orders the items that a booking has after a request: first the existing items, by ticket number, then the
 * new ones. `order` has the position of each item in the request. Each answer moves with its participant.
 */
function orderItems(
  { status, items: existing, answers }: queries.OctoReservation,
  items: readonly RequestedItem[],
  { questions }: NamedPlaces,
) {
  const { kept, added } = matchTickets(existing, items, { matchByUuidOnly: status === 'confirmed' })
  const places = kept.map(({ ticket, item }) => ({ from: existing.indexOf(ticket), to: items.indexOf(item) }))
  places.sort((one, other) => one.from - other.from)
  const order = [...places.map(({ to }) => to), ...added.map((item) => items.indexOf(item))]
  const from = [...places.map(({ from }) => from), ...added.map(() => null)]
  return { order, answers: moveAnswers(answers, questions, from) }
}

function answersOf(
  body: UpdateBody,
  { questions }: NamedPlaces,
  existing: Answers,
  order?: readonly number[],
): Answers {
  const { answers, errors } = readAnswers(body, questions, existing, order)
  if (errors) throw octoErrors.badRequest(inOneText(errors))
  return answers
}
