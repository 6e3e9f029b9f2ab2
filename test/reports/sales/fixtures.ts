/** Fixtures for tests of the totals of sales: the counting of a worker, and the totals expected from the bookings. */

import { owedOf } from '../../../src/inventory/partner-terms.ts'
import { type Bought, boughtColumns, peopleHere, totalOf } from '../../../src/inventory/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { dateIn } from '../../../src/platform/text/calendar.ts'
import { countSome } from '../../../src/reports/sales/totals/counting.ts'
import { pumpEvents } from '../../pump.ts'

/**
 * Numbers all events, and then counts until no day is marked. It counts 64 days at once, as many as a worker does: an
 * account that was never counted has hundreds of days.
 */
export async function settle(sql: Sql): Promise<void> {
  await pumpEvents(sql)
  const accounts = await sql<{ id: number }[]>`select account_id as id from accounts`
  for (const { id } of accounts) for (let days = -1; days !== 0; ) days = await countSome(sql, id, 64)
}

type SoldRow = Bought & {
  day: string
  confirmedAt: Date
  productId: number
  channel: string
  partnerId: number
  status: string
  attendance: string | null
  here: number
  /** The absent people of a party that is partly checked in. */
  restAbsent: number
}

/** The stored totals of a basis as one line of text each, in order. */
export async function storedTotals(sql: Sql, accountId: number, basis: 'sold' | 'travel'): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', day, product_id, channel, partner_id, currency, bookings, guests, places, sold_minor,
      cancelled_bookings, cancelled_guests, cancelled_minor, no_show_guests, checked_in_guests,
      owed_minor, under_terms_minor) as line
    from sales_totals where account_id = ${accountId} and basis = ${basis}`
  return rows.map(({ line }) => line).sort()
}

/** The expected totals, from every booking that was confirmed. */
export async function expectedTotals(
  sql: Sql,
  { accountId, timeZone }: { accountId: number; timeZone: string },
  basis: 'sold' | 'travel',
): Promise<string[]> {
  const rows = await sql<SoldRow[]>`
    select ${boughtColumns(sql)}, slot.date as day, slot.product_id as "productId", confirmed_at as "confirmedAt",
      channel, coalesce(partner_id, 0) as "partnerId", bookings.status, attendance, ${peopleHere(sql)} as here,
      people_absent as "restAbsent"
    from bookings join timeslots as slot on slot.account_id = bookings.account_id and slot.id = timeslot_id
    where bookings.account_id = ${accountId} and confirmed_at is not null`
  const groups = new Map<string, bigint[]>()
  for (const row of rows) {
    const day = basis === 'travel' ? row.day : dateIn(timeZone, row.confirmedAt)
    const key = [day, row.productId, row.channel, row.partnerId, row.currency].join(' ')
    const [total, owed] = [totalOf(row), owedOf(row)]
    const [guests, isCancelled] = [BigInt(row.participants), row.status === 'cancelled']
    const when = (isMeant: boolean, value: bigint) => (isMeant ? value : 0n)
    const values = [
      ...[1n, guests, BigInt(row.places), total],
      ...[when(isCancelled, 1n), when(isCancelled, guests), when(isCancelled, total)],
      when(!isCancelled, row.attendance === 'no-show' ? guests : BigInt(row.restAbsent)),
      when(!isCancelled, BigInt(row.here)),
      when(!isCancelled, owed ?? 0n),
      when(!isCancelled && owed !== null, total),
    ]
    const known = groups.get(key)
    groups.set(key, known ? known.map((value, index) => value + values[index]!) : values)
  }
  return [...groups].map(([key, values]) => [key, ...values].join(' ')).sort()
}

/** The stored totals of refund decisions as one line of text each, in order. */
export async function storedRefunds(
  sql: Sql,
  accountId: number,
  basis: 'sold' | 'travel',
): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', day, product_id, channel, currency, decisions, decided_minor, paid_back_minor, kept_minor)
      as line
    from sales_refund_totals where account_id = ${accountId} and basis = ${basis}`
  return rows.map(({ line }) => line).sort()
}

/** The expected totals, from every decision. A decision about a whole sale counts for its first booking. */
export async function expectedRefunds(
  sql: Sql,
  { accountId, timeZone }: { accountId: number; timeZone: string },
  basis: 'sold' | 'travel',
): Promise<string[]> {
  type Row = { basketId: number; bookingId: number | null; amount: number; kept: number; status: string }
  const decisions = await sql<(Row & { currency: string; decidedAt: Date })[]>`
    select basket_id as "basketId", booking_id as "bookingId", amount_minor as amount, kept_minor as kept, status,
      currency, decided_at as "decidedAt"
    from refunds where account_id = ${accountId}`
  const bookings = await sql<
    ({ id: number; basketId: number; day: string; productId: number } & {
      channel: string
      confirmedAt: Date | null
    })[]
  >`
    select bookings.id, basket_id as "basketId", slot.date as day, slot.product_id as "productId", channel,
      confirmed_at as "confirmedAt"
    from bookings join timeslots as slot on slot.account_id = bookings.account_id and slot.id = timeslot_id
    where bookings.account_id = ${accountId} order by bookings.id`
  const groups = new Map<string, number[]>()
  for (const { basketId, bookingId, amount, kept, status, currency, decidedAt } of decisions) {
    const about = bookings.find(({ id, ...one }) =>
      bookingId ? id === bookingId : one.basketId === basketId,
    )!
    const day = basis === 'travel' ? about.day : dateIn(timeZone, about.confirmedAt ?? decidedAt)
    const key = [day, about.productId, about.channel, currency].join(' ')
    const values = [1, amount, status === 'done' ? amount : 0, kept]
    const known = groups.get(key) ?? [0, 0, 0, 0]
    groups.set(
      key,
      known.map((value, index) => value + values[index]!),
    )
  }
  return [...groups].map(([key, values]) => [key, ...values].join(' ')).sort()
}
