/** What "free" and "on sale" mean: once in SQL, of a timeslot by the name `slot`, and once in TypeScript. */
import type { Queryable } from '../platform/postgres/database.ts'

/** The places of a timeslot that are neither booked nor held, on sale or not. */
export function freePlaces(sql: Queryable) {
  return sql`(slot.capacity - slot.booked - slot.held)`
}

/** Whether places of a timeslot can be sold: it is open and has not begun, by the database's clock. */
export function isOnSale(sql: Queryable) {
  return sql`(slot.status = 'open' and slot.starts_at > (select app_now()))`
}

/** The places of a timeslot that are neither booked nor held. */
export function freeOf(slot: { capacity: number; booked: number; held: number }): number {
  return slot.capacity - slot.booked - slot.held
}
