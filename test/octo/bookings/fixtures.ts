/** Fixtures for tests of OCTO bookings: a reseller, a kayak tour with start times, and its operator. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { makeCaller } from '../../helper.ts'
import { giveUnits } from '../../sales/booking/unit-fixtures.ts'
import { checkPublished } from '../published.ts'
import { makeReseller } from '../reseller.ts'

export const morning = '2030-06-15T10:00:00+01:00'
export const afternoon = '2030-06-15T14:00:00+01:00'
const slots = { '2030-06-15 10:00': 8, '2030-06-15 14:00': 4 }

export type Item = {
  uuid: string
  unitId: string
  status: string
  utcRedeemedAt: string | null
  supplierReference: string
  resellerReference: string | null
  contact: Record<string, unknown>
  ticket: { utcRedeemedAt: string | null; deliveryOptions: { deliveryValue: string }[] }
  pricing?: Record<string, unknown>
  questionAnswers?: { questionId: string; value: string }[]
}
export type OctoAnswer = {
  id: string
  uuid: string
  status: string
  supplierReference: string
  utcExpiresAt: string | null
  unitItems: Item[]
  [field: string]: unknown
}
type Options = { capabilities?: readonly string[]; headers?: Record<string, string> }
type Settings = NonNullable<Parameters<typeof makeReseller>[1]>

/** The published schemas of OCTO error codes. Every other code has the schema `ErrorBadRequest`. */
const errorSchemas: Record<string, string> = {
  INVALID_PRODUCT_ID: 'ErrorInvalidProductID',
  INVALID_OPTION_ID: 'ErrorInvalidOptionID',
  INVALID_UNIT_ID: 'ErrorInvalidUnitID',
  INVALID_AVAILABILITY_ID: 'ErrorInvalidAvailabilityID',
  INVALID_BOOKING_UUID: 'ErrorInvalidBookingUUID',
  UNPROCESSABLE_ENTITY: 'ErrorUnprocessableEntity',
}

/**
 * A reseller. `send`, and the functions that use it, check each response against the published schemas. With
 * `units`, an adult costs 45.00 EUR and a child 20.00.
 */
export async function openReseller(
  t: Test,
  { units = false, ...settings }: Settings & { units?: boolean } = {},
) {
  const reseller = await makeReseller(t, { slots, ...settings })
  const { sql, app, accountId, id: productId, activityId } = reseller
  const operator = await makeCaller(sql, { scopes: ['operator'] })
  const [adult = 0, child = 0] = units
    ? await giveUnits(sql, accountId, productId, [
        { name: 'Adult', type: 'ADULT' },
        { name: 'Child', type: 'CHILD', priceMinor: 2000 },
      ])
    : []
  const places = { productId: activityId, optionId: 'DEFAULT', availabilityId: morning }

  /** Sends a request. Checks that its status is 200 or 400, and the response against its schema. Returns it. */
  async function send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    options: Options = {},
  ) {
    const answer = await reseller.ask(method, path, { ...options, ...(body && { body }) })
    const { status } = answer
    t.ok(
      status === 200 || status === 400,
      `${method} ${path} answers ${status}: ${JSON.stringify(answer.body)}`,
    )
    const schema = status === 200 ? 'Booking' : (errorSchemas[answer.body.error] ?? 'ErrorBadRequest')
    checkPublished(t, schema, answer.body, { capabilities: options.capabilities ?? [] })
    return answer
  }
  /** Sends a request that must succeed; returns the booking. */
  async function expectBooking(...asked: Parameters<typeof send>): Promise<OctoAnswer> {
    const { status, body } = await send(...asked)
    t.equal(status, 200, JSON.stringify(body))
    return body
  }
  /** Sends a request that must be refused; returns the error. */
  async function refused(...asked: Parameters<typeof send>): Promise<Record<string, string>> {
    const { status, body } = await send(...asked)
    t.equal(status, 400, JSON.stringify(body))
    return body
  }
  const unitItems = units
    ? [{ unitId: String(adult) }, { unitId: String(child) }]
    : [{ unitId: '0' }, { unitId: '0' }]
  const order = (changes: object = {}) => ({ uuid: randomUUID(), ...places, unitItems, ...changes })

  return {
    ...reseller,
    operator,
    adult: String(adult),
    child: String(child),
    places,
    order,
    send,
    get: expectBooking,
    refused,
    reserve: (changes: object = {}, options?: Options) =>
      expectBooking('POST', '/bookings', order(changes), options),
    confirm: (uuid: string, body: object = {}, options?: Options) =>
      expectBooking('POST', `/bookings/${uuid}/confirm`, body, options),
    update: (uuid: string, body: object, options?: Options) =>
      expectBooking('PATCH', `/bookings/${uuid}`, body, options),
    extend: (uuid: string, body: object = {}) => expectBooking('POST', `/bookings/${uuid}/extend`, body),
    cancel: (uuid: string, body: object = {}) => expectBooking('POST', `/bookings/${uuid}/cancel`, body),
    read: (uuid: string, options?: Options) => expectBooking('GET', `/bookings/${uuid}`, undefined, options),
    /** Sends a POST request of the operator. */
    operate: (path: string, payload: object = {}) =>
      app.inject({ method: 'POST', url: `/api/v2/operator${path}`, headers: operator.headers, payload }),
    /** Booked and held places of each timeslot, as `booked+held`, by date and time. */
    async taken() {
      const rows = await sql`select date, time, booked, held from timeslots order by date, time`
      return Object.fromEntries(rows.map((row) => [`${row.date} ${row.time}`, `${row.booked}+${row.held}`]))
    },
    /** Makes all holds expire. */
    async runOut() {
      await sql`update baskets set expires_at = app_now() - interval '1 second' where status = 'open'`
    },
  }
}
