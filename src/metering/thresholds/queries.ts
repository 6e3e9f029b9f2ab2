/** The SQL that lists and changes thresholds, and compares them with the current totals. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { changedMeanwhile } from '../../platform/postgres/errors.ts'
import { allTimeStart, isCrossed, writingSteps } from './crossing-queries.ts'
import type { ThresholdPeriod } from './model.ts'

export type ThresholdInput = { meter: string; period: ThresholdPeriod; amount: string }

/** `lastCrossedAt` is null for a threshold that was never crossed; times are in Unix seconds. */
export type ThresholdRow = ThresholdInput & { id: number; createdAt: number; lastCrossedAt: number | null }

/** All thresholds of an account, by meter, period and amount. */
export function listThresholds(sql: Queryable, accountId: number): Promise<ThresholdRow[]> {
  return sql<ThresholdRow[]>`
    select ${thresholdColumns(sql)} from usage_thresholds as threshold where account_id = ${accountId}
    order by meter, array_position(array['day', 'month', 'total'], period), amount`
}

export async function findThreshold(
  sql: Queryable,
  accountId: number,
  id: number,
): Promise<ThresholdRow | null> {
  const [threshold] = await sql<ThresholdRow[]>`
    select ${thresholdColumns(sql)} from usage_thresholds as threshold
    where account_id = ${accountId} and id = ${id}`
  return threshold ?? null
}

function thresholdColumns(sql: Queryable) {
  return sql`id, meter, period, trim_scale(amount) as amount,
    floor(extract(epoch from created_at))::bigint as "createdAt",
    (
      select floor(extract(epoch from max(crossed_at)))::bigint from usage_crossings as crossing
      where crossing.account_id = threshold.account_id and threshold_id = threshold.id
    ) as "lastCrossedAt"`
}

export async function countThresholds(sql: Queryable, accountId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from usage_thresholds where account_id = ${accountId}`
  return row!.count
}

/**
 * Returns the id of the threshold; `isNew` is false if the account had this threshold already.
 * @throws changedMeanwhile() if another transaction has removed it meanwhile; the use case can run again.
 */
export async function insertThreshold(
  tx: Transaction,
  accountId: number,
  { meter, period, amount }: ThresholdInput,
): Promise<{ id: number; isNew: boolean }> {
  const [made] = await tx<{ id: number }[]>`
    insert into usage_thresholds (account_id, meter, period, amount, reached)
    values (${accountId}, ${meter}, ${period}, ${amount}, ${period === 'total' ? 0 : null})
    on conflict (account_id, meter, period, amount) do nothing
    returning id`
  if (made) return { id: made.id, isNew: true }
  const [existing] = await tx<{ id: number }[]>`
    select id from usage_thresholds
    where account_id = ${accountId} and meter = ${meter} and period = ${period} and amount = ${amount}`
  // Another transaction has removed it since the insert was tried: the use case runs again.
  if (!existing) throw changedMeanwhile('the threshold')
  return { id: existing.id, isNew: false }
}

/** Deletes a threshold and its crossings. The events of the crossings stay. */
export async function deleteThreshold(sql: Queryable, accountId: number, id: number): Promise<void> {
  await sql`delete from usage_thresholds where account_id = ${accountId} and id = ${id}`
}

/** The accounts that have thresholds. */
export async function listWatchedAccounts(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ accountId: number }[]>`
    select account_id as "accountId" from accounts
    where exists (select from usage_thresholds where account_id = accounts.account_id)
    order by account_id`
  return rows.map(({ accountId }) => accountId)
}

/**
 * Locks the thresholds of an account that have the period `total` and are not crossed. Returns how many there are.
 */
export async function lockOverall(tx: Transaction, accountId: number): Promise<number> {
  const { count } = await tx`
    select from usage_thresholds as threshold
    where account_id = ${accountId} and period = 'total' and not ${isCrossed(tx, allTimeStart(tx))}
    order by meter, id for no key update`
  return count
}

/**
 * Adds up the months again for the thresholds that lockOverall() has locked. The result is exact: a statement
 * that stores usage has either committed before this statement began, and its usage is in the months, or it
 * still waits for the lock and then adds to the result. An exception is a statement that began before the
 * threshold was made and commits later: it does not see the threshold, and the next call adds its usage.
 */
export async function recountOverall(tx: Transaction, accountId: number): Promise<void> {
  await tx`
    update usage_thresholds as threshold set reached = sums.total
    from (
      select id, (
        select coalesce(sum(total), 0) from meter_monthly as kept
        where kept.account_id = watched.account_id and kept.meter = watched.meter
      ) as total
      from usage_thresholds as watched where account_id = ${accountId} and period = 'total'
    ) as sums
    where threshold.account_id = ${accountId} and threshold.id = sums.id and reached <> sums.total
      and not ${isCrossed(tx, allTimeStart(tx))}`
}

/**
 * Writes the missing crossings of an account's thresholds, and their events. It compares the total of all time, and
 * the current and the previous day and month in the account's time zone, except periods that ended before the
 * threshold was made. Returns how many crossings were missing.
 */
export async function insertMissingCrossings(tx: Transaction, accountId: number): Promise<number> {
  const [row] = await tx<{ crossed: number }[]>`
    with periods as (
      select today, date_trunc('month', today)::date as month, time_zone
      from accounts cross join lateral (select (app_now() at time zone time_zone)::date as today) as clock
      where account_id = ${accountId}
    ), watched as (
      select threshold.*, today, month, (created_at at time zone time_zone)::date as made_on
      from usage_thresholds as threshold cross join periods
      where account_id = ${accountId}
    ), totals as (
      select threshold.id, day as period_start, total
      from watched as threshold join meter_daily as kept using (account_id, meter)
      where period = 'day' and day between greatest(made_on, today - 1) and today
      union all
      select threshold.id, kept.month, total
      from watched as threshold join meter_monthly as kept using (account_id, meter)
      where period = 'month' and kept.month <= threshold.month
        and kept.month >= date_trunc('month', greatest(made_on, threshold.month - 1))
      union all
      select id, ${allTimeStart(tx)}, reached from watched where period = 'total'
    ), reached as materialized (
      select threshold.account_id, threshold.id, meter, period, amount, period_start, total
      from totals join usage_thresholds as threshold on account_id = ${accountId} and threshold.id = totals.id
      where total >= amount and not ${isCrossed(tx, tx`totals.period_start`)}
      order by threshold.id, period_start for key share of threshold
    ), ${writingSteps(tx)}
    select count(*) as crossed from crossed`
  return row!.crossed
}
