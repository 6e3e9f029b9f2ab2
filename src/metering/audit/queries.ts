/** The SQL that audits and repairs the totals of usage, and prunes entries. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { Days } from '../model.ts'

/**
 * A wrong total. The right total of a day is the sum of its entries, stored or pruned, that are not void. The right
 * total of a month is the sum of the stored totals of its days; its `day` is the first day of the month.
 */
export type TotalDifference = {
  kind: 'day' | 'month'
  meter: string
  day: string
  total: string
  events: number
  rightTotal: string
  rightEvents: number
}

/**
 * Lists the wrong totals of the days `from` to `to`, and of the months of these days. One statement reads the
 * totals and the entries of the days at the same moment, and another one the totals of the months and of
 * their days.
 */
export async function listTotalDifferences(
  sql: Queryable,
  accountId: number,
  { from, to }: Days,
): Promise<TotalDifference[]> {
  const days = await sql<TotalDifference[]>`
    select 'day' as kind, meter, day, coalesce(kept.total, 0) as total, coalesce(kept.events, 0)::bigint as events,
      coalesce(pruned_total, 0) + coalesce(found.total, 0) as "rightTotal",
      (coalesce(pruned_events, 0) + coalesce(found.events, 0))::bigint as "rightEvents"
    from (
      select meter, day, total, events, pruned_total, pruned_events from meter_daily
      where account_id = ${accountId} and day between ${from} and ${to}
    ) as kept
    full join (
      select meter, day, sum(usage) as total, count(*) as events from meter_entries
      where account_id = ${accountId} and day between ${from} and ${to} and voided_at is null
      group by meter, day
    ) as found using (meter, day)
    where (coalesce(kept.total, 0), coalesce(kept.events, 0)) is distinct from
      (coalesce(pruned_total, 0) + coalesce(found.total, 0), coalesce(pruned_events, 0) + coalesce(found.events, 0))
    order by meter, day`
  const months = await sql<TotalDifference[]>`
    select 'month' as kind, meter, month as day, coalesce(kept.total, 0) as total,
      coalesce(kept.events, 0)::bigint as events, coalesce(found.total, 0) as "rightTotal",
      coalesce(found.events, 0)::bigint as "rightEvents"
    from (
      select meter, month, total, events from meter_monthly
      where account_id = ${accountId} and month between ${firstOfMonth(sql, from)} and ${to}
    ) as kept
    full join (
      select meter, date_trunc('month', day)::date as month, sum(total) as total, sum(events) as events
      from meter_daily
      where account_id = ${accountId} and day >= ${firstOfMonth(sql, from)}
        and day < ${firstOfMonth(sql, to)} + interval '1 month'
      group by meter, 2
    ) as found using (meter, month)
    where (coalesce(kept.total, 0), coalesce(kept.events, 0))
      is distinct from (coalesce(found.total, 0), coalesce(found.events, 0))
    order by meter, month`
  return [...days, ...months]
}

function firstOfMonth(sql: Queryable, day: string) {
  return sql`date_trunc('month', ${day}::date)::date`
}

/**
 * The days of the entries that were accepted for an account since `since` (Unix milliseconds). Reads only the
 * partitions of the month of `since` and of later months.
 */
