/** The SQL of what usage sums up to, from the totals that are kept of it. */
import { counters, unnumbered } from '../../events/queries.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { meterRules } from '../built-in.ts'
import { type Days, splitRange } from '../model.ts'

export type UsageQuery = Days & {
  accountId: number
  timeZone: string
  /** Null for every meter. */
  meters: string[] | null
  byDay: boolean
  /** Entries of the account that were accepted, but may not be stored. */
  pendingIds: number[]
}
/**
 * A sum over one meter and day, one meter (`day` null), or everything (`meter` null). The period is in Unix
 * seconds; `uncounted` of the account's pending and rejected entries are not stored.
 */
export type TotalRow = {
  meter: string | null
  day: string | null
  total: string
  events: number
  fromSecond: number
  toSecond: number
  uncounted: number
}

/**
 * Adds up totals, and the events that are usage and have no number yet, in one statement: each event is counted either
 * here or there, since the pump stores its entry together with its number. The row of everything is always there; meters come largest first.
 */
export function sumUsage(sql: Queryable, question: UsageQuery): Promise<TotalRow[]> {
  const { accountId, timeZone, from, to, byDay, pendingIds } = question
  return sql<TotalRow[]>`
    with counted as (${counted(sql, question)}),
    period as (
      select extract(epoch from ${firstInstant(sql, sql`${from}::date`, timeZone)})::bigint as "fromSecond",
        extract(epoch from ${firstInstant(sql, sql`(${to}::date + 1)`, timeZone)})::bigint - 1 as "toSecond",
        (
          select count(*) from (
            select unnest(${pendingIds}::bigint[]) union
            select id from usage_rejects where account_id = ${accountId}
          ) as pending (id)
          -- One by one, by their ids: the planner might rather read every entry of the account.
          left join lateral (
            select true as stored from meter_entries
            where account_id = ${accountId} and meter_entries.id = pending.id limit 1
          ) as entry on true
          where stored is null
        ) as uncounted
    ), sums as (
      select meter, ${byDay ? sql`day` : sql`null::date as day`}, coalesce(sum(total), 0) as total,
        coalesce(sum(events), 0)::bigint as events
      from counted group by grouping sets ((), (meter)${byDay ? sql`, (meter, day)` : sql``})
    )
    select sums.*, period.* from sums cross join period
    order by total desc, meter collate "C", day`
}

/** Whole months come from the monthly totals, unless each day is asked for. */
function counted(sql: Queryable, { accountId, timeZone, from, to, meters, byDay }: UsageQuery) {
  const { months, days } = byDay ? { months: null, days: [{ from, to }] } : splitRange({ from, to })
  const wanted = meters ? sql`and meter = any(${meters}::text[])` : sql``
  const ofMonths =
    months &&
    sql`
    select meter, null::date as day, total, events from meter_monthly
    where account_id = ${accountId} and month between ${months.from} and ${months.to} ${wanted}
    union all`
  const ofDays = days.map(
    (range) => sql`
    select meter, day, total, events from meter_daily
    where account_id = ${accountId} and day between ${range.from} and ${range.to} and events > 0 ${wanted}
    union all`,
  )
  return sql`${ofMonths ?? sql``} ${ofDays.length > 0 ? ofDays : sql``}
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

/** When a local day begins: its first midnight, or, where a clock change skips that, the moment of the change. */
function firstInstant(sql: Queryable, day: ReturnType<Queryable>, timeZone: string) {
  return sql`coalesce(local_instant(${day}::timestamp, ${timeZone}), ${day}::timestamp at time zone ${timeZone})`
}
