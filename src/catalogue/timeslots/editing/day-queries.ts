/** The SQL that sums up the timeslots of each day. */
import type { Queryable } from '../../../platform/postgres/database.ts'

/** Totals of the timeslots of a day. `capacity`, `booked` and `held` are the totals of its open timeslots. */
export type DayTotals = {
  date: string
  timeslots: number
  closed: number
  /** How many open timeslots have no free place. */
  full: number
  capacity: number
  booked: number
  held: number
}

/** The days of a range that have timeslots, in order. */
export function listDayTotals(
  sql: Queryable,
  accountId: number,
  { from, to, productId }: { from: string; to: string; productId: number | null },
): Promise<DayTotals[]> {
  return sql<DayTotals[]>`
    select date, count(*) as timeslots, count(*) filter (where status = 'closed') as closed,
      count(*) filter (where status = 'open' and booked + held >= capacity) as full,
      coalesce(sum(capacity) filter (where status = 'open'), 0) as capacity,
      coalesce(sum(booked) filter (where status = 'open'), 0) as booked,
      coalesce(sum(held) filter (where status = 'open'), 0) as held
    from timeslots
    where account_id = ${accountId} and date between ${from} and ${to}
      ${productId === null ? sql`` : sql`and product_id = ${productId}`}
    group by date order by date`
}
