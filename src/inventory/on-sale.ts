/**
 * Defines "free", "on sale" and "over" in SQL, for the timeslot `slot` and its product `products`, and "free"
 * also in TypeScript.
 */
import type { Queryable } from '../platform/postgres/database.ts'

/** The places of a timeslot that are neither booked nor held, on sale or not. */
export function freePlaces(sql: Queryable) {
  return sql`(slot.capacity - slot.booked - slot.held)`
}

/** The last instant at which a customer may arrive: the start, or the last closing of an all-day timeslot. */
export function lastEntryAt(sql: Queryable) {
  return sql`coalesce(slot.closes_at, slot.starts_at)`
}

/**
 * The instant until which places of a timeslot are on sale: the last entry less the booking cut-off of its
 * product.
 */
export function saleEndsAt(sql: Queryable) {
  return sql`(${lastEntryAt(sql)} - products.booking_cutoff_minutes * interval '1 minute')`
}

/**
 * Whether places of a timeslot can be sold: it is open, and saleEndsAt() is in the future by the database's clock.
 */
export function isOnSale(sql: Queryable) {
  return sql`(slot.status = 'open' and ${saleEndsAt(sql)} > (select app_now()))`
}

/**
 * The instant at which a timeslot is over: its last closing, or its start plus the duration of its product.
 */
export function endsAt(sql: Queryable) {
  return sql`coalesce(slot.closes_at, slot.starts_at + products.duration_minutes * interval '1 minute')`
}

/** The places of a timeslot that are neither booked nor held. */
export function freeOf(slot: { capacity: number; booked: number; held: number }): number {
  return slot.capacity - slot.booked - slot.held
}
