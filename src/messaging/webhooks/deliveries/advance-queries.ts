/** The SQL that turns events into deliveries. */
import type { Fragment, Queryable, Sql } from '../../../platform/postgres/database.ts'
import { availabilityChanged } from '../endpoints/model.ts'
import { gatherSeconds, maxUnfinished } from './model.ts'

/** Events of bookings that cause no change of availability. All other events of bookings count as a change. */
const placesUntouched = [
  'booking.waitlisted',
  'booking.offer-taken',
  'booking.extended',
  'booking.reduced',
  'booking.checked-in',
  'booking.no-show',
  'booking.attendance-cleared',
  'booking.tickets-made',
  'booking.ticket-redeemed',
  'booking.redemption-undone',
  'booking.ticket-changed',
  'booking.confirmation-resent',
  'booking.messaged',
  'booking.receipt-sent',
  'booking.customer-changed',
  'booking.customer-erased',
]

// The maximum number of deliveries that one event can cause: one of the event itself, and two of changes of
// availability, because a move changes two days.
const maxOfEvent = 3
const endpointsAtOnce = 20
const eventsAtOnce = 200

export type EndpointKey = { accountId: number; id: number }
/**
 * An endpoint whose position moved, with the numbers of new deliveries: of events (`made`), and of changes of
 * availability (`gathered`). `isBehind` says that more events wait and there is room for their deliveries.
 */
export type Advanced = EndpointKey & { made: number; gathered: number; isBehind: boolean }

/**
 * Makes deliveries of the next events of up to 20 endpoints, and moves the positions of the endpoints, in one
 * statement. The endpoints are the first ones after `after`, by account and id. Endpoints that another
 * process has locked are skipped.
 */
export function advanceEndpoints(
  sql: Sql,
  { after, accountIds }: { after: EndpointKey | null; accountIds: readonly number[] | null },
): Promise<Advanced[]> {
  const type = sql`event.type`
  return sql<Advanced[]>`
    with endpoint as materialized (
      select endpoint.account_id, endpoint.id, partner_id, event_types, body, position, highest_position, last_number,
        least(${eventsAtOnce}, (${maxUnfinished} - unfinished) / ${maxOfEvent}) as room
      from webhook_endpoints as endpoint join event_counters using (account_id)
      where status = 'active' and position < last_number and unfinished <= ${maxUnfinished - maxOfEvent}
        ${after ? sql`and (endpoint.account_id, endpoint.id) > (${after.accountId}, ${after.id})` : sql``}
        ${accountIds ? sql`and endpoint.account_id = any(${[...accountIds]}::bigint[])` : sql``}
      order by endpoint.account_id, endpoint.id limit ${endpointsAtOnce}
      for update of endpoint skip locked
    ), event as materialized (
      select endpoint.id as endpoint_id, endpoint.partner_id as endpoint_partner_id, endpoint.event_types, endpoint.body,
        endpoint.highest_position, next.*
      from endpoint cross join lateral (
        select account_id, number, type, occurred_at, product_id, timeslot_id, booking_id, partner_id, details,
          trace_context
        from events
        where account_id = endpoint.account_id and number > endpoint.position and number <= endpoint.last_number
        order by number limit endpoint.room
      ) as next
    ), wanted as (
      -- A replay skips an event whose delivery still waits, unless the replay repeats an earlier
      -- event of the same lane.
      select event.account_id, endpoint_id, number, type, occurred_at, trace_context, own.lane,
        bool_or(number > highest_position or not ${isWaiting(sql)}) over (
          partition by event.account_id, endpoint_id, coalesce(own.lane, number::text) order by number
        ) as is_due
      from event cross join lateral (select ${laneOf(sql)} as lane) as own
      where ${isWanted(sql, type)} and ${mayReceive(sql)}
    ), delivered as (
      insert into webhook_deliveries (account_id, endpoint_id, message_id, type, event_number, occurred_at, lane,
        trace_context, next_try_at)
      select account_id, endpoint_id, 'evt_' || ${epochOf(sql)} || '_' || number, type, number, occurred_at, lane,
        trace_context, app_now()
      from wanted as event where is_due
      order by account_id, endpoint_id, number
      returning account_id, endpoint_id
    ), gathered as (
      insert into webhook_deliveries (account_id, endpoint_id, message_id, type, occurred_at, product_id, date,
        lane, gathering, next_try_at)
      select changed.account_id, endpoint_id, 'avl_' || gen_random_uuid(), ${availabilityChanged},
        max(occurred_at), product_id, date, 'days ' || product_id || coalesce(' ' || date, ''), true,
        app_now() + ${gatherSeconds} * interval '1 second'
      from (${changedDays(sql)}) as changed
      join products on products.account_id = changed.account_id and products.id = product_id
      where endpoint_partner_id is null or in_shopfront or leaves
      group by changed.account_id, endpoint_id, product_id, date
      on conflict (account_id, endpoint_id, product_id, coalesce(date, '-infinity'::date)) where gathering do nothing
      returning account_id, endpoint_id
    ), made as (
      select account_id, endpoint_id, sum(made)::integer as made, sum(gathered)::integer as gathered
      from (
        select account_id, endpoint_id, 1 as made, 0 as gathered from delivered
        union all select account_id, endpoint_id, 0, 1 from gathered
      ) as one
      group by account_id, endpoint_id
    ), reached as (
      -- If fewer events were found than fit, the log ends here: any higher numbers belong to events that were deleted.
      select endpoint.account_id, endpoint.id, endpoint.last_number, coalesce(made.made, 0) as made,
        coalesce(made.gathered, 0) as gathered,
        case when count(event.number) = endpoint.room then max(event.number) else endpoint.last_number end as number
      from endpoint
      left join event on event.account_id = endpoint.account_id and event.endpoint_id = endpoint.id
      left join made on made.account_id = endpoint.account_id and made.endpoint_id = endpoint.id
      group by endpoint.account_id, endpoint.id, endpoint.room, endpoint.last_number, made.made, made.gathered
    )
    update webhook_endpoints as endpoint set position = reached.number,
      highest_position = greatest(highest_position, reached.number),
      unfinished = unfinished + reached.made + reached.gathered
    from reached where endpoint.account_id = reached.account_id and endpoint.id = reached.id
    returning endpoint.account_id as "accountId", endpoint.id, reached.made, reached.gathered,
      endpoint.position < reached.last_number and endpoint.unfinished <= ${maxUnfinished - maxOfEvent} as "isBehind"`
}

