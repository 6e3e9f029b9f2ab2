/** All SQL of the statements of partners: their bookings by the day of the timeslot. */
import { participants } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ReportRange } from '../report/model.ts'
import { owedForBooking, totalOfBooking } from '../totals/booking-queries.ts'

export type StatementKey = { accountId: number; partnerId: number; month: ReportRange }

/** Amounts are exact, as text. `owed` is null for a booking that was sold without terms. */
export type StatementRow = {
  id: number
  reference: string
  status: 'confirmed' | 'cancelled'
  productName: string
  timeslotId: number
  date: string
  time: string
  confirmedAt: Date
  participants: number
  currency: string
  total: string
  owed: string | null
}

export type StatementPosition = [date: string, time: string, timeslotId: number, bookingId: number]

/** Bookings that were sold, cancelled ones too, as they take place; `after` one of them. */
export function listStatementRows(
  sql: Queryable,
  key: StatementKey,
  { after, limit }: { after: StatementPosition | null; limit: number },
) {
  return sql<StatementRow[]>`
    select bookings.id, bookings.reference, bookings.status, products.name as "productName",
      slot.id as "timeslotId", slot.date, slot.time, bookings.confirmed_at as "confirmedAt",
      ${participants(sql)} as participants, bookings.currency, price.minor::text as total,
      (${owedForBooking(sql)})::text as owed
    ${bookingsOf(sql, key)}
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where ${isOfMonth(sql, key)}
      ${after ? sql`and (slot.date, slot.time, slot.id, bookings.id) > (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]})` : sql``}
    order by slot.date, slot.time, slot.id, bookings.id limit ${limit}`
}

/** Sums of the bookings that stand, in one currency, as text; without terms are those that nothing is owed for. */
export type StatementSums = {
  currency: string
  bookings: number
  guests: number
  total: string
  owed: string
  withoutTerms: string
}

export function sumStatement(sql: Queryable, key: StatementKey) {
  return sql<StatementSums[]>`
    select currency, count(*) as bookings, sum(participants)::bigint as guests, sum(total)::text as total,
      coalesce(sum(owed), 0)::text as owed, coalesce(sum(total) filter (where owed is null), 0)::text as "withoutTerms"
    from (
      select bookings.currency, ${participants(sql)} as participants, price.minor as total, ${owedForBooking(sql)} as owed
      ${bookingsOf(sql, key)} where ${isOfMonth(sql, key)} and bookings.status = 'confirmed'
    ) as standing
    group by currency order by currency`
}

function bookingsOf(sql: Queryable, { accountId }: StatementKey) {
  return sql`
    from timeslots as slot
    join bookings on bookings.account_id = ${accountId} and bookings.timeslot_id = slot.id
    cross join lateral (${totalOfBooking(sql)}) as price`
}

function isOfMonth(sql: Queryable, { accountId, partnerId, month }: StatementKey) {
  return sql`slot.account_id = ${accountId} and slot.date between ${month.from} and ${month.to}
    and bookings.partner_id = ${partnerId} and bookings.confirmed_at is not null
    and bookings.status in ('confirmed', 'cancelled')`
}
