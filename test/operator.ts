/**
 * An operator in tests: an app on an empty database, and requests to /api/v2/operator with a key of its scope.
 */
import type { Test } from 'tap'
import type { Sql } from '../src/platform/postgres/database.ts'
import { bookingBody, bookingPath, build, makeCaller } from './helper.ts'
import { untilAnswered } from './http/until-answered.ts'
import { until } from './until.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export async function makeOperator(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const built = await build(t, settings)
  const { app, sql } = built
  const { accountId, headers } = await makeCaller(sql, { scopes: ['operator'] })
  const partner = await makeCaller(sql, { partner: 'Viator' })
  /** Sends a request. Returns the status and the body: as `data` of a success, and as `problem` of a failure. */
  const send = async (method: Method, path: string, payload?: object, more: object = {}) => {
    const answer = await app.inject({
      method,
      url: `/api/v2/operator${path}`,
      headers: { ...headers, ...more },
      ...(payload && { payload }),
    })
    const body = answer.json()
    return { status: answer.statusCode, data: body.data, problem: body, headers: answer.headers }
  }
  /** Like `send`, but sends the request again after 503. */
  const call: typeof send = (...request) => untilAnswered(() => send(...request))
  /** Makes a partner's booking; returns its status and reference. */
  const book = async (activityId: string, changes: Record<string, unknown> = {}) => {
    const answer = await untilAnswered(() =>
      app.inject({
        method: 'POST',
        url: bookingPath,
        headers: partner.headers,
        payload: bookingBody(activityId, changes),
      }),
    )
    return { status: answer.statusCode, reference: answer.json().data?.BookingReference as string }
  }
  return { ...built, accountId, headers, partner, send, call, book }
}

/** The names of the fields in a 422. */
export function fieldsOf({ problem }: { problem: { errors?: { field: string }[] } }): string[] {
  return (problem.errors ?? []).map(({ field }) => field)
}

/**
 * Calls `act` while a booking of two places of the timeslot is not committed. The booking commits as soon as
 * a query in the database waits for a lock, as `act` should. Returns the result of `act`.
 */
export async function whileBooking<T>(
  sql: Sql,
  { accountId, timeslotId }: { accountId: number; timeslotId: number },
  act: () => Promise<T>,
): Promise<T> {
  const acting = await sql.begin(async (tx) => {
    await tx`update timeslots set booked = booked + 2 where account_id = ${accountId} and id = ${timeslotId}`
    await tx`
      with basket as (
        insert into baskets (account_id, id, status, channel, completed_at)
        values (${accountId}, nextval('basket_ids'), 'completed', 'pos', now()) returning id
      )
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, email,
        answers, unit_price_minor, currency)
      select ${accountId}, nextval('booking_ids'), id, ${timeslotId}, 'MEANWHILE', 'pos', 'confirmed', 2,
        'ada@example.com', '[]', 4500, 'EUR'
      from basket`
    const promise = act()
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    return { promise }
  })
  return acting.promise
}