/** The epoch in which an event got its number. */
function epochOf(sql: Queryable) {
  return sql`(
    select epoch from event_epoch_starts as start join event_epochs on event_epochs.id = start.epoch
    where start.account_id = event.account_id and start.first_number <= event.number
    order by place desc limit 1
  )`
}

/**
 * The lane of an event: events of one booking arrive in the order of their numbers, and so do other events of
 * one product. Other events have no lane (null).
 */
function laneOf(sql: Queryable) {
  return sql`case when booking_id is not null then 'booking ' || booking_id
    when product_id is not null then 'product ' || product_id end`
}

/**
 * Whether a replay can skip an event, because a delivery of the event is unfinished. The replay cannot skip
 * the event if an earlier event of the same lane is queued behind that delivery: the events would arrive in
 * the wrong order.
 */
function isWaiting(sql: Queryable) {
  return sql`exists (
    select from webhook_deliveries as waiting
    where waiting.account_id = event.account_id and waiting.endpoint_id = event.endpoint_id
      and waiting.status = 'pending' and waiting.event_number = event.number
      and not exists (
        select from webhook_deliveries as following
        where following.account_id = waiting.account_id and following.endpoint_id = waiting.endpoint_id
          and following.lane = waiting.lane and following.status = 'pending'
          and following.id > waiting.id and following.event_number < waiting.event_number
      )
    -- Looked up one by one: only a replay needs it, and few deliveries of an endpoint are unfinished.
    offset 0
  )`
}

function isWanted(sql: Queryable, type: Fragment) {
  return sql`event_types && array['*', ${type}, split_part(${type}, '.', 1) || '.*']`
}

/**
 * An endpoint of the account gets all events. A partner gets the events of its own bookings except
 * `booking.customer-erased`, and `product.made` and `product.changed` for products that are in the shopfront,
 * enter it or leave it. Endpoints with OCTO bodies get events of bookings only if these were reserved through
 * OCTO.
 */
function mayReceive(sql: Queryable) {
  return sql`case
    when body = 'octo' and booking_id is not null and not exists (
      select from reservations
      where reservations.account_id = event.account_id and reservations.booking_id = event.booking_id
    ) then false
    when endpoint_partner_id is null then true
    when type = 'booking.customer-erased' then false
    when booking_id is not null then partner_id = endpoint_partner_id
    else type in ('product.made', 'product.changed') and (
      coalesce(details -> 'Fields' ? 'InShopfront', false) or exists (
        select from products
        where products.account_id = event.account_id and products.id = event.product_id and in_shopfront
      )
    )
  end`
}

/**
 * The days whose availability the events change; null for all days. Events of the waitlist are left out: if places
 * change, the booking of the entry has an event too. `leaves` is true if the product enters or leaves the shopfront.
 */
function changedDays(sql: Queryable) {
  const asked = sql`${isWanted(sql, sql`${availabilityChanged}::text`)}`
  return sql`
    select event.account_id, endpoint_id, endpoint_partner_id, occurred_at, slot.product_id, slot.date, false as leaves
    from event
    cross join lateral (values
      (timeslot_id), (case when type = 'booking.moved' then (details -> 'From' ->> 'TimeslotID')::bigint end)
    ) as named (id)
    join timeslots as slot on slot.account_id = event.account_id and slot.id = named.id
    where ${asked} and (booking_id is not null and type <> all(${placesUntouched}) or type like 'timeslot.%')
    union all
    select account_id, endpoint_id, endpoint_partner_id, occurred_at, product_id, (details ->> 'Date')::date, false
    from event where ${asked} and type = 'timeslot.removed'
    union all
    select account_id, endpoint_id, endpoint_partner_id, occurred_at, product_id, null,
      coalesce(details -> 'Fields' ? 'InShopfront', false)
    from event where ${asked} and type = 'product.changed'`
}
