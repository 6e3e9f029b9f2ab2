/**
 * The basis of tests of opening hours and cut-offs: the operator of a museum, its partner, and a clock of the database
 * that starts at a given time.
 */
import type { Test } from 'tap'
import { clockAt } from '../clock.ts'
import { bookingBody, bookingPath, makeProduct } from '../helper.ts'
import { makeOperator } from '../operator.ts'

export const morning = { Opens: '09:00', Closes: '12:00' }
export const afternoon = { Opens: '14:00', Closes: '17:00' }

/** An all-day timeslot in June, which opens at 08:00 UTC and closes at 16:00 UTC. */
export const openDay = {
  Date: '2030-06-15',
  Time: '09:00',
  Capacity: 8,
  OpeningHours: [morning, afternoon],
}

/** The operator of a museum without timeslots: by default in Lisbon, at 11:00 on a Saturday in June. */
export async function museum(t: Test, { now = '2030-06-15T10:00Z', timeZone = 'Europe/Lisbon' } = {}) {
  const environment = { SCHEDULE_HORIZON_DAYS: '30' }
  const operator = await makeOperator(t, { ...clockAt(now), environment })
  const { app, sql, accountId, call, partner } = operator
  const { id, activityId } = await makeProduct(sql, accountId, { name: 'Museum', timeZone })
  const product = `/products/${id}`
  const visit = { ActivityID: activityId, Date: openDay.Date, Time: openDay.Time, Participants: 2 }
  const slotAt = async (date = openDay.Date, time = openDay.Time) => {
    const [slot] = await sql<
      { id: number; startsAt: Date; closesAt: Date | null; booked: number; held: number }[]
    >`
      select id, starts_at as "startsAt", closes_at as "closesAt", booked, held from timeslots
      where product_id = ${id} and date = ${date} and time = ${time}`
    return slot
  }
  return {
    ...operator,
    ...{ productId: id, activityId, product, schedules: `${product}/schedules`, visit, slotAt },
    /** Makes a timeslot: the open day, with the changes of a test. */
    open: (changes: object = {}) => call('POST', `${product}/timeslots`, { ...openDay, ...changes }),
    cutOff: (minutes: number) => call('PATCH', product, { BookingCutoffMinutes: minutes }),
    /** Returns what a partner reads from a list of availability: `dates`, `timeslots` or `calendar`. */
    async available(list: string, query: string) {
      const url = `/api/v2/ota/marketplace/availability/${activityId}/${list}?${query}`
      return (await app.inject({ url, headers: partner.headers })).json().data
    },
    /** Books two places of the open day as a partner, with the changes of a test; returns the response. */
    async bookAsPartner(changes: object = {}, more: object = {}) {
      const payload = bookingBody(activityId, { Time: openDay.Time, ...changes })
      const headers = { ...partner.headers, ...more }
      const answer = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
      const body = answer.json()
      return { status: answer.statusCode, data: body.data, problem: body }
    },
    /** The types of all events about timeslots, without `timeslot.`, in their order. */
    async timeslotEvents(): Promise<string[]> {
      const rows = await sql<{ type: string }[]>`
        select type from events where type like 'timeslot.%' order by id`
      return rows.map(({ type }) => type.slice('timeslot.'.length))
    },
  }
}
