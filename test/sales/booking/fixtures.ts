/** Fixtures for tests of bookings: an operator with a product and a partner, and functions that send their requests. */
import type { Test } from 'tap'
import { theService } from '../../../src/events/actor.ts'
import { makeBasket as placeBasket } from '../../../src/inventory/baskets.ts'
import { makeBookings } from '../../../src/inventory/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { listCounterDifferences } from '../../../src/reports/sales-audit/queries.ts'
import { boughtPlainly } from '../../../src/sales/booking/decision.ts'
import { makeReference } from '../../../src/sales/booking/model.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../../helper.ts'

export const operatorPath = '/api/v2/operator/bookings'

/**
 * Makes an operator, a partner, and a product with timeslots of 8 places on 2030-06-15 at 10:00, 4 at 14:00,
 * and 10 a day later at 10:00; returns functions that send requests of the operator and the
 * partner.
 */
export async function openDesk(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const built = await build(t, settings)
  const { app, sql } = built
  const operator = await makeCaller(sql, { scopes: ['operator'] })
  const partner = await makeCaller(sql, { partner: 'Tours Online' })
  const { accountId } = operator
  const slots = { '2030-06-15 10:00': 8, '2030-06-15 14:00': 4, '2030-06-16 10:00': 10 }
  const product = await makeProduct(sql, accountId, { slots })

  /** Makes a partner's booking of 2 people at 10:00, with the changes of the test; returns its reference. */
  async function book(changes: object = {}, { headers } = partner): Promise<string> {
    const payload = bookingBody(product.activityId, { ...changes })
    const answer = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json().data.BookingReference
  }
  const read = (path: string, { headers } = operator) => app.inject({ url: operatorPath + path, headers })
  const act = (reference: string, action: string, payload: object = {}, more: object = {}) =>
    app.inject({
      method: 'POST',
      url: `${operatorPath}/${reference}/${action}`,
      headers: { ...operator.headers, ...more },
      payload,
    })
  const patch = (reference: string, payload: object) =>
    app.inject({ method: 'PATCH', url: `${operatorPath}/${reference}`, headers: operator.headers, payload })
  const history = async (reference: string) => (await read(`/${reference}`)).json().data.History as Change[]
  /** Booked and held places of each timeslot, as `booked+held`, by date and time. */
  const taken = async () => {
    const rows = await sql`select date, time, booked, held from timeslots order by date, time`
    return Object.fromEntries(rows.map((row) => [`${row.date} ${row.time}`, `${row.booked}+${row.held}`]))
  }
  const slotId = async (date: string, time: string) => {
    const [slot] = await sql<
      { id: number }[]
    >`select id from timeslots where date = ${date} and time = ${time}`
    return slot!.id
  }
  const differences = () => listCounterDifferences(sql, accountId)
  return {
    ...built,
    accountId,
    operator,
    partner,
    product,
    book,
    read,
    act,
    patch,
    history,
    taken,
    slotId,
    differences,
  }
}

export type Change = { Action: string; Details: object; Actor: { Kind: string; ID: number; Name: string } }

type Line = { timeslotId: number; status: 'held' | 'waitlisted' | 'confirmed'; participants?: number }

/**
 * Makes a basket without a partner, and waitlist entries for its waitlisted lines; returns the references of
 * the lines.
 */
export function makeBasket(
  sql: Sql,
  accountId: number,
  lines: Line[],
  { channel = 'online' as 'online' | 'pos', paymentReference = null as string | null } = {},
): Promise<string[]> {
  const status = { held: 'open', waitlisted: 'waiting', confirmed: 'completed' } as const
  return sql.begin(async (tx) => {
    const isPaid = lines[0]!.status === 'confirmed'
    const by = { accountId, actor: theService }
    const basketId = await placeBasket(tx, by, {
      status: status[lines[0]!.status],
      channel,
      payment: isPaid ? { method: 'card', reference: paymentReference } : null,
    })
    const placed = lines.map(({ timeslotId, participants = 1, status, ...rest }) => ({
      booking: {
        ...rest,
        accountId,
        id: null,
        basketId,
        partnerId: null,
        channel,
        status,
        reference: makeReference(),
        paymentReference: null,
        firstName: 'Grace',
        lastName: 'Hopper',
        email: 'grace@example.com',
        phone: null,
        answers: '[]',
        actor: theService,
      },
      bought: boughtPlainly(participants, { priceMinor: 4500, currency: 'EUR', unit: null }),
      slot: { id: timeslotId },
    }))
    const ids = await makeBookings(tx, placed)
    for (const [index, { status, timeslotId }] of lines.entries()) {
      if (status !== 'waitlisted') continue
      await tx`
        insert into waitlist_entries (account_id, booking_id, timeslot_id)
        values (${accountId}, ${ids[index]!}, ${timeslotId})`
    }
    return placed.map(({ booking }) => booking.reference)
  })
}
