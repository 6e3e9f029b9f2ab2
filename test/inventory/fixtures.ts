/**
 * The basis of tests of places: timeslots of one account, and functions that hold, wait for, pay and free
 * places.
 */
import type { Test } from 'tap'
import { endBasket, makeBasket } from '../../src/inventory/baskets.ts'
import {
  changeBookings,
  findShortages,
  lockBasket,
  lockPlaces,
  makeBookings,
} from '../../src/inventory/service.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { runAgain } from '../../src/platform/postgres/run-once.ts'
import { boughtPlainly } from '../../src/sales/booking/decision.ts'
import { makeReference } from '../../src/sales/booking/model.ts'
import { createDatabase, makeCaller, makeProduct } from '../helper.ts'

/** One timeslot an hour from 08:00 on, with these capacities. `ids` has the timeslots' ids, in that order. */
export async function seaside(t: Test, ...capacities: number[]) {
  const database = await createDatabase(t)
  const { accountId } = await makeCaller(database.sql)
  const slots = capacities.map((capacity, index) => {
    return [`2030-06-15 ${String(8 + index).padStart(2, '0')}:00`, capacity] as const
  })
  await makeProduct(database.sql, accountId, { slots: Object.fromEntries(slots) })
  const rows = await database.sql<{ id: number }[]>`select id from timeslots order by time`
  return { ...database, accountId, ids: rows.map(({ id }) => id), ...actions(database.sql, accountId) }
}

export type Line = { timeslotId: number; participants: number }
const nobody = { firstName: null, lastName: null, email: null, phone: null }
const theService = { kind: 'service' } as const

/** Operations on the places of an account. */
export function actions(sql: Sql, accountId: number) {
  const row = ({ timeslotId, participants }: Line, basketId: number, status: 'held' | 'waitlisted') => ({
    booking: {
      ...nobody,
      accountId,
      id: null,
      basketId,
      partnerId: null,
      channel: 'online' as const,
      status,
      reference: makeReference(),
      paymentReference: null,
      answers: '[]',
      actor: theService,
    },
    bought: boughtPlainly(participants, { priceMinor: 4500, currency: 'EUR', unit: null }),
    slot: { id: timeslotId },
  })
  return {
    /** The data of a line for makeBookings(). */
    row,
    /** Makes a basket that holds the places of all lines. Returns its id, or null if places are missing. */
    hold: (...lines: Line[]): Promise<number | null> =>
      runAgain(sql, async (tx) => {
        await lockPlaces(tx, accountId, { timeslotIds: lines.map(({ timeslotId }) => timeslotId) })
        const changes = lines.map(({ timeslotId, participants: places }) => {
          return { from: null, to: { accountId, timeslotId, places, status: 'held' as const } }
        })
        if ((await findShortages(tx, changes)).length > 0) return null
        const basket = { status: 'open', channel: 'online', payment: null } as const
        const id = await makeBasket(tx, { accountId, actor: theService }, basket)
        const rows = lines.map((line) => row(line, id, 'held'))
        await makeBookings(tx, rows)
        return id
      }),
    /** Puts a party on the waitlist; returns the id of its basket. */
    wait: (line: Line): Promise<number> =>
      runAgain(sql, async (tx) => {
        const basket = { status: 'waiting', channel: 'online', payment: null } as const
        const basketId = await makeBasket(tx, { accountId, actor: theService }, basket)
        const [bookingId] = await makeBookings(tx, [row(line, basketId, 'waitlisted')])
        await tx`
          insert into waitlist_entries (account_id, booking_id, timeslot_id)
          values (${accountId}, ${bookingId!}, ${line.timeslotId})`
        return basketId
      }),
    /** Confirms the held bookings of a basket, if it is open. */
    confirm: (id: number): Promise<void> =>
      runAgain(sql, async (tx) => {
        const { basket, lines } = (await lockBasket(tx, accountId, id))!
        const held = lines.filter(({ status }) => status === 'held')
        if (basket.status !== 'open' || held.length === 0) return
        await tx`update baskets set status = 'completed', completed_at = now() where id = ${id}`
        const changes = held.map((booking) => ({
          booking,
          action: 'confirmed' as const,
          to: { status: 'confirmed' as const },
        }))
        await changeBookings(tx, theService, changes)
      }),
    /** Ends an open basket, or cancels the confirmed bookings of a completed one. */
    free: (id: number): Promise<void> =>
      runAgain(sql, async (tx) => {
        const { basket, lines } = (await lockBasket(tx, accountId, id))!
        const end = { id, status: 'cancelled', cancelReason: 'operator' } as const
        if (basket.status === 'open') return endBasket(tx, accountId, theService, end, lines)
        const changes = lines
          .filter(({ status }) => status === 'confirmed')
          .map((booking) => ({
            booking,
            action: 'cancelled' as const,
            to: { status: 'cancelled' as const },
            cancelReason: 'operator' as const,
          }))
        await changeBookings(tx, theService, changes)
      }),
    /** Makes baskets expire. */
    runOut: async (...basketIds: (number | null)[]): Promise<void> => {
      const ids = basketIds.filter((id) => id !== null)
      await sql`update baskets set expires_at = now() - interval '1 second' where id = any(${ids}::bigint[])`
    },
    /** `booked` and `held` of a timeslot. */
    counters: async (id: number) => {
      const [slot] = await sql<{ booked: number; held: number }[]>`
        select booked, held from timeslots where account_id = ${accountId} and id = ${id}`
      return slot!
    },
    statuses: async (basketId: number) => {
      const rows = await sql<{ basket: string; booking: string }[]>`
        select baskets.status as basket, bookings.status as booking
        from baskets join bookings on bookings.basket_id = baskets.id
        where baskets.id = ${basketId} order by bookings.id`
      return { basket: rows[0]!.basket, bookings: rows.map(({ booking }) => booking) }
    },
  }
}
