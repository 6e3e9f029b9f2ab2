/** Fixtures for tests of reservations: a product with two units, resellers, and the counters of its timeslots. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { findCaller } from '../../../src/accounts/service.ts'
import { Problem } from '../../../src/http/problems.ts'
import { listCounterDifferences } from '../../../src/reports/sales-audit/queries.ts'
import type { ReserveOrder, ReserveRequest } from '../../../src/sales/reservation/order.ts'
import { build, makeCaller, makeProduct } from '../../helper.ts'
import { giveUnits } from '../booking/unit-fixtures.ts'

type Order = ReserveRequest & ReserveOrder

export const contact = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: null },
  more: { locales: ['en'], country: 'GB', postalCode: null, notes: null },
}

/** The outcome of the work: `done`, or the slug of the problem that it threw. Other errors are thrown again. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Problem) return error.slug
    throw error
  }
}

export async function openReservations(t: Test, capacity = 8) {
  const built = await build(t)
  const { sql } = built
  const { reservations } = built.services
  const { accountId } = await makeCaller(sql)
  const slots = { '2030-06-15 10:00': capacity, '2030-06-16 10:00': capacity }
  const product = await makeProduct(sql, accountId, { slots })
  const [adult, child] = await giveUnits(sql, accountId, product.id, [
    { name: 'Adult', type: 'ADULT' },
    { name: 'Child', type: 'CHILD', priceMinor: 2000 },
  ])
  const makeReseller = async (partner: string) =>
    (await findCaller(sql, (await makeCaller(sql, { partner })).token))!
  const viator = await makeReseller('Viator')
  const items = (...unitIds: number[]) => unitIds.map((unitId) => ({ unitId, uuid: randomUUID() }))
  const order = (changes: Partial<Order> = {}): Order => {
    const given = { caller: viator, uuid: randomUUID(), items: items(adult!, adult!, child!), ...changes }
    const { uuid, items: asked } = given
    return {
      ...{ body: { uuid, asked }, activityId: product.activityId, date: '2030-06-15', time: '10:00' },
      ...{
        holdMinutes: null,
        resellerReference: null,
        notes: null,
        contact: null,
        emailReceipt: false,
        answers: [],
      },
      isAwaited: () => true,
      ...given,
    }
  }
  /** Sends an order. @param to the instance of the service that gets it. */
  const send = (wanted: Order, to = reservations) => to.reserve(wanted, async () => wanted)
  /** Makes a reservation; returns its order. */
  const reserve = async (changes: Partial<Order> = {}) => {
    const made = order(changes)
    await send(made)
    return made
  }
  const confirm = (
    { caller, uuid }: Pick<Order, 'caller' | 'uuid'>,
    request: Omit<Parameters<typeof reservations.confirm>[2], 'isAwaited'> = {},
  ) => reservations.confirm(caller, uuid, { ...request, isAwaited: () => true })
  /** Booked and held places of each timeslot that has any, as `booked+held`, by date. */
  const taken = async () => {
    const rows = await sql<{ date: string; taken: string }[]>`
      select date, booked || '+' || held as taken from timeslots where booked + held > 0 order by date`
    return Object.fromEntries(rows.map(({ date, taken }) => [date, taken]))
  }
  const find = async ({ uuid }: { uuid: string }) => {
    const [row] = await sql`
      select bookings.id, reference, status, payment_reference as "paymentReference", first_name as "firstName", email, notes, contact,
        confirmed_at is not null as "isConfirmed", participants as places, currency, units, cancel_note as "cancelNote",
        (select expires_at from baskets where baskets.id = basket_id) as "expiresAt"
      from reservations join bookings on bookings.id = booking_id
      where uuid = ${uuid}`
    return row
  }
  const tickets = ({ uuid }: { uuid: string }) => sql`
    select number, unit_name as unit, reseller_uuid as uuid, tickets.reseller_reference as reference, first_name as "firstName",
      voided_at is not null as void
    from tickets join reservations using (account_id, booking_id) where reservations.uuid = ${uuid} order by number`
  /** Makes a hold expire. */
  const runOut = ({ uuid }: { uuid: string }) => sql`
    update baskets set expires_at = app_now() - interval '1 second'
    where id = (select basket_id from reservations join bookings on bookings.id = booking_id where uuid = ${uuid})`
  const differences = () => listCounterDifferences(sql, accountId)
  return {
    ...{ ...built, accountId, product, adult: adult!, child: child!, viator, makeReseller, reservations },
    ...{ items, order, send, reserve, confirm, taken, find, tickets, runOut, differences },
  }
}
