/**
 * The SQL that calculates the price of a booking and what its partner owes, with the same results as the pure
 * rules of src/inventory.
 */
import { participants } from '../../../inventory/service.ts'
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'

/** A query of one row `minor`: the price of the row `bookings`, as totalOf(). */
export function totalOfBooking(sql: Queryable): Fragment {
  return sql`
    select case when bookings.priced_per_booking then bookings.unit_price_minor
        when bookings.units is null then bookings.unit_price_minor::numeric * ${participants(sql)}
        else (select sum((unit ->> 'priceMinor')::numeric * (unit ->> 'quantity')::numeric)
          from jsonb_array_elements(bookings.units) as unit) end
      - coalesce(bookings.discount_minor, 0) as minor`
}

/**
 * The amount that a partner owes for the row `bookings`, as owedOf(). `price.minor` must be the price of the
 * booking. Null for a booking that was sold without terms.
 */
export function owedForBooking(sql: Queryable): Fragment {
  return sql`case
        when bookings.commission_bp is not null
          then price.minor - div(price.minor * bookings.commission_bp + 5000, 10000)
        when bookings.net_minor is null then null
        when bookings.priced_per_booking then bookings.net_minor
        when bookings.units is null then bookings.net_minor::numeric * ${participants(sql)}
        else (select sum(coalesce((unit ->> 'netMinor')::numeric, (unit ->> 'priceMinor')::numeric)
            * (unit ->> 'quantity')::numeric)
          from jsonb_array_elements(bookings.units) as unit) end`
}
