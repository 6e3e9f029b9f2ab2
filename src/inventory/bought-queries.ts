/**
 * The SQL columns for the Bought fields of bookings, and for the people who take part, came or did not come.
 */
import type { Queryable } from '../platform/postgres/database.ts'

/** The columns of Bought. */
export function boughtColumns(sql: Queryable) {
  return sql`bookings.participants as places, ${participants(sql)} as participants, bookings.units,
    bookings.unit_price_minor as "unitPriceMinor", bookings.currency,
    bookings.priced_per_booking as "pricedPerBooking", bookings.takes_timeslot as "takesTimeslot",
    coalesce(bookings.discount_minor, 0)::text as "discountMinor", bookings.commission_bp as "commissionBp",
    bookings.net_minor as "netMinor"`
}

/**
 * How many people of the party are present; 0 if the booking is not checked in. The previous version of the
 * service did not store this number when it checked a booking in. For such a booking, the people with
 * redeemed tickets count as present or, if no ticket is redeemed, the whole party.
 */
export function peopleHere(sql: Queryable) {
  return sql`case when bookings.attendance = 'checked-in' then least(${participants(sql)}, coalesce(bookings.people_here,
      case when bookings.has_tickets then redeemed_people(bookings.account_id, bookings.id, bookings.units) end,
      ${participants(sql)})) else 0 end`
}

/**
 * How many people did not come: all of a no-show; of a booking that is checked in, those recorded as absent.
 */
export function peopleAbsent(sql: Queryable) {
  return sql`case bookings.attendance when 'no-show' then ${participants(sql)}
      when 'checked-in' then bookings.people_absent else 0 end`
}

/**
 * How many people take part. The column `participants` is the number of places; it is used if `people` is
 * null.
 */
export function participants(sql: Queryable) {
  return sql`coalesce(bookings.people, bookings.participants)`
}
