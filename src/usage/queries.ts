/** All SQL that writes and reads metered usage; what checks and drops it is in audit/. */
import type { Queryable, Transaction } from '../platform/database.ts'
import { type Days, type Entry, type Position, splitRange } from './model.ts'

/** The increment of meter_entry_ids in sql/004.do.metering.sql. */
export const idBlockSize = 100_000

/** The first id of each of `blocks` fresh blocks of entry ids. */
export async function drawIdBlocks(sql: Queryable, blocks: number): Promise<number[]> {
  const rows = await sql<{ first: number }[]>`
    select nextval('meter_entry_ids') as first from generate_series(1, ${blocks})`
  return rows.map(({ first }) => first)
}

/**
 * Stores entries and raises the totals by those that were new, in one statement. Entries are taken in the order
 * of their ids and totals in that of their keys, so that whoever stores the same at the same time waits and
 * never deadlocks. An entry of an unknown account fails on its missing day.
 * @returns how many were new.
 */
export async function insertEntries(sql: Queryable, entries: readonly Entry[]): Promise<number> {
  const [row] = await sql<{ stored: number }[]>`
    with given as (
      select account_id, id, accepted_at, meter, usage, extra_info, occurred_at,
        (occurred_at at time zone time_zone)::date as day
      from (
        select account_id, id, 'epoch'::timestamptz + accepted_ms * interval '1 millisecond' as accepted_at,
          meter, usage, extra_info, to_timestamp(occurred_s) as occurred_at
        from unnest(
          ${entries.map((entry) => entry.accountId)}::bigint[],
          ${entries.map((entry) => entry.id)}::bigint[],
          ${entries.map((entry) => entry.acceptedAt)}::bigint[],
          ${entries.map((entry) => entry.meter)}::text[],
          ${entries.map((entry) => entry.usage)}::numeric[],
          ${entries.map((entry) => entry.extraInfo)}::text[],
          ${entries.map((entry) => entry.occurredAt)}::bigint[]
        ) as entry (account_id, id, accepted_ms, meter, usage, extra_info, occurred_s)
      ) as entry
      left join accounts using (account_id)
    ), stored as (
      insert into meter_entries (account_id, id, accepted_at, meter, usage, extra_info, occurred_at, day)
      select account_id, id, accepted_at, meter, usage, extra_info, occurred_at, day
      from given
      order by id
      on conflict (account_id, id, accepted_at) do nothing
      returning account_id, meter, day, usage
    ), added as (
      select account_id, meter, day, sum(usage) as total, count(*) as events
      from stored group by account_id, meter, day
    ), daily as (
      insert into meter_daily as kept (account_id, meter, day, total, events)
      select account_id, meter, day, total, events from added order by account_id, meter, day
      on conflict (account_id, meter, day) do update set
        total = kept.total + excluded.total, events = kept.events + excluded.events
      returning account_id, meter, day
    ), monthly as (
      insert into meter_monthly as kept (account_id, meter, month, total, events)
      select account_id, meter, date_trunc('month', day)::date as month, sum(total), sum(events)
      from added join daily using (account_id, meter, day)
      group by account_id, meter, month order by account_id, meter, month
      on conflict (account_id, meter, month) do update set
        total = kept.total + excluded.total, events = kept.events + excluded.events
    )
    select coalesce(sum(events), 0)::bigint as stored from added`
  return row!.stored
}

/** Makes the partitions of these months (first days, UTC); one that is pruned is not made again. */
export async function makePartitions(sql: Queryable, months: string[]): Promise<void> {
  await sql`select make_meter_partition(month) from unnest(${months}::date[]) as month order by month`
}

/** Makes the partitions of this month and of so many after it. */
export async function makePartitionsAhead(sql: Queryable, months: number): Promise<void> {
  await sql`
    select make_meter_partition((date_trunc('month', now() at time zone 'UTC') + ahead * interval '1 month')::date)
    from generate_series(0, ${months}::integer) as ahead`
}

/** Keeps an entry that could not be stored, and why; the newest reason counts. */
export async function insertReject(sql: Queryable, entry: Entry, reason: string): Promise<void> {
  await sql`
    insert into usage_rejects as kept (account_id, id, entry, reason)
    values (${entry.accountId}, ${entry.id}, ${JSON.stringify(entry)}, ${reason})
    on conflict (account_id, id) do update set reason = excluded.reason`
}

/** Whether an entry was accepted and then refused by the database. */
export async function isRejected(sql: Queryable, accountId: number, id: number): Promise<boolean> {
  const rejects = await sql`select from usage_rejects where account_id = ${accountId} and id = ${id}`
  return rejects.length > 0
}

