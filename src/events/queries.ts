/** The SQL that writes events, reads events without a number, and deletes old events. */
import { column } from '../platform/postgres/column.ts'
import type { Fragment, Queryable, Transaction } from '../platform/postgres/database.ts'
import { traceContext } from '../platform/tracing/tracing.ts'
import type { NewEvent } from './event.ts'

/** Appends events. Their ids are in the order of the array. */
export async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const active = traceContext()
  await tx`
    insert into events (account_id, type, product_id, timeslot_id, basket_id, booking_id, waitlist_entry_id, email_id,
      partner_id, actor, actor_id, details, trace_context)
    select account_id, type, product_id, timeslot_id, basket_id, booking_id, waitlist_entry_id, email_id, partner_id,
      actor, actor_id, coalesce(details::jsonb, '{}'), trace_context
    from unnest(
      ${column(events, ({ accountId }) => accountId)}::bigint[],
      ${column(events, ({ type }) => type)}::text[],
      ${column(events, ({ productId }) => productId)}::bigint[],
      ${column(events, ({ timeslotId }) => timeslotId)}::bigint[],
      ${column(events, ({ basketId }) => basketId)}::bigint[],
      ${column(events, ({ bookingId }) => bookingId)}::bigint[],
      ${column(events, ({ waitlistEntryId }) => waitlistEntryId)}::bigint[],
      ${column(events, ({ emailId }) => emailId)}::bigint[],
      ${column(events, ({ partnerId }) => partnerId)}::bigint[],
      ${column(events, ({ actor }) => actor.kind)}::text[],
      ${column(events, ({ actor }) => actor.id)}::bigint[],
      ${column(events, ({ details }) => (isEmpty(details) ? null : JSON.stringify(details)))}::text[],
      ${column(events, (event) => event.traceContext ?? active)}::text[]
    ) with ordinality as event (account_id, type, product_id, timeslot_id, basket_id, booking_id, waitlist_entry_id,
      email_id, partner_id, actor, actor_id, details, trace_context, place)
    order by place`
}

function isEmpty(details: object): boolean {
  for (const _ in details) return false
  return true
}

/**
 * The part of a query after `from`, including the `where`. It selects the events without a number of one account: the
 * account of the row `counter`, a row such as counters() returns.
 */
export function unnumbered(sql: Queryable) {
  return sql`events where events.account_id = counter.account_id and events.id >= counter.lowest_id
    and events.number is null`
}

/**
 * The counters of all accounts, or of one, as `counter`. An account without a counter has no numbered event;
 * its `last_number` and `lowest_id` are 0.
 */
export function counters(sql: Queryable, accountId: number | null = null) {
  return sql`(
    select accounts.account_id, coalesce(last_number, 0) as last_number, coalesce(lowest_id, 0) as lowest_id
    from accounts left join event_counters using (account_id)
    ${accountId === null ? sql`` : sql`where accounts.account_id = ${accountId}`}
  ) as counter`
}

/**
 * How many events have no number, and when the oldest of them occurred; `oldest` is null if there is none.
 */
export type LogBacklog = { events: number; oldest: Date | null; oldestSeconds: number }

/**
 * Returns one row: the backlog of one account, or of all accounts together. `oldestSeconds` is 0 if no event
 * waits.
 */
export function findBacklog(sql: Queryable, accountId: number | null) {
  return sql<LogBacklog[]>`
    select count(*) as events, min(occurred_at) as oldest,
      coalesce(extract(epoch from clock_timestamp() - min(occurred_at)), 0)::float8 as "oldestSeconds"
    from ${counters(sql, accountId)} cross join lateral (select occurred_at from ${unnumbered(sql)}) as waiting`
}

/** Whether an event is a `product.made` or `product.changed` event and has a number. */
export function isOfProduct(sql: Queryable, event: Fragment) {
  return sql`(${event}.number is not null and ${event}.type in ('product.made', 'product.changed'))`
}

/** The number from which the events of an account are still needed. */
export type NeededFrom = { accountId: number; number: number }

/**
 * Deletes at most 10,000 old numbered events that belong to no booking's history, and returns how many. It
 * keeps the latest `product.made` or `product.changed` event of each product, and the latest event that says
 * that the product entered or left the shopfront, because partners follow products by these events.
 * @param needed for each of these accounts, the number from which all its events are kept.
 */
export async function deleteOldEvents(
  sql: Queryable,
  days: number,
  needed: readonly NeededFrom[],
): Promise<number> {
  const { count } = await sql`
    delete from events where ctid = any(array(
      select ctid from events as event
      where booking_id is null and number is not null and occurred_at <= now() - make_interval(days => ${days})
        and (not ${isOfProduct(sql, sql`event`)} or (
          select true from events as later
          where later.account_id = event.account_id and later.product_id = event.product_id
            and ${isOfProduct(sql, sql`later`)} and later.number > event.number
            and (not ${movesShopfront(sql, sql`event`)} or ${movesShopfront(sql, sql`later`)})
          limit 1
        ))
        and not exists (
          select from unnest(
            ${needed.map(({ accountId }) => accountId)}::bigint[], ${needed.map(({ number }) => number)}::bigint[]
          ) as needed (account_id, number)
          where needed.account_id = event.account_id and event.number >= needed.number
        )
      order by occurred_at limit 10000 for update skip locked
    ))`
  return count
}

/** Whether a `product.changed` event says that the product entered or left the shopfront. */
export function movesShopfront(sql: Queryable, event: Fragment) {
  return sql`coalesce(${event}.details -> 'Fields' ? 'InShopfront', false)`
}

/**
 * Whether a check-in or redemption event says that somebody arrived. True unless the details have `Arrived:
 * false`; redemptions and events of earlier versions never have it.
 */
export function hasArrived(sql: Queryable, event: Fragment) {
  return sql`${event}.details -> 'Arrived' is distinct from 'false'`
}
