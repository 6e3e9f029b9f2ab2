/** The SQL that sums up usage from the stored totals. */
import type { PendingQuery } from 'postgres'
import { counters, unnumbered } from '../../events/queries.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { meterRules } from '../built-in.ts'
import { type Days, splitRange } from '../model.ts'

/**
 * The requested sums besides the overall sum: of each meter; of each meter and of its days; or only of days
 * by meter.
 */
export type SumShape = 'meters' | 'meters-with-days' | 'days'

export type UsageQuery = Days & {
  accountId: number
  timeZone: string
  /** Null for every meter. */
  meters: string[] | null
  shape: SumShape
  /** Entries of the account that were accepted and may not be stored yet. */
  pendingIds: number[]
  /** The most rows; all when left out. */
  limit?: number
}

/** A sum over one meter and day, one meter (`day` null), or everything (`meter` null). */
export type SumRow = { meter: string | null; day: string | null; total: string; events: number }

/**
 * Adds up the stored totals, and the usage events that have no number yet, in one statement. No event is
 * counted twice, because the pump stores its entry in the transaction that numbers it. The overall row comes
 * first and always exists. Then come the meters, largest first, each followed by its days. In the shape
 * `days`, the rows come by day and meter.
 */
export function sumUsage(sql: Queryable, query: UsageQuery): PendingQuery<SumRow[]> {
  return sql<SumRow[]>`${sums(sql, query)}`
}

/**
 * Declares a cursor for the rows of sumUsage(). fetchSums() reads them in parts, because a million rows at once would
 * block the process.
 */
export function declareSums(tx: Transaction, query: UsageQuery): PendingQuery<never[]> {
  return tx<never[]>`declare usage_sums no scroll cursor for ${sums(tx, query)}`
}

/** The next rows of the cursor; empty at its end. */
export function fetchSums(tx: Transaction): PendingQuery<SumRow[]> {
  return tx<SumRow[]>`fetch 2000 from usage_sums`
}

function sums(sql: Queryable, query: UsageQuery) {
  const { shape, limit } = query
  const sets = {
    meters: sql`(), (meter)`,
    'meters-with-days': sql`(), (meter), (meter, day)`,
    days: sql`(), (meter, day)`,
  }
  // A part is never larger than its whole, so the overall row sorts before meters, and a meter before its days.
  const order = {
    meters: sql`total desc, meter collate "C" nulls first`,
    'meters-with-days': sql`max(sum(total)) over (partition by meter) desc, meter collate "C" nulls first, day nulls first`,
    days: sql`day nulls first, meter collate "C" nulls first`,
  }
  return sql`
    with counted as (${counted(sql, query)})
    select meter, ${shape === 'meters' ? sql`null::date as day` : sql`day`}, coalesce(sum(total), 0) as total,
      coalesce(sum(events), 0)::bigint as events
    from counted group by grouping sets (${sets[shape]})
    having grouping(meter) = 1 or sum(events) > 0
    order by ${order[shape]}
    limit ${limit ?? null}`
}

/**
 * The period of a query in Unix seconds, and how many of the account's pending and rejected entries are not
 * stored.
 */
export type UsagePeriod = { fromSecond: number; toSecond: number; uncounted: number }

/** One row. */
export function findPeriod(
  sql: Queryable,
  { accountId, timeZone, from, to, pendingIds }: UsageQuery,
): PendingQuery<UsagePeriod[]> {
  return sql<UsagePeriod[]>`
    select extract(epoch from ${firstInstant(sql, sql`${from}::date`, timeZone)})::bigint as "fromSecond",
      extract(epoch from ${firstInstant(sql, sql`(${to}::date + 1)`, timeZone)})::bigint - 1 as "toSecond",
      (
        select count(*) from (
          select unnest(${pendingIds}::bigint[]) union
          select id from usage_rejects where account_id = ${accountId}
        ) as pending (id)
        -- One by one, by their ids: otherwise the planner might read every entry of the account.
        left join lateral (
          select true as stored from meter_entries
          where account_id = ${accountId} and meter_entries.id = pending.id limit 1
        ) as entry on true
        where stored is null
      ) as uncounted`
}

/**
 * Counts the stored totals by meter and day in the range of a query, up to `limit`. The number of its sums by
 * day may differ a little: totals without entries have no sum, and events without a number can add sums.
 */
export async function countDailyTotals(
  sql: Queryable,
  { accountId, from, to, meters }: UsageQuery,
  limit: number,
): Promise<number> {
  const [counted] = await sql<{ count: number }[]>`
    select count(*) from (
      select from meter_daily
      where account_id = ${accountId} and day between ${from} and ${to}
        ${meters ? sql`and meter = any(${meters}::text[])` : sql``}
      limit ${limit}
    ) as found`
  return counted!.count
}

/** Whole months come from the monthly totals, unless each day is requested. */
function counted(sql: Queryable, { accountId, timeZone, from, to, meters, shape }: UsageQuery) {
  const { months, days } =
    shape === 'meters' ? splitRange({ from, to }) : { months: null, days: [{ from, to }] }
  const wanted = meters ? sql`and meter = any(${meters}::text[])` : sql``
  const monthly =
    months &&
    sql`
    select meter, null::date as day, total, events from meter_monthly
    where account_id = ${accountId} and month between ${months.from} and ${months.to} ${wanted}
    union all`
  const daily = days.map(
    (range) => sql`
    select meter, day, total, events from meter_daily
    where account_id = ${accountId} and day between ${range.from} and ${range.to} and events > 0 ${wanted}
    union all`,
  )
  return sql`${monthly ?? sql``} ${daily.length > 0 ? daily : sql``}
    select meter, (occurred_at at time zone ${timeZone})::date, 1, 1
    from ${counters(sql, accountId)} cross join lateral (
      select type, actor, details, occurred_at from ${unnumbered(sql)}
    ) as waiting
    join unnest(
      ${meterRules.map(({ meter }) => meter)}::text[], ${meterRules.map(({ type }) => type)}::text[],
      ${meterRules.map(({ actor }) => actor)}::text[], ${meterRules.map(({ kind }) => kind)}::text[]
    ) as rule (meter, type, actor, kind) on rule.type = waiting.type
      and coalesce(rule.actor = waiting.actor, true) and coalesce(rule.kind = waiting.details->>'Kind', true)
    where (occurred_at at time zone ${timeZone})::date between ${from} and ${to} ${wanted}`
}

/** When a local day begins: its first midnight, or the time of a clock change that skips midnight. */
function firstInstant(sql: Queryable, day: ReturnType<Queryable>, timeZone: string) {
  return sql`coalesce(local_instant(${day}::timestamp, ${timeZone}), ${day}::timestamp at time zone ${timeZone})`
}
