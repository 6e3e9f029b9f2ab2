/** The SQL that numbers events. pump.ts explains why a statement may number all events in its snapshot. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { TraceContext } from '../../platform/tracing/tracing.ts'
import { counters, unnumbered } from '../queries.ts'
import type { EventType } from '../types.ts'

/** The accounts that have events without a number. The account whose event waits longest comes first. */
export async function listWaitingAccounts(sql: Queryable): Promise<number[]> {
  const rows = await sql<{ accountId: number }[]>`
    select counter.account_id as "accountId" from ${counters(sql)}
    cross join lateral (select id from ${unnumbered(sql)} order by id limit 1) as first
    order by first.id`
  return rows.map(({ accountId }) => accountId)
}

/**
 * The last event id that any transaction has drawn (0 if none), and the connected server with its timeline.
 */
export async function readLastId(sql: Queryable): Promise<{ id: number; server: string }> {
  const [row] = await sql<{ id: number; server: string }[]>`
    select case when is_called then last_value else 0 end as id, ${serverName(sql)} as server
    from events_id_seq, (${server(sql)}) as here`
  return row!
}

/**
 * The transactions that may have drawn an event id and have not ended. Every transaction takes a ROW
 * EXCLUSIVE lock on `events` before it draws an id.
 */
export async function listWriters(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ writer: string }[]>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'events'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`
  return rows.map(({ writer }) => writer)
}

/** Limits how long each statement of a transaction waits for a lock. */
export function limitLockWaits(tx: Transaction, milliseconds: number) {
  return tx`select set_config('lock_timeout', ${`${milliseconds}ms`}, true)`
}

/**
 * Inserts missing counters. It skips existing counters, because `on conflict` would wait for a pump that is
 * updating one of them.
 */
export function insertCounters(tx: Transaction, accountIds: readonly number[]) {
  return tx`
    insert into event_counters (account_id)
    select account_id from unnest(${[...accountIds]}::bigint[]) as given (account_id)
    where not exists (select from event_counters as kept where kept.account_id = given.account_id)
    order by account_id
    on conflict do nothing`
}

/**
 * Locks the counters of accounts in the order of their ids. Skips locked counters; returns the accounts of
 * the others.
 */
export function lockCounters(tx: Transaction, accountIds: readonly number[]) {
  return tx<{ accountId: number }[]>`
    select account_id as "accountId" from event_counters
    where account_id = any(${[...accountIds]}::bigint[])
    order by account_id for update skip locked`
}

/**
 * Reads the connected server with its timeline, and the id of the newest epoch. The id is null if there is no epoch,
 * or if the newest one is of another server or timeline.
 */
export function readEpoch(sql: Queryable) {
  return sql<{ epoch: number | null; server: string }[]>`
    select ${serverName(sql)} as server, (
      select case when system_identifier = here.system_identifier and timeline = here.timeline then id end
      from event_epochs order by place desc limit 1
    ) as epoch
    from (${server(sql)}) as here`
}

function serverName(sql: Queryable) {
  return sql`here.system_identifier || '/' || here.timeline`
}

// The timeline is that of the current WAL position, because the control file is updated only some time after a
// promotion.
function server(sql: Queryable) {
  return sql`
    select system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint as timeline
    from pg_control_system()`
}

/** Begins an epoch, unless the newest one is of the connected server and timeline. Its id is below 2^48. */
export async function insertEpoch(tx: Transaction): Promise<void> {
  await tx`lock table event_epochs in share row exclusive mode`
  await tx`
    insert into event_epochs (id, system_identifier, timeline)
    select floor(random() * 281474976710656)::bigint, here.system_identifier, here.timeline
    from (${server(tx)}) as here
    where not exists (
      select from (select * from event_epochs order by place desc limit 1) as newest
      where newest.system_identifier = here.system_identifier and newest.timeline = here.timeline
    )`
}

/** An event with its number. `occurredAt` is in Unix seconds, rounded down. */
export type NumberedEvent = {
  accountId: number
  id: number
  number: number
  /** A type in src/events/types.ts, or a type that only a later version of the service knows. */
  type: EventType | (string & {})
  occurredAt: number
  timeslotId: number | null
  basketId: number | null
  bookingId: number | null
  waitlistEntryId: number | null
  emailId: number | null
  actor: string
  details: Record<string, unknown>
  /** Null if the cause of the event was not traced. */
  traceContext: TraceContext | null
}

/**
 * Numbers the committed events of accounts, at most `limit` of each, in the order of their ids. The caller
 * has locked the counters of the accounts, and guarantees that every transaction that drew an id up to
 * `decidedId` had ended before this statement began.
 */
export function numberEvents(
  tx: Transaction,
  accountIds: readonly number[],
  { epoch, decidedId, limit }: { epoch: number; decidedId: number; limit: number },
) {
  return tx<NumberedEvent[]>`
    with counter as materialized (
      select * from event_counters where account_id = any(${[...accountIds]}::bigint[])
    ), fresh as materialized (
      select counter.account_id, waiting.id,
        counter.last_number + row_number() over (partition by counter.account_id order by waiting.id) as number
      from counter cross join lateral (select id from ${unnumbered(tx)} order by id limit ${limit}) as waiting
    ), sums as (
      select account_id, max(number) as last_number, min(number) as first_number,
        -- At the limit there may be more events; their ids are higher.
        case when count(*) = ${limit} then max(id) + 1 end as next_id
      from fresh group by account_id
    ), begun as (
      insert into event_epoch_starts (account_id, epoch, first_number)
      select sums.account_id, ${epoch}, first_number from sums join counter using (account_id)
      where counter.epoch is distinct from ${epoch}
      on conflict do nothing
    ), counted as (
      update event_counters set last_number = sums.last_number, epoch = ${epoch},
        lowest_id = greatest(lowest_id, least(next_id, ${decidedId + 1}))
      from sums where event_counters.account_id = sums.account_id
    )
    update events set number = fresh.number from fresh
    where events.account_id = fresh.account_id and events.id = fresh.id
    returning events.account_id as "accountId", events.id, events.number, type,
      floor(extract(epoch from occurred_at))::bigint as "occurredAt", timeslot_id as "timeslotId",
      basket_id as "basketId", booking_id as "bookingId", waitlist_entry_id as "waitlistEntryId",
      email_id as "emailId", actor, details, trace_context as "traceContext"`
}