export async function listTouchedDays(sql: Queryable, accountId: number, since: number): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select distinct day from meter_entries
    where account_id = ${accountId} and accepted_at >= to_timestamp(${since}::float8 / 1000)`
  return rows.map(({ day }) => day)
}

type Key = { meter: string; day: string }

/** Blocks prunes until the transaction ends. Take this lock before the locks of totals, as a prune does. */
export async function blockPrunes(tx: Transaction): Promise<void> {
  await tx`lock table meter_entries in access share mode`
}

/**
 * Locks the totals of these meters and days in key order, and inserts missing totals with 0. After that, a
 * transaction that stores entries of these keys has either ended, or waits for the lock and then adds to the
 * recounted total.
 */
export async function lockDailyTotals(tx: Transaction, accountId: number, keys: Key[]): Promise<void> {
  await tx`
    insert into meter_daily (account_id, meter, day, total, events)
    select ${accountId}, meter, day, 0, 0 from ${unnestKeys(tx, keys)} order by meter, day
    on conflict (account_id, meter, day) do nothing`
  await tx`
    select from meter_daily join ${unnestKeys(tx, keys)} using (meter, day)
    where account_id = ${accountId} order by meter_daily.meter, meter_daily.day for update of meter_daily`
}

/** Sets the totals of locked days to the sums of their entries, stored or pruned, that are not void. */
export async function recountDays(tx: Transaction, accountId: number, keys: Key[]): Promise<void> {
  await tx`
    update meter_daily set total = pruned_total + found.total, events = pruned_events + found.events
    from (
      select wanted.meter, wanted.day, coalesce(sum(usage), 0) as total, count(entries.id) as events
      from ${unnestKeys(tx, keys)}
      left join meter_entries as entries on entries.account_id = ${accountId}
        and entries.meter = wanted.meter and entries.day = wanted.day and voided_at is null
      group by wanted.meter, wanted.day
    ) as found
    where account_id = ${accountId} and meter_daily.meter = found.meter and meter_daily.day = found.day`
}

/**
 * Locks the totals of months like lockDailyTotals(), which must run first. `day` of a key is the first day of the
 * month.
 */
export async function lockMonthlyTotals(tx: Transaction, accountId: number, keys: Key[]): Promise<void> {
  await tx`
    insert into meter_monthly (account_id, meter, month, total, events)
    select ${accountId}, meter, day, 0, 0 from ${unnestKeys(tx, keys)} order by meter, day
    on conflict (account_id, meter, month) do nothing`
  await tx`
    select from meter_monthly join ${unnestKeys(tx, keys)} on wanted.meter = meter_monthly.meter and day = month
    where account_id = ${accountId} order by meter_monthly.meter, month for update of meter_monthly`
}

/** Sets the totals of locked months to the sums of the stored totals of their days. */
export async function recountMonths(tx: Transaction, accountId: number, keys: Key[]): Promise<void> {
  await tx`
    update meter_monthly set total = found.total, events = found.events
    from (
      select wanted.meter, wanted.day as month, coalesce(sum(total), 0) as total,
        coalesce(sum(events), 0)::bigint as events
      from ${unnestKeys(tx, keys)}
      left join meter_daily as daily on daily.account_id = ${accountId} and daily.meter = wanted.meter
        and daily.day >= wanted.day and daily.day < wanted.day + interval '1 month'
      group by wanted.meter, wanted.day
    ) as found
    where account_id = ${accountId} and meter_monthly.meter = found.meter and meter_monthly.month = found.month`
}

function unnestKeys(sql: Queryable, keys: Key[]) {
  return sql`unnest(${keys.map(({ meter }) => meter)}::text[], ${keys.map(({ day }) => day)}::date[])
    as wanted (meter, day)`
}

/**
 * The months before `before` that have a partition, oldest first; each month is named by its first day (UTC).
 */
export async function listPartitions(sql: Queryable, before: string): Promise<string[]> {
  const rows = await sql<{ month: string }[]>`
    select to_date(right(relid::regclass::text, 7), 'YYYY_MM') as month
    from pg_partition_tree('meter_entries')
    where isleaf and to_date(right(relid::regclass::text, 7), 'YYYY_MM') < ${before}::date
    order by month`
  return rows.map(({ month }) => month)
}

/** Whether every entry accepted before `before` (UTC) is at least `days` days old. */
export async function isOlderThan(sql: Queryable, before: string, days: number): Promise<boolean> {
  const [row] = await sql<{ old: boolean }[]>`
    select ${before}::date <= (app_now() at time zone 'UTC')::date - ${days}::integer as old`
  return row!.old
}

/**
 * Drops the partition of a month, and stores what it contributed to the totals. The slow part, the sums,
 * comes before the exclusive lock. After this lock, no entry can be read or written until the transaction
 * ends, which takes a moment.
 * @returns how many entries the partition contained.
 * @throws a lock timeout if it waits for a lock for more than 5 seconds.
 */
export async function dropPartition(tx: Transaction, month: string): Promise<number> {
  const partition = tx(`meter_entries_${month.slice(0, 7).replace('-', '_')}`)
  await tx`set local lock_timeout = '5s'`
  // From here on, voids of entries of this partition wait.
  await tx`lock table ${partition} in share mode`
  await tx`
    create temporary table dropped on commit drop as
    select account_id, meter, day, sum(usage) filter (where voided_at is null) as total,
      count(*) filter (where voided_at is null) as events, count(*) as entries
    from ${partition} group by account_id, meter, day`
  await tx`lock table meter_entries in access exclusive mode`
  await tx`
    insert into meter_daily as kept (account_id, meter, day, total, events, pruned_total, pruned_events)
    select account_id, meter, day, 0, 0, coalesce(total, 0), events from dropped
    where events > 0 order by account_id, meter, day
    on conflict (account_id, meter, day) do update set
      pruned_total = kept.pruned_total + excluded.pruned_total,
      pruned_events = kept.pruned_events + excluded.pruned_events`
  await tx`drop table ${partition}`
  const [row] = await tx<{ entries: number }[]>`
    insert into meter_prunings (month, entries)
    select ${month}::date, coalesce(sum(entries), 0) from dropped
    returning entries`
  return row!.entries
}
