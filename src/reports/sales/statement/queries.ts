/** All SQL of partner statements: the bookings of a partner, by the day of the timeslot. */
import type { OpeningPeriod } from '../../../catalogue/opening-hours.ts'
import { participants } from '../../../inventory/service.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ReportRange } from '../report/model.ts'
import { owedForBooking, totalOfBooking } from '../totals/booking-queries.ts'

export type StatementKey = { accountId: number; partnerId: number; month: ReportRange }

/** Amounts are exact, as text. `owed` is null for a booking that was sold without terms. */
export type StatementRow = {
  id: number
  reference: string
  paymentReference: string | null
  status: 'confirmed' | 'cancelled'
  productName: string
  timeslotId: number
  date: string
  time: string
  /** Null unless the timeslot is all-day. */
  openingHours: OpeningPeriod[] | null
  confirmedAt: Date
  participants: number
  currency: string
  total: string
  owed: string | null
}

export type StatementPosition = [date: string, time: string, timeslotId: number, bookingId: number]

/**
 * Bookings that were sold, including cancelled ones, in the order of their timeslots, after the booking
 * `after`.
 */
export function listStatementRows(
  sql: Queryable,
  key: StatementKey,
  { after, limit }: { after: StatementPosition | null; limit: number },
) {
  return sql<StatementRow[]>`
    select bookings.id, bookings.reference, bookings.payment_reference as "paymentReference", bookings.status, products.name as "productName",
      slot.id as "timeslotId", slot.date, slot.time, slot.opening_hours as "openingHours", bookings.confirmed_at as "confirmedAt",
      ${participants(sql)} as participants, bookings.currency, price.minor::text as total,
      (${owedForBooking(sql)})::text as owed
    ${bookingsOf(sql, key)}
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where ${isOfMonth(sql, key)}
      ${after ? sql`and (slot.date, slot.time, slot.id, bookings.id) > (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]})` : sql``}
    order by slot.date, slot.time, slot.id, bookings.id limit ${limit}`
}

/**
 * Sums of the valid bookings in one currency, and how many were cancelled. Amounts are text. `withoutTerms` is
 * the sum of valid bookings that were sold without terms: what the partner owes for them is unknown.
 */
export type StatementSums = {
  currency: string
  bookings: number
  cancelledBookings: number
  guests: number
  total: string
  owed: string
  withoutTerms: string
}

export function sumStatement(sql: Queryable, key: StatementKey) {
  return sql<StatementSums[]>`
    select currency, count(*) filter (where confirmed) as bookings,
      count(*) filter (where not confirmed) as "cancelledBookings",
      coalesce(sum(participants) filter (where confirmed), 0)::bigint as guests,
      coalesce(sum(total) filter (where confirmed), 0)::text as total,
      coalesce(sum(owed) filter (where confirmed), 0)::text as owed,
      coalesce(sum(total) filter (where confirmed and owed is null), 0)::text as "withoutTerms"
    from (
      select bookings.currency, bookings.status = 'confirmed' as confirmed, ${participants(sql)} as participants, price.minor as total, ${owedForBooking(sql)} as owed
      ${bookingsOf(sql, key)} where ${isOfMonth(sql, key)}
    ) as sold
    group by currency order by currency`
}

/** What a partner owes for a month, as in its statement, but read from the totals, which may be seconds old. */
export type MonthOwed = StatementSums & { partnerId: number; partnerName: string; month: string }

/** The sums by partner, month and currency, sorted by the name of the partner. */
export function sumOwedByMonth(sql: Queryable, accountId: number, { from, to }: ReportRange) {
  return sql<MonthOwed[]>`
    select total.partner_id as "partnerId", coalesce(partners.name, '') as "partnerName",
      to_char(total.day, 'YYYY-MM') as month, currency, sum(bookings - cancelled_bookings)::bigint as bookings,
      sum(cancelled_bookings)::bigint as "cancelledBookings", sum(guests - cancelled_guests)::bigint as guests,
      sum(sold_minor - cancelled_minor)::text as total, sum(owed_minor)::text as owed,
      sum(sold_minor - cancelled_minor - under_terms_minor)::text as "withoutTerms"
    from sales_totals as total
    left join partners on partners.account_id = total.account_id and partners.id = total.partner_id
    where total.account_id = ${accountId} and basis = 'travel' and total.day between ${from} and ${to}
      and total.partner_id <> 0
    group by total.partner_id, partners.name, month, currency
    order by partners.name, total.partner_id, month, currency`
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
