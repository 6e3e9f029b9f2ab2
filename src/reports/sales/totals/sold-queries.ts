/** The SQL of what a booking adds to the totals: the rules of inventory/bought.ts and inventory/partner-terms.ts. */
import { participants, peopleHere } from '../../../inventory/service.ts'
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { owedForBooking, totalOfBooking } from './booking-queries.ts'
import { namesOf } from './names.ts'

/**
 * Bookings that were sold, of an account on days of a basis, as a query: what each is counted under and what it counts.
 * @param keys of (product_id, day): on the basis `sold`, the product is not looked at.
 */
export function soldBookings(
  sql: Queryable,
  { accountId, basis, keys }: { accountId: number; basis: SoldBasis; keys: Fragment },
): Fragment {
  return sql`
    select stale.day, slot.product_id, bookings.channel, coalesce(bookings.partner_id, 0) as partner_id,
      bookings.currency, ${participants(sql)} as guests, bookings.participants as places, bookings.units,
      bookings.priced_per_booking, bookings.unit_price_minor, coalesce(bookings.discount_minor, 0) as discount_minor,
      bookings.status = 'cancelled' as is_cancelled, bookings.attendance, ${peopleHere(sql)} as here, price.minor as total_minor,
      ${owedForBooking(sql)} as owed_minor
    from (${keys}) as stale (product_id, day)
    ${basis === 'travel' ? bookingsByTimeslot(sql, accountId) : bookingsByConfirmation(sql, accountId)}
    cross join lateral (${totalOfBooking(sql)}) as price`
}

export type SoldBasis = 'sold' | 'travel'

function bookingsByTimeslot(sql: Queryable, accountId: number): Fragment {
  return sql`
    join timeslots as slot on slot.account_id = ${accountId} and slot.product_id = stale.product_id
      and slot.date = stale.day
    join bookings on bookings.account_id = ${accountId} and bookings.timeslot_id = slot.id and ${isSold(sql)}`
}

// A day begins an hour early or late where the clock changes at midnight: the index finds a little more than the day.
function bookingsByConfirmation(sql: Queryable, accountId: number): Fragment {
  return sql`
    join accounts on accounts.account_id = ${accountId}
    join bookings on bookings.account_id = ${accountId} and ${isSold(sql)}
      and bookings.confirmed_at >= (stale.day::timestamp at time zone accounts.time_zone) - interval '3 hours'
      and bookings.confirmed_at < ((stale.day + 1)::timestamp at time zone accounts.time_zone) + interval '3 hours'
      and (bookings.confirmed_at at time zone accounts.time_zone)::date = stale.day
    join timeslots as slot on slot.account_id = ${accountId} and slot.id = bookings.timeslot_id`
}

function isSold(sql: Queryable): Fragment {
  return sql`bookings.confirmed_at is not null and bookings.status in ('confirmed', 'cancelled')`
}

/** The columns by which sales are counted, without the account and the basis. */
export const keyColumns = ['day', 'product_id', 'channel', 'partner_id', 'currency'] as const

/** The sums of soldBookings(), with their keys. */
export function sumSold(sql: Queryable, sold: Fragment): Fragment {
  return sql`
    select ${namesOf(sql, keyColumns)}, count(*) as bookings, sum(guests) as guests, sum(places) as places,
      sum(total_minor) as sold_minor, count(*) filter (where is_cancelled) as cancelled_bookings,
      coalesce(sum(guests) filter (where is_cancelled), 0) as cancelled_guests,
      coalesce(sum(total_minor) filter (where is_cancelled), 0) as cancelled_minor,
      coalesce(sum(guests) filter (where not is_cancelled and attendance = 'no-show'), 0) as no_show_guests,
      coalesce(sum(here) filter (where not is_cancelled), 0) as checked_in_guests,
      coalesce(sum(owed_minor) filter (where not is_cancelled), 0) as owed_minor,
      coalesce(sum(total_minor) filter (where not is_cancelled and owed_minor is not null), 0) as under_terms_minor
    from (${sold}) as sold group by ${namesOf(sql, keyColumns)}`
}

export const soldColumns = [
  ...[
    'bookings',
    'guests',
    'places',
    'sold_minor',
    'cancelled_bookings',
    'cancelled_guests',
    'cancelled_minor',
  ],
  ...['no_show_guests', 'checked_in_guests', 'owed_minor', 'under_terms_minor'],
]

/** The sums of soldBookings() by unit, with their keys. What was taken off the price is a unit of its own. */
export function sumUnits(sql: Queryable, sold: Fragment): Fragment {
  return sql`
    select ${namesOf(sql, keyColumns)}, unit_id, sum(quantity) as quantity, sum(people) as guests, sum(minor) as sold_minor,
      coalesce(sum(quantity) filter (where is_cancelled), 0) as cancelled_quantity,
      coalesce(sum(people) filter (where is_cancelled), 0) as cancelled_guests,
      coalesce(sum(minor) filter (where is_cancelled), 0) as cancelled_minor
    from (${sold}) as sold
    cross join lateral (
      select (unit ->> 'id')::bigint as unit_id, (unit ->> 'quantity')::bigint as quantity,
        (unit ->> 'quantity')::bigint * (unit ->> 'people')::bigint as people,
        case when not priced_per_booking then (unit ->> 'priceMinor')::numeric * (unit ->> 'quantity')::numeric
          when place = 1 then unit_price_minor else 0 end as minor
      from jsonb_array_elements(units) with ordinality as one (unit, place)
      union all
      select 0, guests, guests, case when priced_per_booking then unit_price_minor
        else unit_price_minor::numeric * guests end
      where units is null
      union all
      select ${reductionUnit}, 0, 0, -discount_minor where discount_minor <> 0
    ) as bought
    group by ${namesOf(sql, keyColumns)}, unit_id`
}

export const unitColumns = [
  ...['quantity', 'guests', 'sold_minor', 'cancelled_quantity', 'cancelled_guests', 'cancelled_minor'],
]

/** Stands for what promotions and the till took off. */
export const reductionUnit = -1

/** Places of the timeslots of keys (product_id, day). */
export function sumPlaces(sql: Queryable, accountId: number, keys: Fragment): Fragment {
  return sql`
    select slot.date as day, slot.product_id, count(*) as timeslots,
      sum(case when slot.status = 'open' then slot.capacity else slot.booked end) as capacity,
      sum(slot.booked) as booked
    from (${keys}) as stale (product_id, day)
    join timeslots as slot on slot.account_id = ${accountId} and slot.product_id = stale.product_id
      and slot.date = stale.day
    group by slot.date, slot.product_id`
}

export const placeColumns = ['timeslots', 'capacity', 'booked']
