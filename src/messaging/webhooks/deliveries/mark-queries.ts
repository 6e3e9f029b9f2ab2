/** The SQL that marks the outcomes of tries. */
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { EndpointKey } from './advance-queries.ts'
import { failingAfter, maxUnfinished, outageMinutes, retryDays, type TryOutcome } from './model.ts'

/** An endpoint whose tries were marked, with the effects. */
export type MarkedEndpoint = EndpointKey & {
  marked: number
  delivered: number
  setAside: number
  /** Why it was paused by this call; null if it was not. */
  paused: 'gone' | 'failing' | null
  /** Whether the endpoint accepts deliveries again after it was failing for `outageMinutes` or longer. */
  isBack: boolean
  /**
   * Whether events wait to become deliveries, while the endpoint has at most half of the allowed unfinished deliveries.
   */
  isBehind: boolean
}

/**
 * Marks tries whose leases have not been replaced, in one statement. Endpoints are locked first, by account
 * and id. A 410 pauses the endpoint at once. After `retryDays` of failed tries, a delivery is set aside if
 * its endpoint had a success in this time. Otherwise the endpoint is paused, and the delivery waits. A
 * delivery whose event has expired is set aside at once, and does not count as a failure of the endpoint.
 */
export function storeTries(tx: Transaction, outcomes: readonly TryOutcome[]): Promise<MarkedEndpoint[]> {
  const retryTime = tx`${retryDays} * interval '1 day'`
  return tx<MarkedEndpoint[]>`
    with outcome as materialized (
      select * from unnest(
        ${outcomes.map(({ delivery }) => delivery.accountId)}::bigint[],
        ${outcomes.map(({ delivery }) => delivery.endpointId)}::bigint[],
        ${outcomes.map(({ delivery }) => delivery.id)}::bigint[],
        ${outcomes.map(({ delivery }) => delivery.lease)}::uuid[],
        ${outcomes.map(({ isDelivered }) => String(isDelivered))}::text[]::boolean[],
        ${outcomes.map(({ isGone }) => String(isGone))}::text[]::boolean[],
        ${outcomes.map(({ isExpired }) => String(isExpired))}::text[]::boolean[],
        ${outcomes.map(({ retrySeconds }) => retrySeconds)}::float8[],
        ${outcomes.map(({ httpStatus }) => httpStatus)}::integer[],
        ${outcomes.map(({ durationMs }) => Math.round(durationMs))}::integer[],
        ${outcomes.map(({ answer }) => answer)}::text[],
        ${outcomes.map(({ fault }) => fault)}::text[]
      ) as outcome (account_id, endpoint_id, id, lease, delivered, gone, expired, retry_seconds, http_status,
        duration_ms, answer, fault)
    ), endpoint as materialized (
      select endpoint.account_id, endpoint.id, status, failures, failing_since from webhook_endpoints as endpoint
      where (endpoint.account_id, endpoint.id) in (select account_id, endpoint_id from outcome)
      order by endpoint.account_id, endpoint.id for update
    ), success as (
      select endpoint.account_id, endpoint.id, bool_or(delivered) as is_any, bool_or(gone) as is_gone,
        not bool_or(delivered) and not bool_and(expired) and failing_since <= app_now() - ${retryTime} as is_dead
      from endpoint join outcome on outcome.account_id = endpoint.account_id and outcome.endpoint_id = endpoint.id
      group by endpoint.account_id, endpoint.id, failing_since
    ), marked as (
      update webhook_deliveries as delivery set tries = tries + 1, lease = null,
        first_tried_at = coalesce(first_tried_at, app_now()),
        status = case when delivered then 'delivered'
          when expired or first_tried_at <= app_now() - ${retryTime} and is_dead is not true then 'failed'
          else 'pending' end,
        finished_at = case when delivered or expired
          or first_tried_at <= app_now() - ${retryTime} and is_dead is not true then app_now() end,
        next_try_at = app_now() + outcome.retry_seconds * interval '1 second',
        http_status = outcome.http_status, duration_ms = outcome.duration_ms, answer = outcome.answer,
        fault = outcome.fault
      from outcome join success on success.account_id = outcome.account_id and success.id = outcome.endpoint_id
      where delivery.account_id = outcome.account_id and delivery.id = outcome.id
        and delivery.lease = outcome.lease and delivery.status = 'pending'
      returning delivery.account_id, delivery.endpoint_id, delivery.status, expired
    ), counted as (
      select account_id, endpoint_id, count(*) as marked,
        count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'failed') as failed,
        count(*) filter (where status <> 'delivered' and not expired) as refused
      from marked group by account_id, endpoint_id
    )
    update webhook_endpoints as now set unfinished = unfinished - delivered - failed,
      last_success_at = case when is_any then app_now() else last_success_at end,
      failures = case when is_any then 0 else now.failures + refused::integer end,
      failing_since = case when is_any then null when refused = 0 then now.failing_since
        else coalesce(now.failing_since, app_now()) end,
      status = case when now.status = 'active' and (is_gone or is_dead) then 'paused' else now.status end,
      pause_reason = case when now.status <> 'active' then pause_reason when is_gone then 'gone'
        when is_dead then 'failing' end,
      paused_at = case when now.status <> 'active' then paused_at when is_gone or is_dead then app_now() end
    from counted
    join success on success.account_id = counted.account_id and success.id = endpoint_id
    join endpoint on endpoint.account_id = counted.account_id and endpoint.id = endpoint_id
    where now.account_id = counted.account_id and now.id = counted.endpoint_id
    returning now.account_id as "accountId", now.id, marked, delivered, failed as "setAside",
      case when endpoint.status = 'active' and now.status = 'paused' then pause_reason end as paused,
      is_any and endpoint.failures >= ${failingAfter}
        and endpoint.failing_since <= app_now() - ${outageMinutes} * interval '1 minute' as "isBack",
      now.unfinished <= ${maxUnfinished / 2} and now.position < (
        select last_number from event_counters where account_id = now.account_id
      ) as "isBehind"`
}

/**
 * Makes the pending deliveries of these endpoints due now if they were tried before, because the endpoints
 * accept deliveries again.
 */
export async function makeDueNow(tx: Transaction, endpoints: readonly EndpointKey[]): Promise<void> {
  await tx`
    update webhook_deliveries as delivery set next_try_at = app_now()
    from unnest(
      ${endpoints.map(({ accountId }) => accountId)}::bigint[], ${endpoints.map(({ id }) => id)}::bigint[]
    ) as back (account_id, id)
    where delivery.account_id = back.account_id and delivery.endpoint_id = back.id and status = 'pending'
      and lease is null and tries > 0`
}