export type Question = Days & {
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
 * Adds up totals, and the platform events that are not recorded as entries yet, in one statement: each of those
 * is counted either here or there. The row of everything is always there; meters come largest first.
 */
export function sumUsage(sql: Queryable, question: Question): Promise<TotalRow[]> {
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
function counted(sql: Queryable, { accountId, timeZone, from, to, meters, byDay }: Question) {
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
    select meter, (occurred_at at time zone ${timeZone})::date, 1, 1 from platform_events
    where account_id = ${accountId} and recorded_at is null
      and (occurred_at at time zone ${timeZone})::date between ${from} and ${to} ${wanted}`
}

/** When a local day begins: its first midnight, or, where a clock change skips that, the moment of the change. */
function firstInstant(sql: Queryable, day: ReturnType<Queryable>, timeZone: string) {
  return sql`coalesce(local_instant(${day}::timestamp, ${timeZone}), ${day}::timestamp at time zone ${timeZone})`
}

export type EntryRow = {
  id: number
  meter: string
  usage: string
  extraInfo: string | null
  day: string
  occurredAt: number
  acceptedAt: number
  voidedAt: number | null
  voidReason: string | null
}

/** Stored entries by day, meter and id, behind a position; times in Unix seconds. */
export function listEntries(
  sql: Queryable,
  {
    accountId,
    from,
    to,
    meters,
    after,
    limit,
  }: Days & {
    accountId: number
    meters: string[] | null
    after: Position | null
    limit: number
  },
): Promise<EntryRow[]> {
  return sql<EntryRow[]>`
    select ${entryColumns(sql)} from meter_entries
    where account_id = ${accountId} and day between ${from} and ${to}
      ${meters ? sql`and meter = any(${meters}::text[])` : sql``}
      ${after ? sql`and (day, meter, id) > (${after.day}, ${after.meter}, ${after.id})` : sql``}
    order by day, meter, id
    limit ${limit}`
}

export async function findEntry(sql: Queryable, accountId: number, id: number): Promise<EntryRow | null> {
  const [entry] = await sql<EntryRow[]>`
    select ${entryColumns(sql)} from meter_entries where account_id = ${accountId} and id = ${id}`
  return entry ?? null
}

function entryColumns(sql: Queryable) {
  return sql`id, meter, usage, extra_info as "extraInfo", day,
    floor(extract(epoch from occurred_at))::bigint as "occurredAt",
    floor(extract(epoch from accepted_at))::bigint as "acceptedAt",
    floor(extract(epoch from voided_at))::bigint as "voidedAt", void_reason as "voidReason"`
}

/** Marks a stored entry and takes it out of the totals; one that is marked stays as it is. */
export async function voidEntry(
  sql: Queryable,
  { accountId, id, reason }: { accountId: number; id: number; reason: string },
): Promise<void> {
  await sql`
    with voided as (
      update meter_entries set voided_at = app_now(), void_reason = ${reason}
      where account_id = ${accountId} and id = ${id} and voided_at is null
      returning meter, day, usage
    ), daily as (
      update meter_daily set total = total - voided.usage, events = events - 1
      from voided
      where account_id = ${accountId} and meter_daily.meter = voided.meter and meter_daily.day = voided.day
      returning voided.meter, voided.day, voided.usage
    )
    update meter_monthly set total = total - daily.usage, events = events - 1
    from daily
    where account_id = ${accountId} and meter_monthly.meter = daily.meter
      and month = date_trunc('month', daily.day)::date`
}

export type EventRow = {
  accountId: number
  id: number
  meter: string
  extraInfo: unknown
  occurredAt: number
}

/** Takes events that are not recorded, oldest first, past those that someone else holds. */
export function lockEvents(tx: Transaction, limit: number): Promise<EventRow[]> {
  return tx<EventRow[]>`
    select account_id as "accountId", id, meter, extra_info as "extraInfo",
      floor(extract(epoch from occurred_at))::bigint as "occurredAt"
    from platform_events where recorded_at is null
    order by id limit ${limit} for update skip locked`
}

export async function markRecorded(tx: Transaction, events: EventRow[]): Promise<void> {
  await tx`
    update platform_events set recorded_at = now()
    from unnest(${events.map((event) => event.accountId)}::bigint[], ${events.map((event) => event.id)}::bigint[])
      as recorded (account_id, id)
    where platform_events.account_id = recorded.account_id and platform_events.id = recorded.id`
}

/** Drops some of the events that were recorded so many days ago or before; gives how many. */
export async function deleteRecorded(sql: Queryable, days: number): Promise<number> {
  const { count } = await sql`
    delete from platform_events where ctid = any(array(
      select ctid from platform_events
      where recorded_at is not null and recorded_at <= app_now() - make_interval(days => ${days})
      order by recorded_at limit 10000 for update skip locked
    ))`
  return count
}
