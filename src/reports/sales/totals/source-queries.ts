/**
 * The SQL that reads the counted rows, so that several sums share one read: the relation `keys` has the days,
 * and `booked` has the bookings of these days. With `offset 0`, PostgreSQL finds the bookings of each day by
 * an index. Without it, PostgreSQL could read all bookings of the account for a few days.
 */
import { participants, peopleAbsent, peopleHere } from '../../../inventory/service.ts'
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { owedForBooking, totalOfBooking } from './booking-queries.ts'
import type { Basis } from './mark-queries.ts'

export type SoldBasis = 'sold' | 'travel'
type CountedDays<B extends Basis = Basis> = { accountId: number; basis: B; keys: Fragment }

/**
 * The parts of a `with` clause that define `keys`, and for the bases `sold` and `travel` also `booked`.
 * @param subject `keys` is a query of (product_id, day); the product matters only for the basis `travel`.
 */
export function sourcesOf(sql: Queryable, { accountId, basis, keys }: CountedDays): Fragment {
  return basis === 'paid'
    ? keysOf(sql, accountId, keys)
    : sql`${keysOf(sql, accountId, keys)}, booked as materialized (${bookings(sql, { accountId, basis, keys })})`
}

// A day begins an hour early or late where the clock changes at midnight, so the index look-up covers a
// little more than the day.
function keysOf(sql: Queryable, accountId: number, keys: Fragment): Fragment {
  return sql`
    keys as materialized (
      select key.product_id, key.day, time_zone,
        (key.day::timestamp at time zone time_zone) - interval '3 hours' as begins,
        ((key.day + 1)::timestamp at time zone time_zone) + interval '3 hours' as ends
      from (${keys}) as key (product_id, day) join accounts on accounts.account_id = ${accountId}
    )`
}

/** Whether an instant is on the day of the row `keys` or within three hours of it. An index can be used for this. */
export function isNearDay(sql: Queryable, instant: Fragment): Fragment {
  return sql`${instant} >= keys.begins and ${instant} < keys.ends`
}

/** Whether an instant is exactly on the day of the row `keys`. No index can be used for this. */
export function isOnDay(sql: Queryable, instant: Fragment): Fragment {
  return sql`(${instant} at time zone keys.time_zone)::date = keys.day`
}

/**
 * The bookings of the days. For `travel`, they include bookings that were never confirmed, which may have decisions.
 */
function bookings(sql: Queryable, { accountId, basis }: CountedDays<SoldBasis>): Fragment {
  return sql`
    select keys.day, slot.product_id, bookings.channel, coalesce(bookings.partner_id, 0) as partner_id,
      bookings.currency, bookings.id, bookings.basket_id,
      bookings.confirmed_at is not null and bookings.status in ('confirmed', 'cancelled') as is_sold,
      ${participants(sql)} as guests, bookings.participants as places, bookings.units, bookings.priced_per_booking,
      bookings.unit_price_minor, coalesce(bookings.discount_minor, 0) as discount_minor,
      bookings.status = 'cancelled' as is_cancelled, ${peopleHere(sql)} as here, ${peopleAbsent(sql)} as absent,
      price.minor as total_minor, ${owedForBooking(sql)} as owed_minor
    from keys
    ${basis === 'travel' ? byTimeslot(sql, accountId) : byConfirmation(sql, accountId)}
    cross join lateral (${totalOfBooking(sql)}) as price`
}

function byTimeslot(sql: Queryable, accountId: number): Fragment {
  return sql`
    cross join lateral (
      select id, product_id from timeslots
      where account_id = ${accountId} and product_id = keys.product_id and date = keys.day offset 0
    ) as slot
    cross join lateral (
      select * from bookings where account_id = ${accountId} and timeslot_id = slot.id offset 0
    ) as bookings`
}

function byConfirmation(sql: Queryable, accountId: number): Fragment {
  return sql`
    cross join lateral (
      select * from bookings
      where account_id = ${accountId} and ${isNearDay(sql, sql`confirmed_at`)} and ${isOnDay(sql, sql`confirmed_at`)}
      offset 0
    ) as bookings
    join timeslots as slot on slot.account_id = ${accountId} and slot.id = bookings.timeslot_id`
}
