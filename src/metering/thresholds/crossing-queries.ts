/**
 * The parts of statements that compare thresholds with totals. The statement that raises totals also writes
 * the crossings and their events, so a crash leaves all of them or nothing.
 *
 * Why a crossing is written once and never missed: the new totals come from the rows that this statement has
 * updated, which are exact when several statements store at once. A query in the same statement would see the
 * old totals. The primary key of usage_crossings allows one crossing for each threshold and period. A
 * statement cannot see a threshold that was made after it began; checkThresholds() compares it later.
 */
import type { Fragment, Queryable } from '../../platform/postgres/database.ts'

/**
 * Whether the threshold in the row `threshold` has been crossed in a period. A crossing that another
 * transaction had not committed when the statement began is not seen; the primary key then refuses a second
 * one.
 */
export function isCrossed(sql: Queryable, periodStart: Fragment) {
  return sql`exists (
    select from usage_crossings as crossing
    where crossing.account_id = threshold.account_id and crossing.threshold_id = threshold.id
      and crossing.period_start = ${periodStart}
    -- Looked up one by one: there are few thresholds and there may be many crossings.
    offset 0
  )`
}

/** The `period_start` of a threshold on the total of all time. */
export function allTimeStart(sql: Queryable) {
  return sql`'-infinity'::date`
}

/**
 * Steps of a statement that has the steps `added` (account_id, meter, day, total), `daily` and `monthly`,
 * which return the new totals of the days and months that they raise. The step `crossed` returns the new
 * crossings.
 *
 * Thresholds are looked up by the key of each total, so a meter without a threshold costs one index probe.
 * Thresholds are locked after the totals of days and months, in the order of account and meter. A threshold
 * that another transaction has deleted is left out: a crossing of it would violate the foreign key, and no
 * entry would be stored.
 */
export function crossingSteps(sql: Queryable) {
  return sql`
    locked as materialized (
      select sums.account_id, threshold.id, sums.added
      from (
        select account_id, meter, sum(total) as added from added
        -- Thresholds are locked after days and months.
        where (select count(*) from monthly) > 0
        group by account_id, meter order by account_id, meter
      ) as sums
      cross join lateral (
        select id from usage_thresholds as threshold
        where account_id = sums.account_id and meter = sums.meter and period = 'total'
          and not ${isCrossed(sql, allTimeStart(sql))}
        order by id for no key update
      ) as threshold
    ), overall as (
      update usage_thresholds as threshold set reached = reached + locked.added
      from locked where threshold.account_id = locked.account_id and threshold.id = locked.id
      returning threshold.account_id, threshold.id, meter, period, amount, ${allTimeStart(sql)} as period_start,
        reached as total
    ), periodic as materialized (
      select totals.account_id, threshold.id, meter, period, threshold.amount, period_start, total
      from (
        select account_id, meter, 'day' as period, day as period_start, total from daily
        union all
        select account_id, meter, 'month', month, total from monthly
        order by account_id, meter, period, period_start
      ) as totals
      cross join lateral (
        select id, amount from usage_thresholds as threshold
        where account_id = totals.account_id and meter = totals.meter and period = totals.period
          and amount <= totals.total and not ${isCrossed(sql, sql`totals.period_start`)}
        order by id for key share
      ) as threshold
    ), reached as (
      select * from periodic
      union all
      select * from overall where total >= amount
    ), ${writingSteps(sql)}`
}

/**
 * Steps that subtract a voided entry from the sums of thresholds on the total of all time. Before them, the
 * statement must have a step `monthly` (meter, usage) that subtracts the usage from a month. The last step is
 * `lowered`.
 */
export function loweringSteps(sql: Queryable, accountId: number) {
  return sql`
    locked as materialized (
      select threshold.id, monthly.usage from monthly
      cross join lateral (
        select id from usage_thresholds as threshold
        where account_id = ${accountId} and meter = monthly.meter and period = 'total'
          and not ${isCrossed(sql, allTimeStart(sql))}
        order by id for no key update
      ) as threshold
    ), lowered as (
      update usage_thresholds as threshold set reached = reached - locked.usage
      from locked where account_id = ${accountId} and threshold.id = locked.id
      returning threshold.id
    )`
}

/**
 * Steps that write the rows of `reached` (account_id, id, meter, period, amount, period_start, total) as
 * crossings and events, unless the crossings exist. The thresholds of these rows must be locked.
 */
export function writingSteps(sql: Queryable) {
  return sql`
    crossed as (
      insert into usage_crossings (account_id, threshold_id, period_start, total)
      select account_id, id, period_start, total from reached order by account_id, id, period_start
      on conflict do nothing
      returning account_id, threshold_id, period_start
    ), written as (
      insert into events (account_id, type, actor, details)
      select reached.account_id, 'usage.threshold-crossed', 'service', jsonb_strip_nulls(jsonb_build_object(
        'ThresholdID', id, 'Meter', meter, 'Period', period,
        'From', case when period <> 'total' then reached.period_start end,
        'Threshold', trim_scale(amount)::text, 'Total', trim_scale(reached.total)::text))
      from crossed join reached
        on (crossed.account_id, threshold_id, crossed.period_start) = (reached.account_id, id, reached.period_start)
      order by reached.account_id, id, reached.period_start
    )`
}
