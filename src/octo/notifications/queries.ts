/** The SQL of OCTO's notifications: finds subscriptions by UUID, and the ids and dates that a notification contains. */
import type { ClaimedDelivery } from '../../messaging/webhooks/deliveries/model.ts'
import type { EndpointOwner } from '../../messaging/webhooks/endpoints/model.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

/** The id of the endpoint behind a subscription; null if there is no subscription with this UUID. */
export async function findSubscribed(
  sql: Queryable,
  { accountId, partnerId }: EndpointOwner,
  uuid: string,
): Promise<number | null> {
  const [endpoint] = await sql<{ id: number }[]>`
    select id from webhook_endpoints
    where account_id = ${accountId} and uuid = ${uuid} and partner_id = ${partnerId} and body = 'octo'
      and status <> 'deleted'`
  return endpoint?.id ?? null
}

/** The ids and dates in a notification. A member is null if it does not apply, or if its row has been deleted. */
export type NotifiedRow = {
  /** Whether the event has been deleted from the log. False for a test and for a change of availability. */
  isExpired: boolean
  /** The uuid of the booking. */
  uuid: string | null
  /** The UUID in the productId. */
  activity: string | null
  /** The first and the last day whose availability has changed, both included. */
  from: string | null
  to: string | null
}

/**
 * One row for each delivery, in order. A change of all days of a product covers the days from today to the
 * day of its last timeslot.
 */
export function listNotified(sql: Queryable, deliveries: readonly ClaimedDelivery[]): Promise<NotifiedRow[]> {
  return sql<NotifiedRow[]>`
    select delivery.number is not null and event.number is null as "isExpired", own.uuid, product.activity_id as activity, coalesce(delivery.date, days.first) as from,
      coalesce(delivery.date, greatest(days.first, days.last)) as to
    from unnest(
      ${deliveries.map(({ accountId }) => accountId)}::bigint[],
      ${deliveries.map(({ eventNumber }) => eventNumber)}::bigint[],
      ${deliveries.map(({ productId }) => productId)}::bigint[],
      ${deliveries.map(({ date }) => date)}::date[]
    ) with ordinality as delivery (account_id, number, product_id, date, place)
    left join events as event on event.account_id = delivery.account_id and event.number = delivery.number
    left join reservations as own on own.account_id = delivery.account_id and own.booking_id = event.booking_id
    left join products as product on product.account_id = delivery.account_id
      and product.id = coalesce(event.product_id, delivery.product_id)
    left join lateral (
      select (app_now() at time zone product.time_zone)::date as first, (
        select date from timeslots as slot
        where slot.account_id = product.account_id and slot.product_id = product.id
        order by date desc limit 1
      ) as last
      where delivery.number is null and delivery.date is null
    ) as days on true
    order by place`
}
