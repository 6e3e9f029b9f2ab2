/** The SQL of what bookings have bought. */
import type { Queryable } from '../platform/postgres/database.ts'

/** The columns of Bought. */
export function boughtColumns(sql: Queryable) {
  return sql`bookings.participants as places, ${participants(sql)} as participants, bookings.units,
    bookings.unit_price_minor as "unitPriceMinor", bookings.currency,
    bookings.priced_per_booking as "pricedPerBooking", bookings.takes_timeslot as "takesTimeslot",
    coalesce(bookings.discount_minor, 0)::text as "discountMinor", bookings.commission_bp as "commissionBp",
    bookings.net_minor as "netMinor"`
}

/** How many people take part: the column of this name counts places. */
export function participants(sql: Queryable) {
  return sql`coalesce(bookings.people, bookings.participants)`
}
