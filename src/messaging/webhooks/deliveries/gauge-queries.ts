/** The SQL of the webhook gauges, over all live accounts. */
import type { Queryable } from '../../../platform/postgres/database.ts'
import { isFirstInLane } from './claim-queries.ts'
import { failingAfter } from './model.ts'

export type WebhookSums = {
  /** Deliveries of active endpoints that are neither delivered nor set aside. */
  unfinished: number
  /** The largest number of events between the position of an active endpoint and the end of its account's log. */
  behind: number
  /** The number of endpoints that the service has paused, for each reason. */
  pausedFailing: number
  pausedGone: number
  /**
   * How long the oldest due delivery has been due. Deliveries of failing endpoints, and deliveries that wait
   * in a lane, are not considered.
   */
  oldestDueSeconds: number
}

/** One row. */
export function sumWebhooks(sql: Queryable) {
  return sql<WebhookSums[]>`
    select coalesce(sum(unfinished) filter (where status = 'active'), 0)::integer as unfinished,
      coalesce(max(last_number - position) filter (where status = 'active'), 0) as behind,
      count(*) filter (where pause_reason = 'failing') as "pausedFailing",
      count(*) filter (where pause_reason = 'gone') as "pausedGone",
      coalesce(extract(epoch from app_now() - min(oldest.next_try_at)), 0)::float8 as "oldestDueSeconds"
    from webhook_endpoints as endpoint
    left join event_counters using (account_id)
    left join lateral (
      select next_try_at from webhook_deliveries as delivery
      where delivery.account_id = endpoint.account_id and delivery.endpoint_id = endpoint.id
        and delivery.status = 'pending' and next_try_at <= (select app_now()) and ${isFirstInLane(sql)}
      order by next_try_at limit 1
    ) as oldest on endpoint.status = 'active' and unfinished > 0 and failures < ${failingAfter}
    where endpoint.account_id > 0`
}
