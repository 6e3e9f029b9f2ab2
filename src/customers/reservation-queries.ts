/**
 * The SQL that reads and erases customers' data in `reservations`: data from resellers for which `bookings`
 * has no column.
 */
import type { ContactMore } from '../inventory/hold-model.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'

export type ReservationRow = { bookingId: number; notes: string | null; contact: ContactMore | null }

export function listReservationsOf(sql: Queryable, accountId: number, bookingIds: number[]) {
  return sql<ReservationRow[]>`
    select booking_id as "bookingId", notes, contact from reservations
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])`
}

/** Erases the customer in the resellers' data of locked bookings. */
export async function eraseReservationsOf(
  tx: Transaction,
  accountId: number,
  bookingIds: number[],
): Promise<void> {
  await tx`
    update reservations set notes = null, contact = null
    where account_id = ${accountId} and booking_id = any(${bookingIds}::bigint[])`
}
