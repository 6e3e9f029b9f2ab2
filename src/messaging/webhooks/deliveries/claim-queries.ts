/**
 * The SQL of leases: a process claims deliveries and commits. The holder of a lease marks its delivery later.
 * No lock is held in between. If the process dies, the delivery is due again when its lease ends.
 */
import type { Queryable, Sql } from '../../../platform/postgres/database.ts'
import type { EndpointKey } from './advance-queries.ts'
import { type ClaimedDelivery, failingAfter } from './model.ts'

/** Longer than composing, all timeouts of a try, and marking take together. */
export const leaseSeconds = 60

const endpointsAtOnce = 32

/** How many deliveries of an endpoint this process has under way. */
export type UnderWay = EndpointKey & { count: number }

export type DeliveryRoom = {
  /** The endpoint whose turn was last; null for none. */
  after: EndpointKey | null
  underWay: readonly UnderWay[]
  /** The limits of this process for an account, for an endpoint, and for a failing endpoint, in deliveries at once. */
  maxOfAccount: number
  most: number
  maxOfFailing: number
}

/**
 * Claims due deliveries of up to 32 endpoints that come after `after`, by account and endpoint id. In a lane,
 * only the oldest unfinished delivery is claimed. The next delivery has to wait until the oldest is delivered
 * or set aside.
 */
export function claimDeliveries(
  sql: Sql,
  { after, underWay, maxOfAccount, most, maxOfFailing }: DeliveryRoom,
): Promise<ClaimedDelivery[]> {
  const maxOfEndpoint = sql`(case when failures >= ${failingAfter} then ${maxOfFailing} else ${most} end)::integer`
  return sql<ClaimedDelivery[]>`
    with now as materialized (select app_now() as at), busy as materialized (
      select account_id, id, count, sum(count) over (partition by account_id)::integer as of_account
      from unnest(
        ${underWay.map(({ accountId }) => accountId)}::bigint[], ${underWay.map(({ id }) => id)}::bigint[],
        ${underWay.map(({ count }) => count)}::integer[]
      ) as under_way (account_id, id, count)
    ), busy_account as materialized (
      select distinct account_id, of_account as count from busy
    ), turn as materialized (
      select endpoint.account_id, endpoint.id, url, body, partner_id,
        ${maxOfEndpoint} - coalesce(busy.count, 0) as room,
        ${maxOfAccount}::integer - coalesce(busy_account.count, 0) as account_room
      from webhook_endpoints as endpoint
      left join busy on busy.account_id = endpoint.account_id and busy.id = endpoint.id
      left join busy_account on busy_account.account_id = endpoint.account_id
      where status = 'active' and unfinished > 0
        ${after ? sql`and (endpoint.account_id, endpoint.id) > (${after.accountId}, ${after.id})` : sql``}
        and coalesce(busy_account.count, 0) < ${maxOfAccount} and coalesce(busy.count, 0) < ${maxOfEndpoint}
        and exists (select from webhook_deliveries as delivery where ${mayBeSent(sql)})
      order by endpoint.account_id, endpoint.id limit ${endpointsAtOnce}
    ), endpoint as (
      -- The endpoints of an account share its limit.
      select turn.*, greatest(1, account_room / count(*) over (partition by account_id)) as share from turn
    ), due as (
      select oldest.account_id, oldest.id, url, body, partner_id from endpoint
      cross join lateral (
        select delivery.account_id, delivery.id from webhook_deliveries as delivery
        where ${mayBeSent(sql)}
        order by next_try_at limit least(endpoint.room, endpoint.share)
        for update skip locked
      ) as oldest
    )
    update webhook_deliveries as delivery set lease = gen_random_uuid(), gathering = false,
      next_try_at = (select at from now) + ${leaseSeconds} * interval '1 second'
    from due where delivery.account_id = due.account_id and delivery.id = due.id
    returning delivery.account_id as "accountId", delivery.id, endpoint_id as "endpointId", message_id as "messageId",
      type, event_number as "eventNumber", occurred_at as "occurredAt", product_id as "productId", date, tries, lease,
      due.url, due.body, due.partner_id as "partnerId", trace_context as "traceContext"`
}

/** Whether a delivery of the endpoint is due, and all earlier deliveries in its lane are finished. */
function mayBeSent(sql: Sql) {
  return sql`delivery.account_id = endpoint.account_id and delivery.endpoint_id = endpoint.id
    and delivery.status = 'pending' and next_try_at <= (select at from now) and ${isFirstInLane(sql)}`
}

/** Whether all earlier deliveries in the lane of `delivery` are finished. */
export function isFirstInLane(sql: Queryable) {
  return sql`(lane is null or not exists (
    select from webhook_deliveries as earlier
    where earlier.account_id = delivery.account_id and earlier.endpoint_id = delivery.endpoint_id
      and earlier.lane = delivery.lane and earlier.status = 'pending' and earlier.id < delivery.id
  ))`
}
