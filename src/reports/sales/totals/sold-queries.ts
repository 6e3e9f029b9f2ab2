/** The SQL that sums up sales, from the rows of source-queries.ts. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import { namesOf } from './names.ts'

/** The columns by which sales are grouped, without the account and the basis. */
export const keyColumns = ['day', 'product_id', 'channel', 'partner_id', 'currency'] as const

/** The sums of the bookings that were sold, with their keys. */
export function sumSold(sql: Queryable): Fragment {
  return sql`
    select ${namesOf(sql, keyColumns)}, count(*) as bookings, sum(guests) as guests, sum(places) as places,
      sum(total_minor) as sold_minor, count(*) filter (where is_cancelled) as cancelled_bookings,
      coalesce(sum(guests) filter (where is_cancelled), 0) as cancelled_guests,
      coalesce(sum(total_minor) filter (where is_cancelled), 0) as cancelled_minor,
      coalesce(sum(absent) filter (where not is_cancelled), 0) as no_show_guests,
      coalesce(sum(here) filter (where not is_cancelled), 0) as checked_in_guests,
      coalesce(sum(owed_minor) filter (where not is_cancelled), 0) as owed_minor,
      coalesce(sum(total_minor) filter (where not is_cancelled and owed_minor is not null), 0) as under_terms_minor
    from booked where is_sold group by ${namesOf(sql, keyColumns)}`
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

/**
 * Sums, by unit, the bookings that were sold. Reductions count under a separate unit id. Bookings without
 * units, which are most, are grouped before the union, so that the union has few rows.
 */
export function sumUnits(sql: Queryable): Fragment {
  const sums = sql`sum(quantity) as quantity, sum(people) as guests, sum(minor) as sold_minor,
    coalesce(sum(quantity) filter (where is_cancelled), 0) as cancelled_quantity,
    coalesce(sum(people) filter (where is_cancelled), 0) as cancelled_guests,
    coalesce(sum(minor) filter (where is_cancelled), 0) as cancelled_minor`
  return sql`
    select ${namesOf(sql, keyColumns)}, unit_id, ${sums}
    from (
      select ${namesOf(sql, keyColumns)}, is_cancelled, 0::bigint as unit_id, sum(guests) as quantity,
        sum(guests) as people, sum(total_minor + discount_minor) as minor
      from booked where is_sold and units is null group by ${namesOf(sql, keyColumns)}, is_cancelled
      union all
      select ${namesOf(sql, keyColumns)}, is_cancelled, ${reductionUnit}, 0, 0, -sum(discount_minor)
      from booked where is_sold and discount_minor <> 0 group by ${namesOf(sql, keyColumns)}, is_cancelled
      union all
      select ${namesOf(sql, keyColumns)}, is_cancelled, (unit ->> 'id')::bigint, (unit ->> 'quantity')::bigint,
        (unit ->> 'quantity')::bigint * (unit ->> 'people')::bigint,
        case when not priced_per_booking then (unit ->> 'priceMinor')::numeric * (unit ->> 'quantity')::numeric
          when place = 1 then unit_price_minor else 0 end
      from booked cross join lateral jsonb_array_elements(units) with ordinality as one (unit, place)
      where is_sold
    ) as bought
    group by ${namesOf(sql, keyColumns)}, unit_id`
}

export const unitColumns = [
  ...['quantity', 'guests', 'sold_minor', 'cancelled_quantity', 'cancelled_guests', 'cancelled_minor'],
]

/** The unit id under which reductions by promotions and at the till are counted. */
export const reductionUnit = -1

/** Sums the places of the timeslots on the days in `keys`. */
export function sumPlaces(sql: Queryable, accountId: number): Fragment {
  return sql`
    select slot.date as day, slot.product_id, count(*) as timeslots,
      sum(case when slot.status = 'open' then slot.capacity else slot.booked end) as capacity,
      sum(slot.booked) as booked
    from keys
    join timeslots as slot on slot.account_id = ${accountId} and slot.product_id = keys.product_id
      and slot.date = keys.day
    group by slot.date, slot.product_id`
}

export const placeColumns = ['timeslots', 'capacity', 'booked']
