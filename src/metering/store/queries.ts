/** The SQL that stores usage: ids, entries with their totals, partitions, rejects. */
import type { Queryable } from '../../platform/postgres/database.ts'
import type { Entry } from '../model.ts'
import { crossingSteps } from '../thresholds/crossing-queries.ts'

/** The increment of meter_entry_ids in sql/106.do.metering.sql. */
export const idBlockSize = 100_000

/** The first id of each of `blocks` fresh blocks of entry ids. */
export async function drawIdBlocks(sql: Queryable, blocks: number): Promise<number[]> {
  const rows = await sql<{ first: number }[]>`
    select nextval('meter_entry_ids') as first from generate_series(1, ${blocks})`
  return rows.map(({ first }) => first)
}

/**
 * How many entries were new, and the accounts whose totals crossed thresholds. The statement has also written
 * the events of these crossings.
 */
export type StoredEntries = { stored: number; crossedIn: number[] }

/**
 * In one statement, stores entries, adds the new ones to the totals, and records the crossings of thresholds that this
 * causes. It writes entries in the order of their ids and totals in the order of their keys, so that concurrent calls
 * wait for each other and never deadlock. The statement fails for an entry of an unknown account, because the entry has
 * no day.
 * @param options `skipStored` ignores entries that are already stored. Without it, the statement fails for such an
 * entry, but is a quarter faster, because PostgreSQL does not look up each entry before it inserts it.
 */
export async function insertEntries(
  sql: Queryable,
  entries: readonly Entry[],
  { skipStored }: { skipStored: boolean },
): Promise<StoredEntries> {
  const [row] = await sql<StoredEntries[]>`
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
      ${skipStored ? sql`on conflict (account_id, id, accepted_at) do nothing` : sql``}
      returning account_id, meter, day, usage
    ), added as (
      select account_id, meter, day, sum(usage) as total, count(*) as events
      from stored group by account_id, meter, day
    ), daily as (
      insert into meter_daily as kept (account_id, meter, day, total, events)
      select account_id, meter, day, total, events from added order by account_id, meter, day
      on conflict (account_id, meter, day) do update set
        total = kept.total + excluded.total, events = kept.events + excluded.events
      returning account_id, meter, day, total
    ), monthly as (
      insert into meter_monthly as kept (account_id, meter, month, total, events)
      select account_id, meter, date_trunc('month', day)::date as month, sum(added.total), sum(events)
      from added join daily using (account_id, meter, day)
      group by account_id, meter, month order by account_id, meter, month
      on conflict (account_id, meter, month) do update set
        total = kept.total + excluded.total, events = kept.events + excluded.events
      returning account_id, meter, month, total
    ), ${crossingSteps(sql)}
    select coalesce(sum(events), 0)::bigint as stored,
      (select coalesce(json_agg(distinct account_id), '[]') from crossed) as "crossedIn"
    from added`
  return row!
}

/**
 * Makes the partitions of these months (first days, UTC). The partition of a pruned month is not made again.
 */
export async function makePartitions(sql: Queryable, months: string[]): Promise<void> {
  await sql`select make_meter_partition(month) from unnest(${months}::date[]) as month order by month`
}

/** Makes the partitions of the current month and of the next `months` months (UTC). */
export async function makePartitionsAhead(sql: Queryable, months: number): Promise<void> {
  await sql`
    select make_meter_partition((date_trunc('month', now() at time zone 'UTC') + ahead * interval '1 month')::date)
    from generate_series(0, ${months}::integer) as ahead`
}

/**
 * Stores a rejected entry with the reason. If it was rejected before, the new reason replaces the old one.
 */
export async function insertReject(sql: Queryable, entry: Entry, reason: string): Promise<void> {
  await sql`
    insert into usage_rejects as kept (account_id, id, entry, reason)
    values (${entry.accountId}, ${entry.id}, ${JSON.stringify(entry)}, ${reason})
    on conflict (account_id, id) do update set reason = excluded.reason`
}
