/** The SQL that lists, replays, tests and deletes deliveries. */
import type { NeededFrom } from '../../../events/queries.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { traceContext } from '../../../platform/tracing/tracing.ts'
import { testType } from '../endpoints/model.ts'
import { deliveryRetentionDays, pausedDays } from './model.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type DeliveryRow = {
  id: number
  messageId: string
  type: string
  eventNumber: number | null
  productId: number | null
  date: string | null
  status: DeliveryStatus
  tries: number
  firstTriedAt: Date | null
  /** Null for a finished delivery. */
  nextTryAt: Date | null
  createdAt: Date
  finishedAt: Date | null
  httpStatus: number | null
  durationMs: number | null
  answer: string | null
  fault: string | null
}

export type DeliveryFilter = {
  status?: DeliveryStatus | undefined
  /** Only deliveries with an id below this. */
  before: number | null
  limit: number
}

const columns = (sql: Queryable) => sql`
  id, message_id as "messageId", type, event_number as "eventNumber", product_id as "productId", date, status, tries,
  first_tried_at as "firstTriedAt", case when status = 'pending' then next_try_at end as "nextTryAt",
  created_at as "createdAt", finished_at as "finishedAt", http_status as "httpStatus", duration_ms as "durationMs",
  answer, fault`

/** Newest first. */
export function listDeliveries(
  sql: Queryable,
  accountId: number,
  endpointId: number,
  { status, before, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  return sql<DeliveryRow[]>`
    select ${columns(sql)} from webhook_deliveries
    where account_id = ${accountId} and endpoint_id = ${endpointId}
      ${before === null ? sql`` : sql`and id < ${before}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
    order by id desc limit ${limit}`
}

/**
 * Sets the position of a locked endpoint back to the number `after`, so that the endpoint gets the events
 * after it again. If its position is already lower, nothing changes. Returns the new position, and the number
 * of events of all types between the new and the old position.
 */
export async function setBack(
  tx: Transaction,
  accountId: number,
  endpointId: number,
  after: number,
): Promise<{ events: number; position: number }> {
  const [row] = await tx<[{ events: number; position: number }]>`
    with before as (
      select account_id, id, position from webhook_endpoints where account_id = ${accountId} and id = ${endpointId}
    )
    update webhook_endpoints as endpoint set position = least(endpoint.position, ${after})
    from before where endpoint.account_id = before.account_id and endpoint.id = before.id
    returning endpoint.position, (
      select count(*) from events
      where account_id = ${accountId} and number > ${after} and number <= before.position
    ) as events`
  return row
}

/**
 * The number of the first event at or after an instant; null when there is none. An event gets its time when its
 * transaction begins, and its number after the commit, so an event with a higher number can have an earlier time.
 * Therefore the search begins an hour before the instant, and reads nothing older.
 */
export async function findFirstNumberSince(
  sql: Queryable,
  accountId: number,
  since: Date,
): Promise<number | null> {
  const [row] = await sql<{ number: number | null }[]>`
    with earlier as (
      select ${since}::timestamptz - interval '1 hour' as at
    ), last_earlier as materialized (
      -- The second condition is false if even the first event is not before earlier.at. Without this condition, the
      -- search would then read the whole log and find nothing.
      select number from events
      where account_id = ${accountId} and number is not null and occurred_at < (select at from earlier)
        and (
          select occurred_at < (select at from earlier) from events
          where account_id = ${accountId} and number is not null order by number limit 1
        )
      order by number desc limit 1
    )
    select min(number) as number from events
    where account_id = ${accountId} and number > coalesce((select number from last_earlier), 0)
      and occurred_at >= ${since}`
  return row?.number ?? null
}

/** Makes a test delivery for a locked endpoint. */
export async function insertTest(
  tx: Transaction,
  accountId: number,
  endpointId: number,
): Promise<DeliveryRow> {
  const [made] = await tx<[DeliveryRow]>`
    insert into webhook_deliveries (account_id, endpoint_id, message_id, type, occurred_at, next_try_at,
      trace_context)
    values (${accountId}, ${endpointId}, 'test_' || gen_random_uuid(), ${testType}, app_now(), app_now(),
      ${traceContext()})
    returning ${columns(tx)}`
  await addUnfinished(tx, accountId, endpointId)
  return made
}

/**
 * Makes a new delivery for a locked endpoint from a finished one; null if the endpoint has no finished
 * delivery `id`. `isExpired` says that its event has been deleted from the log.
 */
export async function repeatDelivery(
  tx: Transaction,
  accountId: number,
  endpointId: number,
  id: number,
): Promise<(DeliveryRow & { isExpired: boolean }) | null> {
  const [made] = await tx<(DeliveryRow & { isExpired: boolean })[]>`
    insert into webhook_deliveries (account_id, endpoint_id, message_id, type, event_number, occurred_at, product_id,
      date, lane, next_try_at, trace_context)
    select account_id, endpoint_id, message_id, type, event_number, occurred_at, product_id, date, lane, app_now(),
      ${traceContext()}
    from webhook_deliveries
    where account_id = ${accountId} and endpoint_id = ${endpointId} and id = ${id} and status <> 'pending'
    returning ${columns(tx)}, event_number is not null and not exists (
      select from events where account_id = ${accountId} and number = event_number
    ) as "isExpired"`
  if (!made) return null
  await addUnfinished(tx, accountId, endpointId)
  return made
}

/**
 * Which of these event numbers of an account are no longer in the log, because the events have been deleted.
 */
export async function listExpired(
  sql: Queryable,
  accountId: number,
  numbers: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ number: number }[]>`
    select asked.number from unnest(${[...numbers]}::bigint[]) as asked (number)
    where not exists (select from events where account_id = ${accountId} and events.number = asked.number)`
  return rows.map(({ number }) => number)
}

async function addUnfinished(tx: Transaction, accountId: number, endpointId: number): Promise<void> {
  await tx`
    update webhook_endpoints set unfinished = unfinished + 1
    where account_id = ${accountId} and id = ${endpointId}`
}

/**
 * Deletes up to 10,000 old deliveries, up to 10,000 deliveries of deleted endpoints, and the deleted
 * endpoints that have no deliveries any more. Returns the number of deleted rows.
 */
export async function deleteOldDeliveries(sql: Queryable): Promise<number> {
  const old = await sql`
    delete from webhook_deliveries where ctid = any(array(
      select ctid from webhook_deliveries
      where status <> 'pending' and finished_at <= app_now() - ${deliveryRetentionDays} * interval '1 day'
      order by finished_at limit 10000 for update skip locked
    ))`
  const ofDeleted = await sql`
    delete from webhook_deliveries where ctid = any(array(
      select delivery.ctid from webhook_endpoints as endpoint
      join webhook_deliveries as delivery
        on delivery.account_id = endpoint.account_id and delivery.endpoint_id = endpoint.id
      where endpoint.status = 'deleted'
      limit 10000 for update of delivery skip locked
    ))`
  const endpoints = await sql`
    delete from webhook_endpoints as endpoint
    where status = 'deleted' and not exists (
      select from webhook_deliveries as delivery
      where delivery.account_id = endpoint.account_id and delivery.endpoint_id = endpoint.id
    )`
  return old.count + ofDeleted.count + endpoints.count
}

/**
 * For each account, the lowest number of an event that an endpoint still needs: the event has no delivery yet, or
 * the delivery is unfinished. An endpoint that has been paused for more than `pausedDays` days needs none.
 */
export function listNeeded(sql: Queryable): Promise<NeededFrom[]> {
  return sql<NeededFrom[]>`
    select endpoint.account_id as "accountId", min(least(position + 1, coalesce((
      select min(event_number) from webhook_deliveries as delivery
      where delivery.account_id = endpoint.account_id and delivery.endpoint_id = endpoint.id
        and delivery.status = 'pending'
    ), position + 1))) as number
    from webhook_endpoints as endpoint
    where status = 'active' or status = 'paused' and paused_at > app_now() - ${pausedDays} * interval '1 day'
    group by endpoint.account_id`
}
