/** The SQL that reads the events of webhooks, with the ids and references of their subjects. */
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { ClaimedDelivery } from '../deliveries/model.ts'

/** The event of a delivery, with the ids of its subject. `activity` is only the UUID. */
export type DeliveredEvent = {
  /** Whether the event has been deleted from the log. False for a test and for a change of availability. */
  isExpired: boolean
  /** As in the log; null for a test and for a change of availability. */
  actor: string | null
  actorId: number | null
  details: Record<string, unknown> | null
  productId: number | null
  activity: string | null
  timeslotId: number | null
  bookingId: number | null
  bookingReference: string | null
  basketId: number | null
  waitlistEntryId: number | null
  emailId: number | null
  date: string | null
  time: string | null
}

/** Returns one row for each delivery, in the order of the deliveries. */
export function listDeliveredEvents(
  sql: Queryable,
  deliveries: readonly ClaimedDelivery[],
): Promise<DeliveredEvent[]> {
  return sql<DeliveredEvent[]>`
    select delivery.number is not null and event.number is null as "isExpired", event.actor, event.actor_id as "actorId", event.details, product.id as "productId",
      product.activity_id as activity, event.timeslot_id as "timeslotId", event.booking_id as "bookingId",
      booking.reference as "bookingReference", event.basket_id as "basketId",
      event.waitlist_entry_id as "waitlistEntryId", event.email_id as "emailId",
      coalesce(slot.date, delivery.date) as date, slot.time
    from unnest(
      ${deliveries.map(({ accountId }) => accountId)}::bigint[],
      ${deliveries.map(({ eventNumber }) => eventNumber)}::bigint[],
      ${deliveries.map(({ productId }) => productId)}::bigint[],
      ${deliveries.map(({ date }) => date)}::date[]
    ) with ordinality as delivery (account_id, number, product_id, date, place)
    left join events as event on event.account_id = delivery.account_id and event.number = delivery.number
    left join bookings as booking on booking.account_id = delivery.account_id and booking.id = event.booking_id
    left join timeslots as slot on slot.account_id = delivery.account_id
      and slot.id = coalesce(event.timeslot_id, booking.timeslot_id)
    left join products as product on product.account_id = delivery.account_id
      and product.id = coalesce(event.product_id, slot.product_id, delivery.product_id)
    order by place`
}
