/** The SQL that compares the totals of sales with the rows that they count. */
import { counters, unnumbered } from '../../../events/queries.ts'
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { type Basis, daysOfEvents, unreadEvents } from './mark-queries.ts'
import { joinByCommas, namesOf } from './names.ts'
import { sourcesOf } from './source-queries.ts'
import { hasBasis, type TotalsTable, tablesOf } from './tables.ts'

// The maximum number of unread events that are considered. If there are more, the alert for late totals has
// already fired.
const maxUnread = 1_000_000

/**
 * A row of totals that is wrong, superfluous or missing. `of` is its key, `kept` has its stored values, and `counted`
 * has the correct values. `kept` is null for a missing row, and `counted` is null for a superfluous row.
 */
export type SalesDifference = {
  table: string
  basis: Basis
  day: string
  /** 0 where a day is counted for all products together. */
  productId: number
  of: Record<string, string | number>
  kept: Record<string, number> | null
  counted: Record<string, number> | null
}

/**
 * Compares the tables of a basis on a range of days, in one statement, so that sales made meanwhile do not
 * look like differences. It skips days that will be counted again: marked days, and the days of events that
 * are unread or have no number yet.
 */
export function listSalesDifferences(
  sql: Queryable,
  accountId: number,
  { basis, from, to }: { basis: Basis; from: string; to: string },
) {
  const isByProduct = basis === 'travel'
  const tables = tablesOf(basis)
  const keptRows = (table: TotalsTable) => sql`
    from ${sql(table.name)} as total
    where total.account_id = ${accountId} ${hasBasis(table) ? sql`and total.basis = ${basis}` : sql``}
      and total.day between ${from} and ${to}`
  const keys = isByProduct
    ? tables.reduce<Fragment>(
        (days, table) => sql`${days} union select total.product_id, total.day ${keptRows(table)}`,
        sql`select product_id, date from timeslots where account_id = ${accountId} and date between ${from} and ${to}`,
      )
    : sql`select 0::bigint, day::date from generate_series(${from}::date, ${to}::date, '1 day') as day`
  const waiting = sql`select unread.* from (${unreadEvents(sql, accountId, maxUnread)}) as unread
    union all select waiting.* from ${counters(sql, accountId)}
    cross join lateral (select events.* from ${unnumbered(sql)}) as waiting`
  const fields = (names: readonly string[], prefix: string) =>
    joinByCommas(
      sql,
      names.map((name) => sql`${name}::text, ${sql(`${prefix}${name}`)}`),
    )
  const differences = (table: TotalsTable) => sql`
    select ${table.name} as table, ${basis} as basis, day,
      ${isByProduct ? sql`product_id` : sql`0::bigint`} as "productId",
      jsonb_build_object(${fields(table.key, '')}) as of,
      case when kept.day is not null then jsonb_build_object(${fields(table.columns, 'kept.')}) end as kept,
      case when counted.day is not null then jsonb_build_object(${fields(table.columns, 'counted.')}) end as counted
    from (select * ${keptRows(table)}) as kept
    full join (${table.sums(sql, { accountId, basis })}) as counted using (${namesOf(sql, table.key)})
    where (${namesOf(sql, table.columns, 'kept')}) is distinct from (${namesOf(sql, table.columns, 'counted')})
      and not exists (
        select from pending where pending.day = coalesce(kept.day, counted.day)
          ${isByProduct ? sql`and pending.product_id = coalesce(kept.product_id, counted.product_id)` : sql``}
      )`
  return sql<SalesDifference[]>`
    with ${sourcesOf(sql, { accountId, basis, keys })}, pending as materialized (
      select product_id, day from sales_marks where account_id = ${accountId} and basis = ${basis}
      union
      select product_id, day from (${daysOfEvents(sql, waiting)}) as days where basis = ${basis}
    )
    ${tables.map(differences).reduce((all, one) => sql`${all} union all ${one}`)}
    order by day`
}

/**
 * The range of days to audit: from the first to the last day that has data or a total of the account. Today counts as
 * such a day. Leaves out days that are not counted yet.
 */
export async function findCountedDays(
  sql: Queryable,
  accountId: number,
): Promise<{ from: string; to: string } | null> {
  const [row] = await sql<{ from: string | null; to: string | null }[]>`
    with ends as (
      (select date as day from timeslots where account_id = ${accountId} order by date limit 1)
      union all (select date from timeslots where account_id = ${accountId} order by date desc limit 1)
      union all (select (confirmed_at at time zone time_zone)::date from bookings join accounts using (account_id)
        where account_id = ${accountId} and confirmed_at is not null order by confirmed_at limit 1)
      union all (select (made_at at time zone time_zone)::date from payments join accounts using (account_id)
        where account_id = ${accountId} order by made_at limit 1)
      union all (select (decided_at at time zone time_zone)::date from refunds join accounts using (account_id)
        where account_id = ${accountId} and booking_id is null order by decided_at limit 1)
      union all select (app_now() at time zone time_zone)::date from accounts where account_id = ${accountId}
      union all select min(day) from sales_totals where account_id = ${accountId}
      union all select max(day) from sales_totals where account_id = ${accountId}
      union all select min(day) from sales_refund_totals where account_id = ${accountId}
      union all select max(day) from sales_refund_totals where account_id = ${accountId}
      union all select min(day) from sales_payment_totals where account_id = ${accountId}
      union all select max(day) from sales_payment_totals where account_id = ${accountId}
      union all select min(day) from sales_place_totals where account_id = ${accountId}
      union all select max(day) from sales_place_totals where account_id = ${accountId}
    )
    select case when state.filled_at is null then greatest(min(day), coalesce(state.filled_from, max(day)))
      else min(day) end as from, max(day) as to
    from ends left join sales_states as state on state.account_id = ${accountId}
    group by state.filled_at, state.filled_from`
  return row?.from && row.to ? { from: row.from, to: row.to } : null
}
